//! Any text is a formula that reads back as it is printed, or an error that points into the text.
#![no_main]

use bouton_core::Formula;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Formula::parse(text) {
        Ok(formula) => {
            let printed = formula.to_string();
            match Formula::parse(&printed) {
                Ok(again) => assert_eq!(again.to_string(), printed),
                // Parentheses that are printed count as levels, too.
                Err(error) => assert_eq!(error.message, "nested too deeply",
                    "what is printed reads back"),
            }
        }
        Err(error) => assert!(text.get(error.range).is_some(), "the place lies in the text"),
    }
});
