//! Ordinary questions against the program that answers them straightforwardly, in C++:
//! `cargo xtask compare --ordinary`.

use super::{CostPair, ROUNDS, ask, drawn, program, table};
use crate::{figures, machine};
use std::path::Path;
use std::process::Command;

/// The heading of the section.
const HEADING: &str = "## Ordinary questions";

/// All answers of the other side.
const PROGRAM: &str = include_str!("ordinary.cpp");

/// The rules of the game of three heaps, as a file.
const SAME_NUMBER: &str = r#"name = "same-number"
heaps = 3
symmetry = "full"
move = """(q1 = p1 & q2 = p2) | (q0 = p0 & q2 = p2) | (q0 = p0 & q1 = p1) | (q2 = p2 & p0+q1 = p1+q0)
 | (q1 = p1 & p0+q2 = p2+q0) | (q0 = p0 & p1+q2 = p2+q1) | (p0+q1 = p1+q0 & p0+q2 = p2+q0)"""
"#;

/// Questions: in words, to Bouton, to the other program.
const QUESTIONS: [[&str; 3]; 13] = [
    ["S(1,3,4) to 10^6", "values S(1,3,4) --to 1000000 --b-file", "subtraction 1000000 1 3 4"],
    [
        "S(2,3,7,11,19) to 10^6",
        "values S(2,3,7,11,19) --to 1000000 --b-file",
        "subtraction 1000000 2 3 7 11 19",
    ],
    ["nim, values to 10^6", "values nim --to 1000000 --b-file", "nim 1000000"],
    ["4.[3] to 50000", "values 4.[3] --to 50000 --b-file", "splits 50000"],
    ["Wythoff's game to 400", "positions wythoff --max 400", "wythoff 400"],
    ["Wythoff's game to 1000", "positions wythoff --max 1000", "wythoff 1000"],
    ["Wythoff's game to 20000", "positions wythoff --max 20000", "wythoff 20000"],
    ["Wythoff's game, values to 100", "positions wythoff --max 100 --values", "wythoff-values 100"],
    [
        "Wythoff's game, values to 1000",
        "positions wythoff --max 1000 --values",
        "wythoff-values 1000",
    ],
    [
        "the same number from any of three heaps, to 100",
        "positions same-number --max 100",
        "same-number 100",
    ],
    ["… to 300", "positions same-number --max 300", "same-number 300"],
    ["… to 600", "positions same-number --max 600", "same-number 600"],
    ["… to 1000", "positions same-number --max 1000", "same-number 1000"],
];

/// The heading of the section on drawn questions.
const DRAWN_HEADING: &str = "## Drawn questions";

/// Compiles the program of a name in C++.
pub fn compile(folder: &Path, name: &str) -> Result<(), String> {
    let source = folder.join(format!("{name}.cpp"));
    let built =
        Command::new("g++").arg("-O2").arg(source).arg("-o").arg(folder.join(name)).status();
    match built {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{name}.cpp is compiled with g++, which failed or is not installed")),
    }
}

/// Reads which drawn questions are put alone: `--drawn N` for the first N, `--only A,B,…` for some,
/// and `--seed S` for those of another seed. `None` without arguments.
fn drawn_alone(arguments: &[String]) -> Result<Option<drawn::Selection>, String> {
    let mut selection = drawn::Selection::default();
    for pair in arguments.chunks(2) {
        let refused =
            || Err(format!("`{}`: accepted are --drawn N, --only A,B,…, --seed S", pair.join(" ")));
        let [option, value] = pair else { return refused() };
        let number = value.parse::<usize>().ok();
        match (option.as_str(), number) {
            ("--drawn", Some(count @ 1..=drawn::QUESTIONS)) => {
                selection.numbers = (0..count).collect()
            }
            ("--drawn", _) => {
                return Err(format!("--drawn {value}: accepted are 1 to {}", drawn::QUESTIONS));
            }
            ("--seed", Some(seed)) => selection.seed = seed as u64,
            ("--only", _) => {
                let numbers = value.split(',').map(|number| {
                    number.parse().ok().filter(|number: &usize| *number < drawn::QUESTIONS)
                });
                match numbers.collect::<Option<Vec<usize>>>() {
                    Some(numbers) => selection.numbers = numbers,
                    None => {
                        return Err(format!(
                            "--only {value}: accepted are numbers below {}",
                            drawn::QUESTIONS
                        ));
                    }
                }
            }
            _ => return refused(),
        }
    }
    Ok((!arguments.is_empty()).then_some(selection))
}

/// Puts all questions, and writes both sections; with arguments, puts some drawn questions only.
pub fn compare(root: &Path, arguments: &[String]) -> Result<(), String> {
    let selection = drawn_alone(arguments)?;
    let bouton = program(root)?;
    let folder = crate::target().join("peers");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    if let Some(selection) = selection {
        println!("{}", drawn::compare(bouton, &folder, &selection)?);
        return Ok(());
    }
    fixed(root, &bouton, &folder)?;
    figures::write(
        root,
        DRAWN_HEADING,
        &drawn::compare(bouton, &folder, &drawn::Selection::default())?,
    )
}

/// Puts the questions of the list, and writes their section.
fn fixed(root: &Path, bouton: &Path, folder: &Path) -> Result<(), String> {
    let at = |name: &str| folder.join(name);
    for (name, text) in [("ordinary.cpp", PROGRAM), ("same-number.toml", SAME_NUMBER)] {
        std::fs::write(at(name), text)
            .map_err(|error| format!("{}: {error}", at(name).display()))?;
    }
    compile(folder, "ordinary")?;
    let before = machine::load();
    let mut pairs: Vec<CostPair> = Vec::new();
    for [question, ours, theirs] in QUESTIONS {
        let mut command = Command::new(bouton);
        command.arg("--rules").arg(at("same-number.toml")).args(ours.split(' '));
        let mut peer = Command::new(at("ordinary"));
        peer.args(theirs.split(' '));
        pairs.push(ask(question, "C++", &command, &peer, |ours, theirs| ours == theirs)?);
    }
    pairs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let slower = pairs.iter().filter(|pair| pair.is_long() && pair.ratio() < 1.0 / 1.5).count();
    let long = pairs.iter().filter(|pair| pair.is_long()).count();
    let body = format!(
        "`cargo xtask compare --ordinary`: whole processes with printing, medians of {ROUNDS} \
         alternating runs, CPU time and peak memory, against a straightforward program in C++ \
         (`xtask/src/compare/ordinary.cpp`, g++ -O2): a loop over options, or marks. Both print \
         the same, byte for byte. The least ratios first; above 1 Bouton is faster. Of the {long} \
         questions in which one of the two takes 0.05 s, {slower} take Bouton more than 1.5 times \
         as long. {}; load {before} before, {} at the end, of which these runs are 1.\n\n{}",
        machine::kind(),
        machine::load(),
        table(&pairs.iter().collect::<Vec<_>>())
    );
    figures::write(root, HEADING, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_questions_are_selected() {
        let read =
            |text: &str| drawn_alone(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(drawn_alone(&[]), Ok(None));
        let some = read("--only 4,22 --seed 7").unwrap().unwrap();
        assert_eq!((some.seed, some.numbers), (7, vec![4, 22]));
        assert_eq!(read("--drawn 3").unwrap().unwrap().numbers, [0, 1, 2]);
        for refused in
            ["--drawn 0", "--drawn 101", "--only 4,100", "--seed x", "--first 3", "--seed"]
        {
            assert!(read(refused).is_err(), "{refused}");
        }
    }
}
