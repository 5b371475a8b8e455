//! What a build for browsers has instead of sweeps along spans, whose code is large: none.

#![allow(missing_docs, reason = "there is no game to call them of")]

use super::{HeapTableError, Limits, Plan};
use bouton_core::{HeapGame, Play};
use std::ops::ControlFlow;

/// No game.
#[derive(Debug, Clone)]
pub enum SpanSweep {}

impl SpanSweep {
    /// Returns `None`: other tables take longer for the same.
    pub fn new(_: &HeapGame) -> Option<SpanSweep> {
        None
    }

    #[must_use]
    pub fn limited_to(self, _: Vec<u32>) -> SpanSweep {
        self
    }

    pub fn has_last_sizes(&self, _: u32) -> bool {
        match *self {}
    }

    pub fn plan(&self, _: u32, _: Limits) -> Result<Plan, HeapTableError> {
        match *self {}
    }

    pub fn plan_values(&self, _: u32, _: Limits) -> Result<Plan, HeapTableError> {
        match *self {}
    }

    pub fn p_positions<B>(
        &self,
        _: u32,
        _: Play,
        _: Limits,
        _: impl FnMut(u128) -> ControlFlow<B>,
        _: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        match *self {}
    }

    pub fn nim_values<B>(
        &self,
        _: u32,
        _: Limits,
        _: impl FnMut(u128) -> ControlFlow<B>,
        _: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        match *self {}
    }
}
