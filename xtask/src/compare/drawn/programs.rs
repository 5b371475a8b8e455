//! The plain programs for a question, in C++ and in Python: loops over the options with a table.

use super::question::{Ask, Options, Question, Symmetry};
use std::fmt::Write as _;

/// What all programs in C++ have in common.
const CPP_HEAD: &str = "#include <algorithm>\n#include <cstdio>\n#include <cstdlib>\n#include \
    <vector>\n\
    using std::max; using std::min; using std::vector;\n\
    static bool least(const vector<int> &p) {\n  int n = p.size();\n  for (int k = 0; k < n; k++) \
    {\n    vector<int> ahead, back;\n    for (int i = 0; i < n; i++) {\n      \
    ahead.push_back(p[(k + i) % n]);\n      back.push_back(p[(k + n - i) % n]);\n    }\n    if \
    (ahead < p || back < p) return false;\n  }\n  return true;\n}\n";

/// What all scripts in Python have in common.
const PYTHON_HEAD: &str = "import sys\ndef mex(seen):\n    v = 0\n    while v in seen: v += \
    1\n    return v\n\
    def least(p):\n    turned = [p[k:] + p[:k] for k in range(len(p))]\n    \
    return all(p <= q and p <= q[::-1] for q in turned)\n";

/// Lines of code with their depth.
#[derive(Default)]
struct Code {
    text: String,
    depth: usize,
}

impl Code {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:depth$}{text}", "", depth = 2 * self.depth);
    }

    /// Writes a line that begins a block.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    /// Ends so many blocks of C++.
    fn close(&mut self, blocks: usize) {
        for _ in 0..blocks {
            self.depth -= 1;
            self.line("}");
        }
    }
}

/// Returns the names of the numbers of a position.
fn names(question: &Question) -> Vec<String> {
    (0..question.sides.len()).map(|i| format!("p{i}")).collect()
}

/// Returns the place of a position in the table, the last number counting ones.
fn place(numbers: &[String]) -> String {
    (0..).zip(numbers).fold(String::new(), |all, (i, number)| match i {
        0 => format!("size_t({number})"),
        _ => format!("({all}*(m{i}+1)+({number}))"),
    })
}

/// Returns the program in C++ that answers question N with size M when called with these numbers.
pub fn in_cpp(questions: &[Question]) -> String {
    let mut code = Code { text: CPP_HEAD.into(), depth: 0 };
    for (number, question) in questions.iter().enumerate() {
        code.open(&format!("static void q{number}(int M) {{"));
        cpp_answer(&mut code, question);
        code.close(1);
    }
    code.open("int main(int, char **words) {");
    code.open("switch (atoi(words[1])) {");
    (0..questions.len())
        .for_each(|number| code.line(&format!("case {number}: q{number}(atoi(words[2])); break;")));
    code.close(2);
    code.text
}

/// Writes the loops over the options of one kind, and what is done with each.
fn cpp_options(code: &mut Code, options: &Options, body: &str) {
    for [name, first, last] in &options.loops {
        code.open(&format!("for (int {name} = {first}; {name} <= {last}; {name}++) {{"));
    }
    match options.guard.is_empty() {
        true => code.line(body),
        false => code.line(&format!("if ({}) {{ {body} }}", options.guard)),
    }
    code.close(options.loops.len());
}

/// Returns what of C++ must hold of the positions that are listed.
fn cpp_listed(question: &Question, names: &[String]) -> String {
    let within = names.iter().zip(&question.sides).filter(|(_, side)| *side != "M");
    let mut all: Vec<String> = within.map(|(name, _)| format!("{name} <= M")).collect();
    match question.symmetry {
        Symmetry::None => {}
        Symmetry::Full => {
            all.extend(names.windows(2).map(|pair| format!("{} <= {}", pair[0], pair[1])))
        }
        Symmetry::Ring => all.push(format!("least({{{}}})", names.join(", "))),
    }
    if all.is_empty() { "true".into() } else { all.join(" && ") }
}

fn cpp_answer(code: &mut Code, question: &Question) {
    let names = names(question);
    for (i, side) in question.sides.iter().enumerate() {
        code.line(&format!("int m{i} = {side};"));
    }
    let cells = (0..names.len()).map(|i| format!("size_t(m{i}+1)")).collect::<Vec<_>>().join("*");
    let kind = if is_by_values(question.ask) { "int" } else { "char" };
    code.line(&format!("vector<{kind}> table({cells});"));
    if is_by_values(question.ask) {
        code.line("vector<int> seen(64, -1); int stamp = 0;");
    }
    for (i, name) in names.iter().enumerate() {
        code.open(&format!("for (int {name} = 0; {name} <= m{i}; {name}++) {{"));
    }
    code.line(&format!("auto &here = table[{}];", place(&names)));
    let format = vec!["%d"; names.len()].join(",");
    let numbers = names.join(", ");
    let listed = cpp_listed(question, &names);
    if is_by_values(question.ask) {
        let values = |options: &Options| match question.ask {
            Ask::Sequence => options
                .becomes
                .iter()
                .map(|heap| format!("table[{heap}]"))
                .collect::<Vec<_>>()
                .join(" ^ "),
            _ => format!("table[{}]", place(&options.becomes)),
        };
        for options in &question.options {
            let value = values(options);
            let body = format!(
                "size_t v = {value}; if (v >= seen.size()) seen.resize(2*v, -1); seen[v] = stamp;"
            );
            cpp_options(code, options, &body);
        }
        code.line("while (size_t(here) < seen.size() && seen[here] == stamp) here++;");
        code.line("stamp++;");
        let space = if question.ask == Ask::Sequence { " " } else { " *" };
        code.line(&format!("if ({listed}) printf(\"{format}{space}%d\\n\", {numbers}, here);"));
    } else if let Some(steps) = sieve(question) {
        code.line("if (here) continue;");
        code.line(&format!("if ({listed}) printf(\"{format}\\n\", {numbers});"));
        for (taken, most) in steps {
            let given = |(i, k): (usize, &u64)| (*k > 0).then(|| format!("p{i}+{k}*t <= m{i}"));
            let mut bounds: Vec<String> = taken.iter().enumerate().filter_map(given).collect();
            bounds.extend(most.map(|most| format!("t <= {most}")));
            let above: Vec<String> =
                taken.iter().enumerate().map(|(i, k)| format!("p{i}+{k}*t")).collect();
            code.line(&format!(
                "for (int t = 1; {}; t++) table[{}] = 1;",
                bounds.join(" && "),
                place(&above)
            ));
        }
    } else {
        code.line("bool moves = false;");
        for options in &question.options {
            let body = format!(
                "moves = true; if (!table[{}]) {{ here = 1; goto done; }}",
                place(&options.becomes)
            );
            cpp_options(code, options, &body);
        }
        let misere = question.ask == Ask::MiserePPositions;
        code.line(if misere { "here = !moves;" } else { "(void)moves;" });
        code.line("done:");
        match question.ask {
            Ask::Outcome => code.line(";"),
            _ => code.line(&format!("if (!here && {listed}) printf(\"{format}\\n\", {numbers});")),
        }
    }
    code.close(names.len());
    if question.ask == Ask::Outcome {
        code.line("puts(table.back() ? \"N\" : \"P\");");
    }
}

