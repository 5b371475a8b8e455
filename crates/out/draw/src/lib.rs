//! Pictures: boards, strategy trees, tables and period rulers, and their writers.
//!
//! A [`Picture`] says what is shown; [`Picture::scene`] lays it out; SVG, PNG and TikZ are written from the scene, DOT and
//! forest from the tree itself.

pub mod board;
mod boxes;
mod cells;
pub mod dot;
mod layout;
#[cfg(feature = "png")]
pub mod png;
pub mod repeats;
pub mod route;
pub mod ruler;
pub mod scene;
pub mod sheet;
pub mod svg;
pub mod tikz;
pub mod touched;
pub mod tree;

pub use ruler::Ruler;
pub use sheet::Sheet;
pub use tree::Tree;

use bouton_core::Board;
use scene::Scene;

/// What can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// One position: its name and its board.
    Board(String, Board),
    /// A winning strategy.
    Tree(Tree),
    /// A table over two numbers.
    Sheet(Sheet),
    /// A sequence, in lines as long as its period.
    Ruler(Ruler),
}

/// Why a picture could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// More than a writer takes.
    #[error("too large to draw: {0}")]
    TooLarge(String),
    /// A kind of picture that a format doesn't know.
    #[error("{0} cannot hold {1}")]
    Format(&'static str, &'static str),
    /// The renderer failed.
    #[error("rendering failed: {0}")]
    Render(String),
}

impl Picture {
    /// Laid out.
    pub fn scene(&self) -> Scene {
        match self {
            Picture::Board(title, board) => board::scene(title, board),
            Picture::Tree(tree) => layout::scene(tree),
            Picture::Sheet(sheet) => sheet.scene(),
            Picture::Ruler(ruler) => ruler.scene(),
        }
    }

    /// As SVG, with title and description.
    pub fn svg(&self) -> String {
        svg::write(&self.scene())
    }

    /// As PNG, `scale` pixels for one of the SVG's.
    #[cfg(feature = "png")]
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, DrawError> {
        png::write(&self.scene(), scale)
    }

    /// As LaTeX: trees for the package forest, all else for TikZ.
    pub fn tikz(&self) -> Result<String, DrawError> {
        match self {
            Picture::Tree(tree) => Ok(tikz::forest(tree)),
            other => tikz::write(&other.scene()),
        }
    }

    /// As a graph for Graphviz; trees only.
    pub fn dot(&self) -> Result<String, DrawError> {
        match self {
            Picture::Tree(tree) => Ok(dot::write(tree)),
            Picture::Board(..) => Err(DrawError::Format("DOT", "a board")),
            Picture::Sheet(_) => Err(DrawError::Format("DOT", "a table")),
            Picture::Ruler(_) => Err(DrawError::Format("DOT", "a ruler")),
        }
    }
}
