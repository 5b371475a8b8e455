//! The pages: one a file. They read without scripts.

mod board;
mod box_values;
pub(crate) mod check;
pub(crate) mod claims;
mod columns;
mod conditions;
pub(crate) mod download;
mod explanation;
mod game_tabs;
pub(crate) mod games;
pub(crate) mod home;
pub(crate) mod learn;

pub(crate) mod literature;
pub(crate) mod pipeline;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod puzzle;
pub(crate) mod research;
mod review;
pub(crate) mod rules;
pub(crate) mod strategy;
pub(crate) mod study;
pub(crate) mod table;
pub(crate) mod why;
mod wording;
pub(crate) mod words;
pub(crate) mod worksheet;

/// A page, or why not.
pub(crate) type Page = Result<crate::response::Response, crate::request_error::RequestError>;
