//! Questions drawn by a seed, each stated once: the rules as Bouton reads them, and the loops over
//! options from which the plain programs are written.

use super::super::random;

/// The seed of the questions that the section has.
pub const SEED: u64 = 48;

/// What is asked of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The P-positions of a box, one of each class.
    PPositions,
    MiserePPositions,
    /// The nim-values of a box.
    Values,
    /// The nim-values of single heaps.
    Sequence,
    /// Who wins from one position.
    Outcome,
}

/// Which heaps may change places: one position of each class is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    None,
    Full,
    /// Those of a circle.
    Ring,
}

/// Options of one kind: loops, a condition, and what the numbers become. Expressions are those of
/// C++ on integers; p0, p1, … are the numbers before the move, M is the size of the question.
#[derive(Debug, Clone)]
pub struct Options {
    /// The words of the rule file.
    pub rule: String,
    /// Variables with their first and last values.
    pub loops: Vec<[String; 3]>,
    pub guard: String,
    /// The numbers afterwards; of a single heap, the heaps that it becomes.
    pub becomes: Vec<String>,
    /// What one step takes of each heap, and the most steps, if moves are steps in one direction.
    pub steps: Option<(Vec<u64>, Option<u64>)>,
}

/// A question with the description of its game.
#[derive(Debug, Clone)]
pub struct Question {
    pub family: &'static str,
    /// The game as the report shows it.
    pub shown: String,
    /// The text of the rule file, if there is one.
    pub file: Option<String>,
    /// The name by which Bouton knows the game.
    pub game: String,
    pub ask: Ask,
    pub symmetry: Symmetry,
    /// The greatest value of each number.
    pub sides: Vec<String>,
    pub options: Vec<Options>,
}

impl Options {
    fn new(rule: &str, loops: &[[&str; 3]], guard: &str, becomes: &[&str]) -> Options {
        Options {
            rule: rule.into(),
            loops: loops.iter().map(|one| one.map(str::to_owned)).collect(),
            guard: guard.into(),
            becomes: becomes.iter().map(|&one| one.to_owned()).collect(),
            steps: None,
        }
    }

    /// Takes any number of steps, or at most `most` of them.
    fn steps(taken: &[u64], most: Option<u64>) -> Options {
        let first = (0..taken.len()).find(|i| taken[*i] > 0).unwrap_or(0);
        let lead = taken[first];
        let relation = |(i, &k): (usize, &u64)| match k {
            0 => format!("q{i} = p{i}"),
            _ if most == Some(1) => format!("q{i}+{k} = p{i}"),
            _ if i == first => match most {
                None => format!("q{i} < p{i}"),
                Some(most) => format!("q{i} < p{i} & p{i} <= q{i}+{}", k * most),
            },
            _ if k == lead => format!("p{first}+q{i} = p{i}+q{first}"),
            _ => format!("{k}*p{first}+{lead}*q{i} = {lead}*p{i}+{k}*q{first}"),
        };
        let rule: Vec<String> = taken.iter().enumerate().map(relation).collect();
        let bounds =
            (0..taken.len()).filter(|i| taken[*i] > 0).map(|i| format!("p{i}/{}", taken[i]));
        let bounds = bounds.chain(most.map(|most| most.to_string()));
        let last = bounds.reduce(|all, one| format!("min({all}, {one})")).unwrap_or_default();
        Options {
            rule: rule.join(" & "),
            loops: vec![["t".into(), "1".into(), last]],
            guard: String::new(),
            becomes: (0..taken.len()).map(|i| format!("p{i}-{}*t", taken[i])).collect(),
            steps: Some((taken.to_vec(), most)),
        }
    }

    /// Takes t tokens from one heap, if the condition holds; `rule` speaks of this heap.
    fn from_heap(heaps: usize, heap: usize, rule: &str, last: &str, guard: &str) -> Options {
        let others = (0..heaps).filter(|i| *i != heap).map(|i| format!("q{i} = p{i} & "));
        let becomes: Vec<String> = (0..heaps)
            .map(|i| if i == heap { format!("p{i}-t") } else { format!("p{i}") })
            .collect();
        Options {
            rule: others.collect::<String>() + rule,
            loops: vec![["t".into(), "1".into(), last.into()]],
            guard: guard.into(),
            becomes,
            steps: None,
        }
    }
}

