//! Formulas as LaTeX and MathML.

use bouton_core::Surd;
use bouton_formula::{Formula, Node, Relation, Term};

/// The syntax of the output: LaTeX or MathML.
trait MathSyntax {
    fn name(&self, name: &str) -> String;
    fn number(&self, number: &str) -> String;
    fn operator(&self, latex: &str, symbol: &str) -> String;
    fn below(&self, base: String, index: String) -> String;
    fn word(&self, word: &str) -> String;
    fn row(&self, parts: Vec<String>) -> String;
    fn root(&self, of: String) -> String;
}

struct Latex;
struct MathMl;

impl MathSyntax for Latex {
    fn name(&self, name: &str) -> String {
        if name.len() == 1 {
            name.into()
        } else {
            format!("\\mathit{{{}}}", name.replace('_', "\\_"))
        }
    }
    fn number(&self, number: &str) -> String {
        number.into()
    }
    fn operator(&self, latex: &str, _: &str) -> String {
        latex.into()
    }
    fn below(&self, base: String, index: String) -> String {
        format!("{base}_{{{index}}}")
    }
    fn word(&self, word: &str) -> String {
        match word {
            "min" | "max" => format!("\\{word}"),
            "mod" => "\\bmod".into(),
            _ => format!("\\operatorname{{{word}}}"),
        }
    }
    fn row(&self, parts: Vec<String>) -> String {
        parts.join(" ")
    }
    fn root(&self, of: String) -> String {
        format!("\\sqrt{{{of}}}")
    }
}

impl MathSyntax for MathMl {
    fn name(&self, name: &str) -> String {
        format!("<mi>{name}</mi>")
    }
    fn number(&self, number: &str) -> String {
        format!("<mn>{number}</mn>")
    }
    fn operator(&self, _: &str, symbol: &str) -> String {
        format!("<mo>{symbol}</mo>")
    }
    fn below(&self, base: String, index: String) -> String {
        format!("<msub>{base}{index}</msub>")
    }
    fn word(&self, word: &str) -> String {
        format!("<mo>{word}</mo>")
    }
    fn row(&self, parts: Vec<String>) -> String {
        format!("<mrow>{}</mrow>", parts.concat())
    }
    fn root(&self, of: String) -> String {
        format!("<msqrt>{of}</msqrt>")
    }
}

/// Returns the formula as LaTeX, for math mode.
pub fn latex(formula: &Formula) -> String {
    Typesetter { names: &formula.names, script: &Latex }.node(&formula.root, 0)
}

/// Returns the formula as a MathML element.
pub fn mathml(formula: &Formula) -> String {
    format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{}</math>",
        Typesetter { names: &formula.names, script: &MathMl }.node(&formula.root, 0)
    )
}

struct Typesetter<'f> {
    names: &'f [String],
    script: &'f dyn MathSyntax,
}

