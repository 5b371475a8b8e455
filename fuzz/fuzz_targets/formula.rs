//! Any text is a formula that reads back as it is printed, or an error that points into the text.
#![no_main]

use bouton_logic::Formula;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Formula::parse(text) {
        Ok(formula) => {
            let printed = formula.to_string();
            let again = Formula::parse(&printed).expect("what is printed reads back");
            assert_eq!(again.to_string(), printed);
        }
        Err(error) => assert!(text.get(error.range).is_some(), "the place lies in the text"),
    }
});
