//! Decisions of formulas, as `bouton logic --json` prints them.

use super::{OrNull, Reason, Seconds};
use bouton_prover::{FormulaDecision, NamedValue, Tuples, Undecided};
use serde::{Serialize, Serializer};

/// The number of tuples listed for a relation.
const MAX_LISTED: usize = 8;

/// A formula decided.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "logic")]
pub struct Decided<'a> {
    /// The formula.
    pub formula: &'a str,
    /// The time taken.
    pub seconds: Seconds,
    /// Whether it is true, or an automaton stands for it.
    pub verdict: Truth,
    /// A witness or a counterexample; null if there is no quantifier to show one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<OrNull<NamedNumbers<'a>>>,
    /// The free variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<&'a [String]>,
    /// The states of the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// The first tuples of which it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<Vec<u64>>>,
    /// Why it is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// With --count: the greatest number in the tuples that are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<u64>,
    /// With --count: how many tuples there are, in decimal digits; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<OrNull<String>>,
}

/// What a formula is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Truth {
    /// A true sentence.
    True,
    /// A false sentence.
    False,
    /// No sentence: it has free variables.
    Open,
    /// Not decided.
    Unknown,
}

/// Numbers by the names of variables; null for a number beyond 64 bits.
#[derive(Debug)]
pub struct NamedNumbers<'a>(&'a [NamedValue]);

impl Serialize for NamedNumbers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Of two variables of one name the inner one counts.
        let number = |own: &NamedValue| own.value.as_ref().ok().copied().into();
        let numbers = self.0.iter().map(|own| (own.name.clone(), number(own)));
        numbers.collect::<serde_json::Map<_, _>>().serialize(to)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for NamedNumbers<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "named_numbers".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <std::collections::BTreeMap<String, Option<u64>>>::json_schema(generator)
    }
}

/// Returns the decision on a formula.
pub fn decision<'a>(
    formula: &'a str,
    decision: &'a Result<FormulaDecision, Undecided>,
    seconds: f64,
) -> Decided<'a> {
    let mut report = Decided {
        formula,
        seconds: Seconds(seconds),
        verdict: Truth::Unknown,
        values: None,
        variables: None,
        states: None,
        examples: None,
        reason: None,
        most: None,
        count: None,
    };
    match decision {
        Ok(FormulaDecision::True(values) | FormulaDecision::False(values)) => {
            let is_true = matches!(decision, Ok(FormulaDecision::True(_)));
            report.verdict = if is_true { Truth::True } else { Truth::False };
            report.values = Some(OrNull(values.as_deref().map(NamedNumbers)));
        }
        Ok(FormulaDecision::Open(tuples)) => {
            report.verdict = Truth::Open;
            report.variables = Some(&tuples.names);
            report.states = Some(tuples.states());
            report.examples = Some(examples(tuples));
        }
        Err(error) => report.reason = Some(Reason::new(error)),
    }
    report
}

/// Returns the first tuples of which a formula holds, by their greatest number.
pub fn examples(of: &Tuples) -> Vec<Vec<u64>> {
    let count = of.names.len();
    let mut tuples = Vec::new();
    let mut looked: u64 = 0;
    for most in 0..=64u64 {
        let mut tuple = vec![0; count];
        loop {
            looked += 1;
            if looked > 200_000 || tuples.len() == MAX_LISTED {
                return tuples;
            }
            if tuple.contains(&most) && of.holds(&tuple) {
                tuples.push(tuple.clone());
            }
            let Some(place) = (0..count).rev().find(|&i| tuple[i] < most) else { break };
            tuple[place] += 1;
            tuple[place + 1..].fill(0);
        }
    }
    tuples
}
