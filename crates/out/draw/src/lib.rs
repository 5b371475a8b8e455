//! Pictures: boards, strategy trees, heatmaps and period tables, and their writers.
//!
//! A [`Picture`] contains what to draw, and [`Picture::scene`] lays it out. SVG, PNG and TikZ are
//! written from the scene, DOT and forest from the tree itself; [`listing`] writes long lists of
//! numbers. This crate does not know pages or arguments.

pub mod board;
mod boxes;
mod cards;
mod cells;
pub mod dot;
mod graph;
pub mod heatmap;
mod layout;
pub mod listing;
pub mod move_highlight;
pub mod period_table;
#[cfg(feature = "png")]
pub mod png;
pub mod repetition;
pub mod route;
pub mod scene;
mod sheets;
pub mod svg;
pub mod tikz;
pub mod tree;
pub mod typeface;

/// What all pages have in common: colours by their names, letters, tables.
pub const STYLE: &str = include_str!("../assets/base.css");

pub use heatmap::Heatmap;
pub use period_table::PeriodTable;
pub use tree::Tree;

use bouton_core::Board;
use scene::Scene;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// One position: its name and its board.
    Board(String, Board),
    /// A winning strategy.
    Tree(Tree),
    /// A table over two numbers.
    Heatmap(Heatmap),
    /// A sequence, in lines as long as its period.
    PeriodTable(PeriodTable),
}

/// An error of a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The picture is larger than the format allows.
    #[error("too large to draw: {0}")]
    TooLarge(String),
    /// The format has no pictures of this kind.
    #[error("{0} cannot hold {1}")]
    Format(&'static str, &'static str),
    /// The renderer failed.
    #[error("rendering failed: {0}")]
    Render(String),
}

impl Picture {
    /// Lays out the picture.
    pub fn scene(&self) -> Scene {
        match self {
            Picture::Board(title, board) => board::scene(title, board),
            Picture::Tree(tree) => layout::scene(tree),
            Picture::Heatmap(heatmap) => heatmap.scene(),
            Picture::PeriodTable(period_table) => period_table.scene(),
        }
    }

    /// Returns the picture as SVG, with title and description.
    pub fn svg(&self) -> String {
        svg::write(&self.scene())
    }

    /// Returns the picture as PNG, with `scale` pixels for each one of the SVG.
    ///
    /// # Errors
    /// Fails if the picture has more than [`png::MAX_PIXELS`] pixels.
    #[cfg(feature = "png")]
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, DrawError> {
        png::write(&self.scene(), scale)
    }

    /// Returns the picture as LaTeX: trees for the package forest, others for TikZ.
    ///
    /// # Errors
    /// Fails if the picture has too many cells.
    pub fn tikz(&self) -> Result<String, DrawError> {
        match self {
            Picture::Tree(tree) => Ok(tikz::forest(tree)),
            other => tikz::write(&other.scene()),
        }
    }

    /// Returns the picture as a graph for Graphviz.
    ///
    /// # Errors
    /// Fails unless the picture is a tree.
    pub fn dot(&self) -> Result<String, DrawError> {
        match self {
            Picture::Tree(tree) => Ok(dot::write(tree)),
            Picture::Board(..) => Err(DrawError::Format("DOT", "a board")),
            Picture::Heatmap(_) => Err(DrawError::Format("DOT", "a table")),
            Picture::PeriodTable(_) => Err(DrawError::Format("DOT", "a ruler")),
        }
    }
}
