//! Certificates made to hurt: each is sealed as it should be, and each costs far more than it says.

use sha2::{Digest, Sha256};

/// Returns a certificate with its seal.
pub fn sealed(kind: &str, game: &str, claim: &str, body: &str) -> String {
    let version = if kind == "p-positions" { 2 } else { 1 };
    let text = format!(
        "bouton certificate {version}\nkind: {kind}\ngame: {game}\nclaim: {claim}\n\n{body}"
    );
    let hash: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{text}sha256: {hash}\n")
}

fn heaps(game: &str, claim: &str, body: &str) -> String {
    sealed("p-positions", game, &format!("P iff {claim}, up to symmetry"), body)
}

fn period(game: &str, period: usize, preperiod: usize, rest: &str) -> String {
    let claim = format!("the nim-values of single heaps have period {period} from {preperiod} on");
    sealed("period", game, &claim, &format!("period {period}\npreperiod {preperiod}\n{rest}"))
}

fn cash(game: &str, least: usize, body: &str) -> String {
    let claim = format!(
        "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and \
         floor(d / {least}) > floor(e / {least})"
    );
    sealed("win-condition", game, &claim, body)
}

fn row(what: impl Fn(usize) -> String, count: usize, between: &str) -> String {
    (0..count).map(what).collect::<Vec<_>>().join(between)
}

fn letter(i: usize) -> char {
    (b'a' + i as u8) as char
}

/// Returns an automaton of many states: a state for each line, what follows on 0 and 1, and labels
/// where the rule gives one.
fn circle(
    game: &str,
    from: usize,
    states: usize,
    next: impl Fn(usize) -> [usize; 2],
    label: &str,
) -> String {
    let line = |i: usize| {
        let [zero, one] = next(i + 1).map(|to| 1 + to % states);
        format!("{zero} {one}{}\n", if i % 7 == 3 { label } else { "" })
    };
    let body =
        format!("period 1\nclass 0 N from {from} states {states}\n{}", row(line, states, ""));
    sealed("circle", game, "P iff false", &body)
}

/// Returns two laps, each with three automata of so many states, mixed.
fn laps(game: &str, from: usize, states: usize, label: &str, value: &str) -> String {
    let next = |i: usize, factor: usize| {
        format!("{} {}", 1 + (factor * i + 1) % states, 1 + (i * i + factor) % states)
    };
    let lap = |number: usize| {
        let label = if number == 2 { "-" } else { label };
        format!(
            "lap {number} tapes {states} classes {states} words {states}\n{}{}{}",
            row(|i| format!("{} .\n", next(i, 3)), states, ""),
            row(|i| format!("{} {} {label}\n", next(i, 5), 1 + i % states), states, ""),
            row(|i| format!("{} {value}\n", next(i, 7)), states, "")
        )
    };
    sealed("laps", game, "P iff false", &format!("laps 2 from {from}\n{}{}", lap(1), lap(2)))
}