impl Typesetter<'_> {
    /// Joins parts by an operator, in parentheses if the context binds more tightly.
    fn chain(&self, parts: Vec<String>, latex: &str, symbol: &str, wrap: bool) -> String {
        let mut row = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            if i > 0 {
                row.push(self.script.operator(latex, symbol));
            }
            row.push(part);
        }
        self.wrapped(row, wrap)
    }

    fn wrapped(&self, mut row: Vec<String>, wrap: bool) -> String {
        if wrap {
            row.insert(0, self.script.operator("(", "("));
            row.push(self.script.operator(")", ")"));
        }
        self.script.row(row)
    }

    fn node(&self, node: &Node, outer: u8) -> String {
        let s = self.script;
        match node {
            Node::Constant(true) => s.operator("\\top", "⊤"),
            Node::Constant(false) => s.operator("\\bot", "⊥"),
            Node::Compare(left, relation, right) => {
                let (latex, symbol) = match relation {
                    Relation::Equal => ("=", "="),
                    Relation::Unequal => ("\\ne", "≠"),
                    Relation::Less => ("<", "&lt;"),
                    Relation::AtMost => ("\\le", "≤"),
                    Relation::Greater => (">", "&gt;"),
                    Relation::AtLeast => ("\\ge", "≥"),
                };
                let row = vec![self.term(left, 0), s.operator(latex, symbol), self.term(right, 0)];
                self.wrapped(row, outer > 2)
            }
            Node::Not(inner) => s.row(vec![s.operator("\\lnot", "¬"), self.node(inner, 3)]),
            Node::And(parts) => {
                let all = parts.iter().map(|part| self.node(part, 2)).collect();
                self.chain(all, "\\land", "∧", outer > 2)
            }
            Node::Or(parts) => {
                let all = parts.iter().map(|part| self.node(part, 1)).collect();
                self.chain(all, "\\lor", "∨", outer > 1)
            }
            Node::Implies(left, right) => self.chain(
                vec![self.node(left, 1), self.node(right, 1)],
                "\\Rightarrow",
                "⇒",
                outer > 0,
            ),
            Node::Iff(left, right) => self.chain(
                vec![self.node(left, 1), self.node(right, 1)],
                "\\Leftrightarrow",
                "⇔",
                outer > 0,
            ),
            Node::Exists(variables, body) => {
                self.quantifier("\\exists", "∃", variables, body, outer)
            }
            Node::Forall(variables, body) => {
                self.quantifier("\\forall", "∀", variables, body, outer)
            }
        }
    }

    fn quantifier(
        &self,
        latex: &str,
        symbol: &str,
        variables: &[usize],
        body: &Node,
        outer: u8,
    ) -> String {
        let s = self.script;
        let names = variables.iter().map(|v| s.name(&self.names[*v])).collect();
        let row = vec![
            s.operator(latex, symbol),
            self.chain(names, ",", ",", false),
            s.operator(":", ":"),
            self.node(body, 0),
        ];
        self.wrapped(row, outer > 0)
    }

    /// Writes a term; `outer` is 1 in a sum, 2 under a digit sum, 3 in a product.
    fn term(&self, term: &Term, outer: u8) -> String {
        let s = self.script;
        match term {
            Term::Number(value) => s.number(&value.to_string()),
            Term::Variable(v) => s.name(&self.names[*v]),
            Term::Sum(parts) => {
                let mut row = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    match part {
                        Term::Multiple(-1, inner) => {
                            row.extend([s.operator("-", "−"), self.term(inner, 2)]);
                        }
                        _ => {
                            if i > 0 {
                                row.push(s.operator("+", "+"));
                            }
                            row.push(self.term(part, 1));
                        }
                    }
                }
                self.wrapped(row, outer > 1)
            }
            Term::Multiple(k, inner) => s.row(vec![s.number(&k.to_string()), self.term(inner, 3)]),
            Term::DigitSum(modulus, parts) => {
                let mut row = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        let plus = s.operator("\\oplus", "⊕");
                        row.push(match modulus {
                            2 => plus,
                            m => s.below(plus, s.number(&m.to_string())),
                        });
                    }
                    row.push(self.term(part, 2));
                }
                self.wrapped(row, outer > 0)
            }
            Term::Min(parts) => self.call("min", parts),
            Term::Max(parts) => self.call("max", parts),
            Term::Quotient(inner, by) => {
                let row = vec![
                    s.operator("\\lfloor", "⌊"),
                    self.term(inner, 3),
                    s.operator("/", "/"),
                    s.number(&by.to_string()),
                    s.operator("\\rfloor", "⌋"),
                ];
                s.row(row)
            }
            Term::Remainder(inner, by) => {
                let row = vec![self.term(inner, 3), s.word("mod"), s.number(&by.to_string())];
                self.wrapped(row, outer > 0)
            }
            Term::Shift(inner) => self.call("shift", std::slice::from_ref(inner)),
            Term::Arithmetic(word, parts) => self.call(word.name(), parts),
            Term::Floor(slope, inner) => {
                let row = vec![
                    s.operator("\\lfloor", "⌊"),
                    match slope.surd() {
                        Some(surd) => self.surd(surd),
                        None => s.number(&slope.to_string()),
                    },
                    s.operator("\\cdot", "·"),
                    self.term(inner, 3),
                    s.operator("\\rfloor", "⌋"),
                ];
                s.row(row)
            }
        }
    }

    /// Returns (b + r√d)/c.
    fn surd(&self, Surd { whole, times, root, by }: Surd) -> String {
        let s = self.script;
        let number = |n: i64| s.number(&n.to_string());
        let mut row = Vec::new();
        if whole != 0 {
            row.push(number(whole));
            row.push(s.operator("+", "+"));
        }
        if times != 1 {
            row.push(number(times));
        }
        row.push(s.root(number(root)));
        let row = self.wrapped(row, whole != 0);
        if by == 1 { row } else { s.row(vec![row, s.operator("/", "/"), number(by)]) }
    }

    fn call(&self, word: &str, parts: &[Term]) -> String {
        let s = self.script;
        let parts = parts.iter().map(|part| self.term(part, 0)).collect();
        s.row(vec![
            s.word(word),
            s.operator("(", "("),
            self.chain(parts, ",", ",", false),
            s.operator(")", ")"),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_formula::Claim;

    #[test]
    fn formulas_are_set() {
        let claim =
            Claim::parse("a+b = d & (e = min(b, c+1) | ~(a mod 2 = 0)) & a xor c = 0", 5).unwrap();
        assert_eq!(
            latex(claim.formula()),
            "a + b = d \\land ( e = \\min ( b , c + 1 ) \\lor \\lnot ( a \\bmod 2 = 0 ) ) \\land \
             a \\oplus c = 0"
        );
        let set = mathml(claim.formula());
        for (open, close) in
            [("<mrow>", "</mrow>"), ("<mi>", "</mi>"), ("<mo>", "</mo>"), ("<mn>", "</mn>")]
        {
            assert_eq!(set.matches(open).count(), set.matches(close).count());
        }
    }
}
