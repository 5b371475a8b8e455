//! The families of games, one file each.