/// Returns all files, each with a word on what it is about.
pub fn files() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    let mut file = |name, text| all.push((name, text));

    // Read by automata: many states, many letters, many cases, many sets.
    let automaton = |states: usize, columns: usize| {
        row(
            |i| {
                format!("! {}\n", row(|j| ((7 * i + 3 * j + 1) % states).to_string(), columns, " "))
            },
            states,
            "",
        )
    };
    let own = "P iff the automaton accepts";
    let many = format!(
        "positions 3000\n- 0{}\n{}",
        " 1".repeat(63),
        automaton(3000, 64).split_once('\n').unwrap().1
    );
    let many = format!(
        "{many}windows 0,1,2,3,4,5\nmove 6 1\n- {}\nsets 0\n",
        row(|_| "0".into(), 4096, " ")
    );
    file("automata of many states", sealed("automatic", "simplicial(1,2,3,4,5,6)", own, &many));
    file(
        "an automaton that is not there",
        sealed("automatic", "nim(8)", own, "positions 4194304\n"),
    );
    let cases = row(|i| format!("max(a mod 60, b mod 61) = {i}"), 1500, " | ");
    let said = format!("P iff {cases}, up to symmetry");
    file(
        "many cases",
        sealed("automatic", "nim(2)", &said, "positions 1\n- 0 0 0 0\nformula 1\n- 0 0 0 0\n"),
    );
    let forms = row(|i| format!("{i}*a + b mod {} = 7", 2 + i % 60), 2000, " | ");
    let said = format!("P iff {forms}, up to symmetry");
    file(
        "many sums",
        sealed("automatic", "nim(2)", &said, "positions 1\n- 0 0 0 0\nformula 1\n- 0 0 0 0\n"),
    );
    let far = "P iff a + 4294967295 = 4294967295*b, up to symmetry";
    file(
        "far numbers",
        sealed("automatic", "S(1;2)", far, "positions 1\n- 0 0 0 0\nformula 1\n- 0 0 0 0\n"),
    );
    let quotients =
        "P iff a div 997 mod 991 + b div 983 mod 977 = (a+b) div 971 mod 967, up to symmetry";
    file(
        "remainders by large numbers",
        sealed("automatic", "S(1;2)", quotients, "positions 1\n- 0 0 0 0\nformula 1\n- 0 0 0 0\n"),
    );

    // Deep: the parser nests each row only a little.
    let nested = |one: &str, rows: usize, length: usize| {
        format!("{}a{} = 0", "(".repeat(rows), format!("{})", one.repeat(length)).repeat(rows))
    };
    file("rows of products in rows", heaps("CN(2,2)", &nested("*1", 60, 190), "heaps 2\n"));
    file("rows of quotients in rows", heaps("CN(2,2)", &nested(" div 1", 60, 190), "heaps 2\n"));
    file("rows of sums in rows", heaps("CN(2,2)", &nested("+1", 190, 100), "heaps 2\n"));
    let digits = format!("a{} = 0", " xor 1 xor3 1".repeat(4000));
    file("digit sums of two kinds in turn", heaps("CN(2,2)", &digits, "heaps 2\n"));
    let words = format!("a = 0{}", " <=> a = 0 => b = 0".repeat(2000));
    file("arrows in turn", heaps("CN(2,2)", &words, "heaps 2\n"));

    // Wide: few characters, many alternatives, many images.
    let either = |i: usize| format!("({0}=0|{0}=2)", letter(i % 7));
    let twelve = row(either, 12, " & ");
    file(
        "two to the twelfth alternatives",
        heaps("rules(7;none;binary;q0<p0)", &twelve, "heaps 7\n"),
    );
    file(
        "the same in all images",
        heaps("rules(7;full;binary;q0<p0)", &row(either, 7, " & "), "heaps 7\n"),
    );
    file("the same of a game that is known", heaps("nim(7)", &row(either, 7, " & "), "heaps 7\n"));
    let either = |i: usize| format!("({0}={1}|{0}={2})", letter(i % 12), 2 * i, 2 * i + 1);
    file("twelve heaps in all images", heaps("nim(12)", &row(either, 11, " & "), "heaps 12\n"));
    let order = row(|i| format!("{} < {}", letter(i), letter(i + 1)), 8, " & ");
    file("nine heaps in order", heaps("rules(9;full;binary;q0<p0)", &order, "heaps 9\n"));
    let bits = row(|i| format!("{}*{}", 1 << i, letter(i)), 9, "+");
    file(
        "a sum in nine factorial images",
        heaps("moore(5;9)", &format!("{bits} = 7"), "heaps 9\n"),
    );
    let many = row(|i| format!("a+{}*b <= {}", i + 1, 3 * i), 900, " & ");
    file("many conditions", heaps("CN(2,2)", &many, "heaps 2\n"));
    let many = row(|i| format!("a xor {} != b", i + 1), 600, " & ");
    file("many digit sums", heaps("CN(2,1)", &many, "heaps 2\n"));
    let extremes = row(|i| format!("min({})", row(|j| format!("a+{}*b", i + j), 30, ",")), 20, "+");
    file("least of many, summed", heaps("CN(2,2)", &format!("{extremes} = 7"), "heaps 2\n"));
    file(
        "least of very many",
        heaps("CN(2,2)", &format!("min({}) = b", vec!["a"; 20_000].join(",")), ""),
    );
    let far = row(|i| format!("a+{i}"), 5000, ",");
    file("greatest of very many", heaps("CN(2,2)", &format!("max({far}) < b"), "heaps 2\n"));
    let names = row(|i| format!("v{i}"), 900, ", ");
    let equal = row(|i| format!("v{i} + v{} = a", i + 1), 899, " & ");
    file("many variables", heaps("CN(2,2)", &format!("E {names}: {equal}"), "heaps 2\n"));
    let sum = row(|i| format!("{}*v{i}", i + 2), 899, " + ");
    file(
        "a sum of many variables",
        heaps("CN(2,2)", &format!("E {names}: {sum} = 2*a & a < b"), "heaps 2\n"),
    );
    let iff = (0..40).fold("a = 0".to_owned(), |text, _| format!("({text} <=> b = 0)"));
    file("equivalences", heaps("CN(2,2)", &iff, "heaps 2\n"));
    let remainders = row(|i| format!("{} mod 8", letter(i)), 12, " xor ");
    file("remainders", heaps("nim(12)", &format!("{remainders} = 0"), "heaps 12\n"));
    let constants = "1000000007*a != 998244353*b & 999999937*a <= 4294967291*b";
    file(
        "great constants",
        heaps("CN(2,2)", &format!("{constants} & a mod 999999937 = 5"), "heaps 2\n"),
    );
    let shifts = "E n: 1000003*shift(a) = 999983*b + n & shift(b) <= 1000000*n";
    file("great constants in Zeckendorf digits", heaps("wythoff", shifts, "heaps 2\n"));
    let taken = row(|i| (2 * i + 1).to_string(), 1500, ",");
    file("many amounts", heaps(&format!("S({taken};26)"), "a = 0 | b = 1", "heaps 26\n"));
    file("many windows", heaps("moore(9;18)", "a = b | a+b+c = d+e", "heaps 18\n"));
    file(
        "circles that close up",
        heaps("SCN(14,10)", "14 heaps: a = b; 13 heaps: b=c|a<b", "heaps 0\n"),
    );
    let faces: String = (1u32..20_000).filter_map(face).take(19_000).collect::<Vec<_>>().join(";");
    file("many faces", heaps(&format!("simplicial({faces})"), "a = b", "heaps 15\n"));

    // Bodies, under a claim that is right: what comes before the part is so, too.
    let right = "a = b";
    let inside = "0 2\n1 2\n1 2 5\n1 3 4\n0 2 3\n1 3\n2 3\n";
    let board = "heaps 2\nimage 0,1\nwithin 1,0 0 / 0 1\nmove 2\nmove 3\n";
    let body = |rest: &str| format!("refutations 7\n{inside}{board}{rest}");
    let more = |refutations: &str, moves: &str, rest: &str| {
        let count = 7 + refutations.lines().count();
        format!(
            "refutations {count}\n{inside}{refutations}heaps 2\nimage 0,1\nwithin 1,0 0 / 0 \
             1\n{moves}{rest}"
        )
    };
    let stay = |conditions: &str, rest: &str| {
        body(&format!("part stay image 0,1\n{conditions}if p0 = p1\nby / 2 2\nstart 2\n{rest}"))
    };
    let values = "let v2 = max(p0, p1, p0 + p1, 2*p0, 2*p1) by\n".repeat(20_000);
    file(
        "values without a reason",
        heaps("CN(2,1)", right, &body(&format!("part take 0 image 0,1\n{values}"))),
    );
    let values = row(
        |i| format!("let v{} = max(p0, p1, p0 + p1, 2*p0, 2*p1, {i}) by n0; 0 7\n", i + 2),
        900,
        "",
    );
    let table = "n0; 0 4\n";
    file(
        "many values",
        heaps(
            "CN(2,1)",
            right,
            &more(table, "move 2\nmove 3\n", &format!("part take 0 image 0,1\n{values}")),
        ),
    );
    // Sums of sums, each longer than the one before; a walk through constants that are too big; one
    // with too many variables.
    let sums = row(|i| format!("1*{} 1*{}; ", 3 + i, 2 + i), 60_000, "");
    file(
        "sums of sums",
        heaps("CN(2,1)", right, &more(&format!("{sums}walk 0\n"), "move 7\nmove 7\n", "")),
    );
    let many = row(|i| format!("{} ", i % 4), 400_000, "");
    file(
        "a long sum",
        heaps("CN(2,1)", right, &more(&format!("{}\n", many.trim_end()), "move 7\nmove 7\n", "")),
    );
    let wide = row(
        |i| format!("{}*{} + 7 <= 1000003*{}", 999_983 + 2 * i, letter(i), letter(i + 1)),
        7,
        " & ",
    );
    let move_all = row(|_| "move 0\n".to_owned(), 8, "");
    let walk = format!(
        "refutations 1\nwalk {}\nheaps 8\nimage 0,1,2,3,4,5,6,7\n{move_all}",
        row(|i| i.to_string(), 16, ",")
    );
    file("a walk through great numbers", heaps("rules(8;none;binary;q0<p0)", &wide, &walk));
    let digits = "walk 0,1,2,3,4,5\nheaps 2\nimage 0,1\nmove 0\n";
    let shifts = "1000003*shift(a) = 999983*b & 999979*shift(b) = 1000033*a";
    file(
        "a walk in Zeckendorf digits",
        heaps("rules(2;none;zeckendorf;q0<p0)", shifts, &format!("refutations 1\n{digits}")),
    );
    // Trees: many questions in a long formula, evaluated again for each.
    let either = row(|i| format!("({0}=0|{0}={i})", letter(i % 7)), 120, " & ");
    let slashes =
        format!("refutations 0\nheaps 7\nimage 0,1,2,3,4,5,6\nmove{}\n", " /".repeat(250_000));
    file("branches for ever", heaps("rules(7;none;binary;q0<p0)", &either, &slashes));
    let least = format!("min({}) = b", row(|i| format!("a+{i}"), 280, ","));
    let slashes =
        format!("refutations 1\n0 0\nheaps 2\nimage 0,1\nmove{}\n", " / 0".repeat(200_000));
    file("branches to the left", heaps("rules(2;none;binary;q0<p0)", &least, &slashes));
    let remainders = row(|i| format!("{} mod 8", letter(i)), 12, " + ");
    let slashes = format!(
        "refutations 0\nheaps 12\nimage {}\nmove{}\n",
        row(|i| i.to_string(), 12, ","),
        " /".repeat(900_000)
    );
    file(
        "remainders in a tree",
        heaps("rules(12;none;binary;q0<p0)", &format!("{remainders} = 0"), &slashes),
    );
    let order: Vec<usize> = (0..9).collect();
    let mut images = vec![order];
    for at in 0..5000 {
        let one = &images[at];
        images.push(
            (0..9)
                .map(|i| {
                    if i == at % 8 {
                        one[i + 1]
                    } else if i == at % 8 + 1 {
                        one[i - 1]
                    } else {
                        one[i]
                    }
                })
                .collect(),
        );
    }
    let list = row(
        |i| {
            format!(
                "image {}\n",
                images[i].iter().map(usize::to_string).collect::<Vec<_>>().join(",")
            )
        },
        5000,
        "",
    );
    file(
        "many images",
        heaps("moore(5;9)", "a + 2*b = 7", &format!("refutations 0\nheaps 9\n{list}")),
    );
    // Conditions and labels.
    let conditions = row(|i| format!("if p0 + {i}*p1 <= {}\n", 7 * i), 20_000, "");
    file(
        "a part of many conditions",
        heaps("CN(2,1)", right, &stay(&conditions, "states 0\nsets 0\n")),
    );
    let groups = row(
        |i| {
            format!(
                "labels {}\n@2{}\n",
                row(|j| (j % 2).to_string(), 400, ","),
                " 0".repeat(400 * (1 + i % 7))
            )
        },
        900,
        "",
    );
    let one = "states 1\n2 2\nsets 1\n2\n";
    file("labels in many groups", heaps("CN(2,1)", right, &stay("", &format!("{groups}{one}"))));
    let free = row(
        |i| format!("if {}*v{} + v{} <= {}*p0 + p1\n", i + 2, 2 + i % 12, 2 + (i + 1) % 12, i + 9),
        12,
        "",
    );
    let vectors =
        format!("labels {}\n@2{}\n", row(|i| i.to_string(), 14, ","), " 0".repeat(14 * 4000));
    file(
        "many guesses",
        heaps("CN(2,1)", right, &stay(&format!("guess 12\n{free}"), &format!("{vectors}{one}"))),
    );
    let words = row(|i| (i % 4096).to_string(), 200_000, ",");
    let first = format!(
        "labels {}\nfirst {words}\n@2{}\n",
        row(|i| i.to_string(), 14, ","),
        " 0".repeat(14)
    );
    file(
        "long words",
        heaps("CN(2,1)", right, &stay(&format!("guess 12\n{free}"), &format!("{first}{one}"))),
    );
    let plain = "labels 0,1\n@1 0 0\n@2 0 0\n";
    let sets = format!("states 1\n2 2 !\nsets 300000\n{}", "2\n".repeat(300_000));
    file("many sets", heaps("CN(2,1)", right, &stay("", &format!("{plain}{sets}"))));
    let number = |i: usize, k: usize| 2 + (i * k + 1) % 4000;
    let states = row(|i| format!("{} {}\n", number(i, 7), number(i, 5)), 4000, "");
    let members = row(|i| (i + 2).to_string(), 4000, " ");
    let labels = row(|i| format!("@{}{}\n", i + 2, " 0 0".repeat(100)), 4000, "");
    let sets = format!("labels 0,1\n{labels}states 4000\n{states}sets 1\n{members}\n");
    file("an automaton that mixes", heaps("CN(2,1)", right, &stay("", &sets)));
    let accepting = states.replace('\n', " !\n");
    let sets = row(|i| format!("{} {}\n", 2 + i % 60, 70 + i), 3900, "");
    let mixed = format!("states 4000\n{accepting}sets 3900\n{sets}");
    file("sets that mix", heaps("CN(2,1)", right, &stay("", &mixed).replace("start 2", "start 0")));

    // Other kinds.
    file("pairs for ever", period("0.07", 100_000_000, 1, "space value 255\n"));
    file("rare values for ever", period("0.07", 100_000_000, 1, "space value 1\n"));
    file("triples", period("8.8", 1000, 40, "space none\n"));
    let saltus = |game: &str, [period, preperiod, saltus]: [usize; 3], arithmetic: &str| {
        let claim = format!(
            "the nim-values of single heaps have period {period} and saltus {saltus} from \
             {preperiod} on"
        );
        let body = format!(
            "period {period}\npreperiod {preperiod}\nsaltus {saltus}\nspace none\narithmetic \
             {arithmetic}\n"
        );
        sealed("period", game, &claim, &body)
    };
    file("a saltus, late", saltus("4.[3]", [4, 1, 4], "40000 9 8"));
    file("a saltus, long", saltus("0.[F]", [1000, 0, 1000], "2000 2000 2000"));
    file("a saltus, steep", saltus("4.[3]", [1, 1, 268_435_456], "9 536870912 2"));
    file("a saltus, steep and long", saltus("8.0", [2, 1, 268_435_456], "90 268435456 268435456"));
    file("a saltus that repeats late", saltus("0.[700]", [4, 0, 2], "36 134217732 268435464"));
    let code = format!("0.{}", "F".repeat(5000));
    file("a long code", period(&code, 300, 100, "space none\n"));
    let code = format!("0.{}", "7".repeat(200_000));
    file("a very long code", period(&code, 10_000_000, 100, "space value 15\n"));
    let taken = row(|i| (2 * i + 1).to_string(), 60_000, ",");
    file("many amounts, one heap", period(&format!("S({taken})"), 2, 4000, "space none\n"));
    file("few amounts, many heaps", period("S(1,2)", 99_999_999, 3, "space none\n"));
    let taken = row(|i| (i + 1).to_string(), 60_000, ",");
    let game = format!("NIM({taken};n;d,e)");
    file("many amounts with cash", cash(&game, 1, "window 60000 1 16000000 2\n"));
    file("a wide window", cash("NIM(1;n;d,e)", 1, "window 2 0 16000000 2\n"));
    file("a long row", cash("NIM(1;n;d,e)", 1, "window 2 0 0 4000000000\nline -c 0\nline +c -1\n"));
    let steps =
        format!("words 1 0\npath 0 D {}\n", "U1000000D1000000^0k+0 ".repeat(2000).trim_end());
    file("long steps", cash("NIM(1;n;d,e)", 1, &steps));
    let steps = format!("words 1 0\npath 0 D {}\n", "U1^1k+0 ".repeat(200_000).trim_end());
    file("many pieces", cash("NIM(1;n;d,e)", 1, &steps));
    file("long words", cash("NIM(1;n;d,e)", 1, "words 1 1\npath 0 D U1^0k+60000000\n"));
    file("a lucky strategy", {
        let steps = row(|i| (i + 1).to_string(), 100_000, ",");
        sealed("strategy", &format!("Gamma({steps};256)"), "0/0 is P in normal play", "1 1\n")
    });
    let lines = row(|i| format!("{i:x} 1\n"), 400_000, "");
    file("a long book", sealed("strategy", "Gamma(1,2,3;256)", "0/0 is N in misère play", &lines));
    // Parameters: long paths, many branches, great numbers, high powers.
    let parametric = |form: &str, steps: &str| {
        let head = "example h=1\nwitness 1\nwitness 2\n";
        let claim = format!("for h >= 1, P iff {form}");
        sealed("parameters", "S(1,h)", &claim, &format!("{head}{steps}"))
    };
    file(
        "a path of many forks",
        parametric("a = 0", &format!("amount\n{}", "split +1*h -1\n".repeat(400_000))),
    );
    file(
        "a path of many products",
        parametric("a = 0", &format!("amount\n{}", "times 1 1\n".repeat(400_000))),
    );
    file("a product of many products", {
        let steps = row(|i| format!("times {0} {0}\n", i + 1), 200, "");
        parametric("a = 0", &format!("amount\n{steps}"))
    });
    file("a sum of many facts", {
        let sum = row(|i| format!("{}*{}", 1 + i % 2, u128::MAX / 4), 100_000, " ");
        parametric("a = 0", &format!("amount\nend {sum}\n"))
    });
    let deep = 90;
    let nested = format!("{}a mod (h+1){} = 0", "(".repeat(deep), " mod (h+1))".repeat(deep));
    file("a form of quotients of quotients", parametric(&nested, "divisor\nend 1*1\n"));
    file("a form that is a power", {
        parametric(&format!("{} = 0", row(|_| "(a+h+1)".into(), 900, "*")), "amount\nend 1*1\n")
    });
    file("a form with many alternatives", {
        let form = row(|i| format!("a mod {} != {i}", i + 2), 800, " | ");
        let or = "or 1\n".repeat(300_000);
        parametric(&form, &format!("amount\nend 1*1 2*1\namount\nend 1*1 2*1\nto-p\n{or}"))
    });
    // Circles: many runs at once, and long searches.
    let mixed = |i: usize| [i * 7919 + 13, i * 104_729 + 7];
    file("circles with many runs", circle("Gamma(1,5,7,12;n)", 13, 40_000, mixed, " B"));
    file("circles with late labels", circle("Gamma(1,5,7,12;n)", 129, 40_000, mixed, ""));
    file("laps of many states", laps("Gamma(1,5,7,12;n)", 129, 40_000, "????????????", "?"));
    file("laps in which nothing is said", laps("Gamma(1,5;n)", 6, 997, "-", "?"));
    file("laps with wrong labels", laps("Gamma(1,5;n)", 6, 997, "L.W?L", "W"));
    file(
        "laps that are not there",
        sealed(
            "laps",
            "Gamma(1,2;n)",
            "P iff false",
            "laps 64 from 3\nlap 1 tapes 5 classes 5 words 5\n",
        ),
    );
    file("laps that nobody searches", {
        let body =
            "laps 1 from 129\nlap 1 tapes 1 classes 2 words 1\n1 0 .\n2 2 0 -\n2 2 1 -\n1 1 L\n";
        sealed("laps", "Gamma(5,11,12;n)", "P iff false", body)
    });
    file(
        "circles that nobody searches",
        sealed(
            "circle",
            "Gamma(5,11,12;n)",
            "P iff false",
            "period 1\nclass 0 N from 129 states 1\n1 1\n",
        ),
    );
    file("circles in a thousand classes", {
        let class = |r: usize| format!("class {r} N from 13 states 1\n1 0 B\n");
        sealed(
            "circle",
            "Gamma(11,12;n)",
            "P iff false",
            &format!("period 1000\n{}", row(class, 1000, "")),
        )
    });
    let many = "period 1\nclass 0 N from 13 states 99999999\n1 1\n";
    file(
        "circles with states that are not there",
        sealed("circle", "Gamma(1,2;n)", "P iff false", many),
    );

    all
}

fn face(bits: u32) -> Option<String> {
    let bits = bits.reverse_bits() >> 17;
    (bits > 0)
        .then(|| {
            row(|i| if bits >> i & 1 == 1 { format!("{}", i + 1) } else { String::new() }, 15, " ")
        })
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(","))
}