fn is_by_values(ask: Ask) -> bool {
    matches!(ask, Ask::Values | Ask::Sequence)
}

/// Returns the directions of all moves, if P-positions can strike out what reaches them.
fn sieve(question: &Question) -> Option<Vec<&(Vec<u64>, Option<u64>)>> {
    let is_plain = matches!(question.ask, Ask::PPositions);
    is_plain.then(|| question.options.iter().map(|one| one.steps.as_ref()).collect())?
}

/// Returns the script in Python that answers question N with size M when called with these numbers.
pub fn in_python(questions: &[Question]) -> String {
    let mut code = Code { text: PYTHON_HEAD.into(), depth: 0 };
    for (number, question) in questions.iter().enumerate() {
        python_answer(&mut code, number, question);
    }
    code.line("globals()['q' + sys.argv[1]](int(sys.argv[2]))");
    code.text
}

/// Returns an expression of C++ as one of Python.
fn python(expression: &str) -> String {
    expression.replace('/', "//").replace("&&", "and").replace("||", "or")
}

fn python_answer(code: &mut Code, number: usize, question: &Question) {
    let names = names(question);
    let numbers = names.join(", ");
    code.open(&format!("def options{number}({numbers}):"));
    for options in &question.options {
        for [name, first, last] in &options.loops {
            code.open(&format!("for {name} in range({}, {} + 1):", python(first), python(last)));
        }
        let yielded = format!(
            "yield ({},)",
            options.becomes.iter().map(|one| python(one)).collect::<Vec<_>>().join(", ")
        );
        match options.guard.is_empty() {
            true => code.line(&yielded),
            false => code.line(&format!("if {}: {yielded}", python(&options.guard))),
        }
        code.depth -= options.loops.len();
    }
    code.depth -= 1;
    code.open(&format!("def q{number}(M):"));
    code.line("table = {}");
    for (name, side) in names.iter().zip(&question.sides) {
        code.open(&format!("for {name} in range({} + 1):", python(side)));
    }
    let within: Vec<String> = names
        .iter()
        .zip(&question.sides)
        .filter(|(_, side)| *side != "M")
        .map(|(name, _)| format!("{name} <= M"))
        .collect();
    let mut listed = if within.is_empty() { "True".into() } else { within.join(" and ") };
    match question.symmetry {
        Symmetry::None => {}
        Symmetry::Full => listed += &format!(" and {}", names.join(" <= ")),
        Symmetry::Ring => listed += &format!(" and least(({numbers},))"),
    }
    let shown = format!("\"{}\"", vec!["%d"; names.len()].join(","));
    match question.ask {
        Ask::Sequence => {
            code.line("seen = set()");
            code.open(&format!("for heaps in options{number}(p0):"));
            code.line("value = 0");
            code.line("for heap in heaps: value ^= table[heap]");
            code.line("seen.add(value)");
            code.depth -= 1;
            code.line("table[p0] = mex(seen)");
            code.line("print(p0, table[p0])");
        }
        Ask::Values => {
            code.line(&format!("value = mex({{table[q] for q in options{number}({numbers})}})"));
            code.line(&format!("table[({numbers},)] = value"));
            code.line(&format!("if {listed}: print({shown} % ({numbers},), '*%d' % value)"));
        }
        Ask::MiserePPositions => {
            code.line(&format!("options = list(options{number}({numbers}))"));
            code.line("wins = not options or not all(table[q] for q in options)");
            code.line(&format!("table[({numbers},)] = wins"));
            code.line(&format!("if not wins and {listed}: print({shown} % ({numbers},))"));
        }
        Ask::PPositions | Ask::Outcome => {
            code.line(&format!("wins = not all(table[q] for q in options{number}({numbers}))"));
            code.line(&format!("table[({numbers},)] = wins"));
            if question.ask == Ask::PPositions {
                code.line(&format!("if not wins and {listed}: print({shown} % ({numbers},))"));
            }
        }
    }
    code.depth -= names.len();
    if question.ask == Ask::Outcome {
        code.line("print('N' if wins else 'P')");
    }
    code.depth -= 1;
}
