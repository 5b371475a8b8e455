//! Commands and file formats that this build leaves out: each says how to get a program that has
//! them.

use crate::fault::Fault;

/// Returns the error of a command or format that needs the feature `feature`.
#[cfg_attr(feature = "full", allow(dead_code, reason = "a full build leaves nothing out"))]
pub(super) fn left_out(what: &str, feature: &str) -> Fault {
    Fault::Usage(format!(
        "{what} is not part of this build of bouton; get it with: \
         cargo install --profile installed --path crates/faces/cli --features {feature} \
         (or --features full)"
    ))
}

/// Defines modules of commands that take any arguments and only name the feature that has them.
macro_rules! missing {
    ($($feature:literal, $module:ident: $($command:ident, $name:literal, $about:literal;)+)+) => {
        $(
        #[cfg(not(feature = $feature))]
        pub mod $module {
            $(
                #[doc = $about]
                #[derive(Debug, clap::Args)]
                pub struct $command {
                    /// Not read by this build
                    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
                    arguments: Vec<String>,
                }

                impl $command {
                    /// Returns an error that names the feature.
                    pub fn run(self, _: &crate::context::Context) -> Result<crate::Status,
                        crate::fault::Fault> {
                        drop(self.arguments);
                        Err(super::left_out(concat!("`bouton ", $name, "`"), $feature))
                    }
                }
            )+
        }
    )+ };
}

missing! {
    "atlas", atlas:
        AtlasOf, "atlas", "Study every game of a plan [needs the feature atlas]";
    "database", query:
        Query, "query", "List the results in a database that satisfy a condition [needs the \
            feature database]";
        Export, "export", "Write the results in a database as text or Parquet [needs the feature \
            database]";
    "database", sweep:
        Sweep, "sweep", "Solve a family of Kotzig's Nim into a database [needs the feature \
            database]";
    "serve", serve:
        Serve, "serve", "Serve the page and the JSON API [needs the feature serve]";
    "shell", completions:
        Completions, "completions", "Print a completion script for a shell [needs the feature \
            shell]";
    "shell", man:
        Man, "man", "Print the manual page [needs the feature shell]";
}

/// Returns a certificate as a theorem for Coq, or why there is none.
#[cfg(feature = "coq")]
pub(super) fn coq_theorem(certificate: &str) -> Result<String, String> {
    bouton_coq::export(certificate).map_err(|why| why.to_string())
}

/// Returns why there is no theorem for Coq.
#[cfg(not(feature = "coq"))]
pub(super) fn coq_theorem(_: &str) -> Result<String, String> {
    Err(left_out("the export to Coq", "coq").to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_that_brings_a_feature_is_named() {
        let error = super::left_out("`bouton serve`", "serve").to_string();
        assert!(error.contains("--features serve"), "{error}");
    }
}
