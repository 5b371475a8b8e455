//! The pages: one a file. They read without scripts.

pub(crate) mod download;
pub(crate) mod home;
pub(crate) mod ledger;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod strategy;
pub(crate) mod table;
pub(crate) mod why;

/// A page, or why not.
pub(crate) type Page = Result<crate::response::Response, crate::refusal::Refusal>;
