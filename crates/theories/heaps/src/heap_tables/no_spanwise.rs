//! What a build for browsers has instead of sweeps along spans, whose code is large: none.

use super::{HeapTableError, Limits, Plan};
use bouton_core::{HeapGame, Play};
use std::ops::ControlFlow;

/// No game.
#[derive(Debug, Clone)]
pub enum Spanwise {}

impl Spanwise {
    /// Returns `None`: other tables take longer for the same.
    pub fn new(_: &HeapGame) -> Option<Spanwise> {
        None
    }

    /// There is no game to limit.
    #[must_use]
    pub fn limited_to(self, _: Vec<u32>) -> Spanwise {
        self
    }

    /// There is no game to ask about.
    pub fn has_last_sizes(&self, _: u32) -> bool {
        match *self {}
    }

    /// There is no game to plan for.
    pub fn plan(&self, _: u32, _: Limits) -> Result<Plan, HeapTableError> {
        match *self {}
    }

    /// There is no game to plan for.
    pub fn plan_values(&self, _: u32, _: Limits) -> Result<Plan, HeapTableError> {
        match *self {}
    }

    /// There is no game to sweep.
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

    /// There is no game to sweep.
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