/// A generator of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        random(&mut self.0, bound)
    }

    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    fn is_lucky(&mut self) -> bool {
        self.below(2) == 0
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Returns the first `count` questions that a seed draws.
pub fn drawn(seed: u64, count: usize) -> Vec<Question> {
    let families: [fn(&mut Draw, &str) -> Question; 8] =
        [lines, steps, shares, bounded, single, memory, splits, code];
    let mut draw = Draw(seed);
    let mut classics = classics().into_iter().cycle();
    let question = |number: usize| match families.get(number % 10) {
        Some(family) => family(&mut draw, &format!("drawn-{number}")),
        None => classics.next().expect("the list is not empty"),
    };
    (0..count).map(question).collect()
}

/// Returns the question about the game of a file that is written here.
fn of_file(
    family: &'static str,
    name: &str,
    [heaps, remembered]: [usize; 2],
    symmetric: bool,
    ask: Ask,
    options: Vec<Options>,
) -> Question {
    let rules: Vec<&str> = options.iter().map(|one| one.rule.as_str()).collect();
    let mut file = format!("name = \"{name}\"\nheaps = {heaps}\n");
    if remembered > 0 {
        file += &format!("memory = {remembered}\n");
    }
    if symmetric {
        file += "symmetry = \"full\"\n";
    }
    file += &format!("move = \"{}\"\n", rules.join(" | "));
    Question {
        family,
        shown: rules.join(" | "),
        file: Some(file),
        game: name.into(),
        ask,
        symmetry: if symmetric { Symmetry::Full } else { Symmetry::None },
        sides: vec!["M".into(); heaps + remembered],
        options,
    }
}

/// Returns all different orders of some numbers.
fn orders(numbers: &[u64]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for number in numbers {
        let with = |order: Vec<u64>| {
            (0..=order.len()).map(move |at| [&order[..at], &[*number], &order[at..]].concat())
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Draws steps of a box: some numbers up to `most`, not all 0, without a common factor.
fn step(draw: &mut Draw, heaps: usize, most: u64) -> Vec<u64> {
    loop {
        let taken: Vec<u64> = (0..heaps).map(|_| draw.between(0, most)).collect();
        let has_one = taken.contains(&1);
        if has_one && taken.iter().filter(|taken| **taken > 0).count() > 1 {
            return taken;
        }
    }
}

/// Draws a game: any number from a heap, and any number of steps in drawn directions.
fn lines(draw: &mut Draw, name: &str) -> Question {
    let heaps = draw.one(&[2, 2, 3, 3, 3, 4]);
    let symmetric = draw.is_lucky();
    let mut directions: Vec<Vec<u64>> = Vec::new();
    if draw.below(4) > 0 {
        directions.extend(orders(&[&[1][..], &vec![0; heaps - 1]].concat()));
    }
    for _ in 0..draw.between(1, 2) {
        let taken = step(draw, heaps, 2);
        directions.extend(if symmetric { orders(&taken) } else { vec![taken] });
    }
    directions.sort_unstable();
    directions.dedup();
    let most = (draw.below(4) == 0).then(|| draw.between(2, 9));
    let ask = draw.one(&[Ask::PPositions, Ask::PPositions, Ask::MiserePPositions, Ask::Values]);
    let options = directions.iter().map(|taken| Options::steps(taken, most)).collect();
    of_file("lines", name, [heaps, 0], symmetric, ask, options)
}

/// Draws a game: a few numbers of tokens from each heap.
fn steps(draw: &mut Draw, name: &str) -> Question {
    let heaps = draw.one(&[2, 3, 3, 4]);
    let symmetric = draw.is_lucky();
    let mut takings: Vec<Vec<u64>> = Vec::new();
    for _ in 0..if symmetric { 2 } else { draw.between(2, 4) } {
        let taken = step(draw, heaps, 3);
        takings.extend(if symmetric { orders(&taken) } else { vec![taken] });
    }
    takings.sort_unstable();
    takings.dedup();
    let ask = draw.one(&[Ask::PPositions, Ask::MiserePPositions, Ask::Values]);
    let options = takings.iter().map(|taken| Options::steps(taken, Some(1))).collect();
    of_file("few takings", name, [heaps, 0], symmetric, ask, options)
}

/// Returns what one heap may give, by its size alone.
fn share(draw: &mut Draw, heaps: usize, heap: usize) -> Options {
    let (c, k) = (draw.between(2, 4), draw.between(2, 6));
    let r = draw.below(k);
    let (p, q) = (format!("p{heap}"), format!("q{heap}"));
    let (rule, guard) = match draw.below(7) {
        0 => (format!("{q} < {p} & {p} <= {c}*{q}+{k}"), format!("{p} <= {c}*({p}-t)+{k}")),
        1 => (format!("{c}*{q}+{r} < {p}"), format!("{c}*({p}-t)+{r} < {p}")),
        2 => (format!("{q} < {p} & ({p}-{q}) mod {k} = {r}"), format!("t%{k} == {r}")),
        3 => (format!("{q} < {p} & {q} mod {k} = {r}"), format!("({p}-t)%{k} == {r}")),
        4 => (
            format!("{q} < {p} & ({p}-{q} <= {c} | {q} <= {k})"),
            format!("t <= {c} || {p}-t <= {k}"),
        ),
        5 => (
            format!("{q} >= 1 & {q} < {p} & divides({q}, {p})"),
            format!("t < {p} && {p}%({p}-t) == 0"),
        ),
        _ => (format!("{q} < {p} & divides({p}-{q}, {p})"), format!("{p}%t == 0")),
    };
    // What divides by the heap itself needs a loop that ends before it.
    let last = if rule.contains("divides") { format!("{p}-1") } else { p };
    let rule = if last.ends_with("-1") { format!("{rule} & q{heap} >= 1") } else { rule };
    Options::from_heap(heaps, heap, &rule, &last, &guard)
}

/// Draws a game in which what a heap gives depends on its size.
fn shares(draw: &mut Draw, name: &str) -> Question {
    let heaps = draw.between(1, 2) as usize;
    let ask = if heaps == 1 { Ask::Sequence } else { draw.one(&[Ask::PPositions, Ask::Values]) };
    let options = (0..heaps).map(|heap| share(draw, heaps, heap)).collect();
    of_file("shares of a heap", name, [heaps, 0], false, ask, options)
}

/// Draws what a heap may give beside the others.
fn beside(draw: &mut Draw, heaps: usize) -> Vec<Options> {
    let (kind, c) = (draw.below(5), draw.between(1, 3));
    let options = |heap: usize| {
        let (p, q) = (format!("p{heap}"), format!("q{heap}"));
        let next = format!("p{}", (heap + 1) % heaps);
        let (rule, last, guard) = match kind {
            0 => (
                format!("{q} < {p} & {p} <= {q}+{next}+{c}"),
                format!("min({p}, {next}+{c})"),
                String::new(),
            ),
            1 => (format!("{q} < {p} & {p} >= {next}"), p.clone(), format!("{p} >= {next}")),
            2 => (format!("{q} < {p} & {q} != {next}"), p.clone(), format!("{p}-t != {next}")),
            3 => {
                let rule = format!("{q} < {p} & ({q}+{next}) mod {} != 0", c + 1);
                (rule, p.clone(), format!("({p}-t+{next})%{} != 0", c + 1))
            }
            _ => (
                format!("{q} < {p} & {q}+{c} >= {next}"),
                p.clone(),
                format!("{p}-t+{c} >= {next}"),
            ),
        };
        Options::from_heap(heaps, heap, &rule, &last, &guard)
    };
    (0..heaps).map(options).collect()
}

/// Draws a game in which what a heap gives depends on the others.
fn bounded(draw: &mut Draw, name: &str) -> Question {
    let heaps = draw.one(&[2, 2, 3]);
    let ask = draw.one(&[Ask::PPositions, Ask::MiserePPositions, Ask::Values]);
    of_file("beside other heaps", name, [heaps, 0], false, ask, beside(draw, heaps))
}

/// Draws a question who wins from a single position.
fn single(draw: &mut Draw, name: &str) -> Question {
    let mut question = if draw.is_lucky() { bounded(draw, name) } else { lines(draw, name) };
    question.family = "single positions";
    question.ask = Ask::Outcome;
    question.symmetry = Symmetry::None;
    let sides = question.sides.iter_mut().enumerate();
    sides.for_each(|(heap, side)| *side = format!("M-M*{heap}/{}", 3 * heap + 2));
    question
}

/// Draws a game in which the last move is remembered.
fn memory(draw: &mut Draw, name: &str) -> Question {
    let heaps = draw.one(&[1, 1, 2]);
    let (kind, c) = (draw.below(4), draw.between(2, 4));
    let last = format!("p{heaps}");
    let options = |heap: usize| {
        let taken = format!("p{heap}-q{heap}");
        let (rule, most, guard, then) = match kind {
            0 => (format!("{taken} <= {last}"), format!("min(p{heap}, {last})"), String::new(), c),
            1 => (
                format!("{taken} <= {} & {taken} != {last}", c + 1),
                format!("min(p{heap}, {})", c + 1),
                format!("t != {last}"),
                1,
            ),
            2 => (
                format!("{taken} <= {last}+{c}"),
                format!("min(p{heap}, {last}+{c})"),
                String::new(),
                1,
            ),
            _ => (format!("{taken} != {last}"), format!("p{heap}"), format!("t != {last}"), 1),
        };
        let rule =
            format!("q{heap} < p{heap} & {rule} & q{heaps} + {then}*q{heap} = {then}*p{heap}");
        let mut options = Options::from_heap(heaps, heap, &rule, &most, &guard);
        options.becomes.push(format!("{then}*t"));
        options
    };
    let options = (0..heaps).map(options).collect();
    let mut question = of_file("memory", name, [heaps, 1], false, Ask::PPositions, options);
    question.sides[heaps] = if kind == 0 { format!("{c}*M") } else { "M".into() };
    question
}

/// Draws a game in which a heap becomes others.
fn splits(draw: &mut Draw, name: &str) -> Question {
    let (c, k) = (draw.between(0, 4).to_string(), draw.between(1, 6).to_string());
    let taking = match draw.below(3) {
        0 => Options::new("q0 < p0", &[["t", "1", "p0"]], "", &["p0-t"]),
        1 => Options::new(
            &format!("q0 < p0 & p0 <= q0+{k}"),
            &[["t", "1", &format!("min(p0, {k})")]],
            "",
            &["p0-t"],
        ),
        _ => Options::new(
            &format!("q0+{k} = p0"),
            &[["t", &k, &format!("min(p0, {k})")]],
            "",
            &["p0-t"],
        ),
    };
    let half = format!("(p0-{c})/2");
    let rest = format!("p0-{c}-t");
    let pair = format!("q0 >= 1 & q0+q1+{c} = p0");
    let halves = [["t", "1", half.as_str()]];
    let splitting = match draw.below(4) {
        0 => Options::new(&format!("{pair} & q1 >= 1"), &halves, "", &["t", &rest]),
        1 => Options::new(
            &format!("{pair} & q1 >= 1 & q0 != q1"),
            &halves,
            &format!("t != {rest}"),
            &["t", &rest],
        ),
        2 => Options::new(
            &format!("{pair} & q1 >= 1 & q0+q1 >= 6"),
            &halves,
            &format!("p0-{c} >= 6"),
            &["t", &rest],
        ),
        _ => Options::new(
            "q0 >= 1 & q1 >= 1 & q2 >= 1 & q0 <= q1 & q1 <= q2 & q0+q1+q2 = p0",
            &[["t", "1", "p0/3"], ["u", "t", "(p0-t)/2"]],
            "",
            &["t", "u", "p0-t-u"],
        ),
    };
    let options = vec![taking, splitting];
    let rules: Vec<String> = options.iter().map(|one| format!("\"{}\"", one.rule)).collect();
    Question {
        family: "splits",
        shown: rules.join(", "),
        file: Some(format!("name = \"{name}\"\nsplits = [{}]\n", rules.join(", "))),
        game: name.into(),
        ask: Ask::Sequence,
        symmetry: Symmetry::None,
        sides: vec!["M".into()],
        options,
    }
}

/// Returns the game of one heap that Bouton knows by a code.
fn known_sequence(game: &str, options: Vec<Options>) -> Question {
    Question {
        family: "codes",
        shown: game.into(),
        file: None,
        game: game.into(),
        ask: Ask::Sequence,
        symmetry: Symmetry::None,
        sides: vec!["M".into()],
        options,
    }
}

/// Takes the number at `place` in a code, and leaves none, one, two or three heaps.
fn digit(place: usize, digit: u64) -> Vec<Options> {
    let rest = |less: &str| format!("p0-{place}{less}");
    let (half, third, middle) =
        (format!("({})/2", rest("")), format!("({})/3", rest("")), format!("({})/2", rest("-a")));
    let all = [
        Options::new("", &[], &format!("p0 == {place}"), &["0"]),
        Options::new("", &[], &format!("p0 > {place}"), &[&rest("")]),
        Options::new("", &[["a", "1", &half]], "", &["a", &rest("-a")]),
        Options::new(
            "",
            &[["a", "1", &third], ["b", "a", &middle]],
            "",
            &["a", "b", &rest("-a-b")],
        ),
    ];
    all.into_iter()
        .enumerate()
        .filter(|(bit, _)| digit >> bit & 1 == 1)
        .map(|(_, one)| one)
        .collect()
}

/// Returns the options of a code 0.d₁d₂….
fn take_and_break(digits: &[u64]) -> Vec<Options> {
    (1..).zip(digits).flat_map(|(place, one)| digit(place, *one)).collect()
}

/// Returns the options of a subtraction set.
fn subtractions(set: &[u64]) -> Vec<Options> {
    set.iter().map(|taken| Options::steps(&[*taken], Some(1))).collect()
}

/// Draws a take-and-break code, or a subtraction set.
fn code(draw: &mut Draw, _: &str) -> Question {
    if draw.below(3) > 0 {
        let base = draw.one(&[4, 8, 8, 8, 16]);
        let mut digits: Vec<u64> = (0..draw.between(2, 4)).map(|_| draw.below(base)).collect();
        digits.push(draw.between(1, base - 1));
        let text: String =
            digits.iter().filter_map(|digit| char::from_digit(*digit as u32, 16)).collect();
        return known_sequence(&format!("0.{}", text.to_uppercase()), take_and_break(&digits));
    }
    let mut set: Vec<u64> = (0..draw.between(3, 6)).map(|_| draw.between(1, 40)).collect();
    set.sort_unstable();
    set.dedup();
    let text: Vec<String> = set.iter().map(u64::to_string).collect();
    known_sequence(&format!("S({})", text.join(",")), subtractions(&set))
}

/// Returns the question about a box of a game that Bouton knows by name.
fn known_box(
    game: &str,
    ask: Ask,
    heaps: usize,
    symmetry: Symmetry,
    options: Vec<Options>,
) -> Question {
    Question {
        family: "literature",
        shown: game.into(),
        file: None,
        game: game.into(),
        ask,
        symmetry,
        sides: vec!["M".into(); heaps],
        options,
    }
}

/// Returns moves in any direction of a list, as often as one likes.
fn rays(directions: &[&[u64]]) -> Vec<Options> {
    directions.iter().map(|taken| Options::steps(taken, None)).collect()
}

/// Returns moves from any of the heaps of a set, a token at least in all.
fn window(heaps: usize, set: &[usize]) -> Options {
    let names = ["s", "t", "u", "w"];
    let name = |heap: usize| set.iter().position(|one| *one == heap).map(|at| names[at]);
    Options {
        rule: String::new(),
        loops: set
            .iter()
            .zip(names)
            .map(|(heap, name)| [name.into(), "0".into(), format!("p{heap}")])
            .collect(),
        guard: format!("{} > 0", names[..set.len()].join("+")),
        becomes: (0..heaps)
            .map(|heap| name(heap).map_or(format!("p{heap}"), |taken| format!("p{heap}-{taken}")))
            .collect(),
        steps: None,
    }
}

/// Returns games of the literature and of public questions.
fn classics() -> Vec<Question> {
    use Ask::{PPositions, Values};
    use Symmetry::{Full, Ring};
    const SAME: [&[u64]; 7] =
        [&[1, 0, 0], &[0, 1, 0], &[0, 0, 1], &[1, 1, 0], &[1, 0, 1], &[0, 1, 1], &[1, 1, 1]];
    let sequence =
        |game: &str, options| Question { family: "literature", ..known_sequence(game, options) };
    let alone = |heaps: usize| -> Vec<Options> {
        (0..heaps)
            .map(|heap| Options::from_heap(heaps, heap, "", &format!("p{heap}"), ""))
            .collect()
    };
    let greedy = |heap: usize| {
        let others = (0..3).filter(|i| *i != heap).map(|i| format!("p{heap} >= p{i}"));
        let guard = others.collect::<Vec<_>>().join(" && ");
        Options::from_heap(3, heap, "", &format!("p{heap}"), &guard)
    };
    let pair = |from: &str| Options::new("", &[["t", "1", from]], "", &["t", "p0-t"]);
    let circular = |heaps: usize, k: usize| -> Vec<Options> {
        let arc = |from: usize| (from..from + k).map(|heap| heap % heaps).collect::<Vec<_>>();
        (0..heaps).map(|from| window(heaps, &arc(from))).collect()
    };
    let fibonacci = Options::new("", &[["t", "1", "min(p0, p1)"]], "", &["p0-t", "2*t"]);
    let mut fibonacci = known_box("fibonacci-nim", PPositions, 2, Symmetry::None, vec![fibonacci]);
    fibonacci.file = Some(
        "name = \"fibonacci\"\nheaps = 1\nmemory = 1\nmove = \"q0 < p0 & p0 <= q0+p1 & q1+2*q0 = \
         2*p0\"\n"
            .into(),
    );
    fibonacci.game = "fibonacci".into();
    fibonacci.sides[1] = "2*M".into();
    let mut mark = vec![Options::new("", &[], "p0 >= 1", &["p0-1"])];
    mark.push(Options::new("", &[], "p0 >= 1", &["p0/2"]));
    let mut lasker = pair("p0/2");
    lasker.guard = "p0 > t".into();
    vec![
        known_box("stone-game", PPositions, 3, Full, rays(&SAME)),
        sequence("kayles", take_and_break(&[7, 7])),
        known_box("wythoff", PPositions, 2, Full, rays(&[&[1, 0], &[0, 1], &[1, 1]])),
        sequence("grundy", vec![pair("(p0-1)/2")]),
        known_box("CN(4,2)", PPositions, 4, Ring, circular(4, 2)),
        sequence("4.[3]", vec![Options::new("", &[["t", "1", "p0"]], "", &["p0-t"]), lasker]),
        known_box("wythoff", Values, 2, Full, rays(&[&[1, 0], &[0, 1], &[1, 1]])),
        sequence("0.07", take_and_break(&[0, 7])),
        known_box("nim(3)", PPositions, 3, Full, alone(3)),
        fibonacci,
        known_box("greedy-nim-3", PPositions, 3, Full, (0..3).map(greedy).collect()),
        sequence("S(2,3,7,11,19)", subtractions(&[2, 3, 7, 11, 19])),
        known_box("nim(3)", Values, 3, Full, alone(3)),
        sequence("0.137", take_and_break(&[1, 3, 7])),
        known_box("slow-3", PPositions, 3, Full, slow()),
        sequence("nim", vec![Options::new("", &[["t", "1", "p0"]], "", &["p0-t"])]),
        known_box("CN(5,2)", Values, 5, Ring, circular(5, 2)),
        sequence("mark", mark),
        known_box("exact-3-2", PPositions, 3, Full, exact()),
        sequence("0.3F", take_and_break(&[3, 15])),
    ]
}

/// Returns the options that take at most one token from each heap.
fn slow() -> Vec<Options> {
    let takings = (1..8u64).map(|bits| (0..3).map(|heap| bits >> heap & 1).collect::<Vec<_>>());
    takings.map(|taken| Options::steps(&taken, Some(1))).collect()
}

/// Returns the options that take at least one token from each of two heaps.
fn exact() -> Vec<Options> {
    let pair =
        |[a, b]: [usize; 2]| Options { guard: "s > 0 && t > 0".into(), ..window(3, &[a, b]) };
    [[0, 1], [0, 2], [1, 2]].map(pair).into()
}
