//! The courses: texts, and what the engine is asked for each of them. No answer stands here: what
//! is won, proved or counted is computed when a step is shown, and a test computes it for every
//! step.

use super::exhibit::Exhibit;
use super::task::Task;

/// A course.
pub(super) struct Course {
    /// The name in an address.
    pub key: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    /// A game and a position for its picture.
    pub picture: (&'static str, &'static str),
    pub steps: &'static [Step],
}

/// A step: a thought, what the engine finds on it, and something to do.
pub(super) struct Step {
    pub title: &'static str,
    /// The thought, a paragraph each.
    pub said: &'static [&'static str],
    pub exhibits: &'static [Exhibit],
    pub task: Task,
    /// What is said when it is done.
    pub done: &'static str,
}

/// Returns a game of Nim against Bouton, with the columns of powers of two below it if they help.
const fn nim(at: &'static str, second: bool, columns: bool) -> Task {
    Task::Play { game: "nim", at, second, misere: false, columns }
}

/// Returns a game in which the visitor moves first.
const fn play(game: &'static str, at: &'static str) -> Task {
    Task::Play { game, at, second: false, misere: false, columns: false }
}

/// Returns such a game in which the last move loses.
const fn misere(game: &'static str, at: &'static str) -> Task {
    Task::Play { game, at, second: false, misere: true, columns: false }
}

/// All courses, in the order in which they are offered.
pub(super) static COURSES: [Course; 8] = [
    Course {
        key: "nim",
        title: "Nim",
        about: "From “take the last one” to beating perfect play.",
        picture: ("nim", "3,4,5"),
        steps: &[
            Step {
                title: "Take the last one",
                said: &[
                    "In Nim you take tokens from one heap: as many as you like, at least one. \
                     Then it is the other player’s turn.",
                    "Whoever takes the last token wins. Here is one heap, and it is your turn. \
                     Touch the token at the bottom.",
                ],
                exhibits: &[Exhibit::claim(
                    "nim(1)",
                    "a = 0",
                    "One heap is lost only if it is empty.",
                )],
                task: nim("5", false, false),
                done: "One heap is always won: take it all.",
            },
            Step {
                title: "Be a mirror",
                said: &[
                    "Two equal heaps, and Bouton has begun.",
                    "Whatever it takes from one heap, take the same from the other. You will \
                     always have an answer, so you cannot lose.",
                ],
                exhibits: &[Exhibit::claim(
                    "nim(2)",
                    "a = b",
                    "Two heaps are lost exactly if they are equal.",
                )],
                task: nim("4,4", true, false),
                done: "Two equal heaps are lost for whoever has to move.",
            },
            Step {
                title: "Make them equal",
                said: &[
                    "Two heaps that differ, and it is your turn.",
                    "You know a position that is lost for whoever has to move. Give it to Bouton.",
                ],
                exhibits: &[],
                task: nim("3,7", false, false),
                done: "The whole art: leave a position from which every move can be answered.",
            },
            Step {
                title: "Pairs that hide",
                said: &[
                    "Three heaps cannot all be mirrored – but their powers of two can. Write 1, \
                     2, 3 as 1, 2 and 2 + 1: every power comes in a pair.",
                    "Bouton has broken a pair. Mend it: make every column below even.",
                ],
                exhibits: &[Exhibit::claim(
                    "nim(3)",
                    "xor = 0",
                    "Three heaps are lost exactly if every column is even.",
                )],
                task: nim("1,2,3", true, true),
                done: "Where every column is even, who has to move loses.",
            },
            Step {
                title: "Find the move",
                said: &[
                    "Look for the leftmost odd column, take a heap that has a token there, and \
                     lower it so that all columns are even.",
                ],
                exhibits: &[],
                task: nim("2,5,6", false, true),
                done: "You have just used Bouton’s theorem of 1902.",
            },
            Step {
                title: "Beat Bouton",
                said: &[
                    "No more help, unless you ask for it. Bouton makes no mistake, but you move \
                     first, and the columns are not even.",
                ],
                exhibits: &[],
                task: nim("3,5,7", false, false),
                done: "You beat perfect play. The same thought – leave what has no good answer – \
                    carries through every game here.",
            },
        ],
    },
    Course {
        key: "misere",
        title: "Misère Nim",
        about: "Whoever takes the last token loses: as in Nim, but for the end.",
        picture: ("nim", "1,1,4"),
        steps: &[
            Step {
                title: "Do not take the last one",
                said: &[
                    "The same moves, the other end: whoever takes the last token loses. Leave it \
                     to Bouton.",
                ],
                exhibits: &[],
                task: misere("nim", "5"),
                done: "Leave one token, and the other player has to take it.",
            },
            Step {
                title: "Heaps of one",
                said: &[
                    "If every heap is a single token, no move is a choice: each takes one heap. \
                     You are to move. Which are won?",
                ],
                exhibits: &[Exhibit::Compared {
                    game: "nim(4)",
                    form: "xor = 1",
                    misere: true,
                    to: 1,
                    words: "Heaps of one are lost exactly if their number is odd.",
                }],
                task: Task::Sort {
                    game: "nim",
                    misere: true,
                    positions: &["1", "1,1", "1,1,1", "1,1,1,1"],
                },
                done: "Only the number of heaps counts: an odd number of them is lost.",
            },
            Step {
                title: "One large heap decides",
                said: &[
                    "As long as one heap is larger than 1, its owner chooses how many heaps of \
                     one are left. Choose well.",
                ],
                exhibits: &[],
                task: misere("nim", "1,1,4"),
                done: "The large heap lets you leave an odd number of ones.",
            },
            Step {
                title: "Before the end, as in Nim",
                said: &[
                    "While two heaps or more are larger than 1, make all columns even, as in Nim. \
                     The exception is only at the end.",
                ],
                exhibits: &[
                    Exhibit::Claim {
                        game: "nim(2)",
                        form: "a = b & max >= 2 | max <= 1 & xor = 1",
                        misere: true,
                        words: "Two heaps are lost if they are equal and larger than 1, or if one \
                            single token is left.",
                    },
                    Exhibit::Compared {
                        game: "nim(3)",
                        form: "xor = 0 & max >= 2 | xor = 1 & max <= 1",
                        misere: true,
                        to: 6,
                        words: "Three heaps: even columns if some heap is larger than 1, else an \
                            odd number of ones.",
                    },
                ],
                task: Task::Sort {
                    game: "nim",
                    misere: true,
                    positions: &["2,2", "1,1,2", "1,2,3", "1,1,1", "3,3,1"],
                },
                done: "Bouton solved this, too, in 1902.",
            },
            Step {
                title: "Beat Bouton",
                said: &[
                    "Keep the columns even. When your move would leave only ones, leave an odd \
                     number of them.",
                ],
                exhibits: &[],
                task: misere("nim", "1,3,4"),
                done: "You beat perfect play at the other end of the game.",
            },
        ],
    },
    Course {
        key: "multiples",
        title: "One pile and multiples",
        about: "Take 1, 2 or 3: what to leave, and how a pattern is found.",
        picture: ("S(1,2,3)", "7"),
        steps: &[
            Step {
                title: "Small steps",
                said: &[
                    "One pile. You may take 1, 2 or 3. Whoever cannot move loses. Leave a pile \
                     from which Bouton cannot win.",
                ],
                exhibits: &[],
                task: play("S(1,2,3)", "6"),
                done: "You left a pile that the other player could not finish, but you could.",
            },
            Step {
                title: "Which piles are lost?",
                said: &[
                    "Work upwards: a pile is lost if every move leads to a won one. You are to \
                     move.",
                ],
                exhibits: &[],
                task: Task::Sort {
                    game: "S(1,2,3)",
                    misere: false,
                    positions: &["4", "6", "8", "9", "12"],
                },
                done: "Do you see what the lost piles have in common?",
            },
            Step {
                title: "Leave a multiple",
                said: &[
                    "What the other player takes, complete it: together you take the same number \
                     in each round.",
                ],
                exhibits: &[Exhibit::claim(
                    "S(1,2,3;1)",
                    "a mod 4 = 0",
                    "A pile is lost exactly if it is a multiple of 4.",
                )],
                task: play("S(1,2,3)", "21"),
                done: "A theorem on all piles, played.",
            },
            Step {
                title: "Guess another one",
                said: &[
                    "Now take 1, 3 or 4. The row shows which piles are lost. Say which, as a \
                     formula in a: for example a mod 5 = 0, or two such parts with | between.",
                    "Your guess is proved for all piles, or you get the least pile that refutes \
                     it.",
                ],
                exhibits: &[Exhibit::Table {
                    game: "S(1,3,4)",
                    at: "x",
                    to: 30,
                    nim_values: false,
                }],
                task: Task::Guess { game: "S(1,3,4;1)", first: "a mod 5 = 0" },
                done: "That is how the theorems here are found: look, guess, prove.",
            },
            Step {
                title: "It always repeats",
                said: &[
                    "Which piles are lost depends on the few piles before, so sooner or later the \
                     row repeats.",
                ],
                exhibits: &[
                    Exhibit::Period { game: "S(1,3,4)" },
                    Exhibit::Period { game: "S(2,5)" },
                ],
                task: play("S(1,3,4)", "12"),
                done: "Only the pile’s remainder counts.",
            },
        ],
    },
    Course {
        key: "sums",
        title: "Sums and nim-values",
        about: "Several games at once, and the number that replaces each of them.",
        picture: ("kayles:3 + nim:2", ""),
        steps: &[
            Step {
                title: "The least number that is missing",
                said: &[
                    "The nim-value of a position is the least of 0, 1, 2, … that is not the \
                     nim-value of one of its options. It is called the mex of theirs.",
                    "From this pile you may take 1, 3 or 4. A pile without a move has value 0. \
                     Work upwards.",
                ],
                exhibits: &[],
                task: Task::Value { game: "S(1,3,4)", positions: &["0", "1", "2", "3", "4", "5"] },
                done: "0 is a lost position. Any other number means: some move leads to a 0.",
            },
            Step {
                title: "A heap in disguise",
                said: &[
                    "From a position of value 3 there are moves to values 0, 1 and 2, as from a \
                     Nim heap of three tokens. So a game with this value may stand for the heap. \
                     Here both stand side by side.",
                ],
                exhibits: &[Exhibit::Sum { game: "kayles:3 + nim:3" }],
                task: Task::Play {
                    game: "kayles:3 + nim:3",
                    at: "",
                    second: true,
                    misere: false,
                    columns: false,
                },
                done: "The sum of equal values is lost for whoever has to move.",
            },
            Step {
                title: "Adding without carrying",
                said: &[
                    "Nim-values add as the columns of powers of two do: pairs vanish. Add these \
                     heaps.",
                ],
                exhibits: &[Exhibit::Sum { game: "nim:5 + nim:6" }],
                task: Task::Value {
                    game: "nim",
                    positions: &["1,2", "3,5", "6,4", "1,2,4", "2,4,6"],
                },
                done: "That is the nim-sum.",
            },
            Step {
                title: "Different games",
                said: &["Each part has a value, and the values add. Make the nim-sum zero."],
                exhibits: &[Exhibit::Sum { game: "kayles:5 + S(1,2,3):6" }],
                task: play("kayles:5 + S(1,2,3):6", ""),
                done: "You played a sum by its values alone.",
            },
            Step {
                title: "Three at once",
                said: &[
                    "Sprague and Grundy showed in the 1930s that every such game is a Nim heap in \
                     disguise. Use it.",
                ],
                exhibits: &[Exhibit::Sum { game: "kayles:7 + nim:4 + S(1,2,3):5" }],
                task: play("kayles:7 + nim:4 + S(1,2,3):5", ""),
                done: "Any mixture of games, and you know what to do.",
            },
        ],
    },
    Course {
        key: "kayles",
        title: "Kayles and periods",
        about: "Rows that fall apart, and values that repeat for ever.",
        picture: ("kayles", "9"),
        steps: &[
            Step {
                title: "Knock down one or two",
                said: &[
                    "A row of pins. You knock down one, or two that stand side by side; the row \
                     may fall into two. Find a first move after which you can mirror.",
                ],
                exhibits: &[Exhibit::Compared {
                    game: "kayles",
                    form: "a = 0",
                    misere: false,
                    to: 40,
                    words: "A single row is lost only if it is empty.",
                }],
                task: play("kayles", "7"),
                done: "From the middle every row is won: leave two equal halves.",
            },
            Step {
                title: "Two rows",
                said: &["You are to move. Which are won?"],
                exhibits: &[],
                task: Task::Sort {
                    game: "kayles",
                    misere: false,
                    positions: &["1,1", "1,2", "3,3", "1,4", "2,7"],
                },
                done: "Rows of different lengths may still have equal values.",
            },
            Step {
                title: "Values, upwards",
                said: &["A row of no pins has value 0. Each move leaves two rows, perhaps empty; \
                     their values add without carrying. Take the least number that is missing."],
                exhibits: &[],
                task: Task::Value { game: "kayles", positions: &["1", "2", "3", "4", "5", "6"] },
                done: "So goes every row: by hand, or faster.",
            },
            Step {
                title: "Use the values",
                said: &["Two rows. Their values differ; make them equal."],
                exhibits: &[Exhibit::Values { game: "kayles", to: 15 }],
                task: play("kayles", "5,10"),
                done: "With the values of the rows you know every position of Kayles.",
            },
            Step {
                title: "It repeats for ever",
                said: &[
                    "The values become periodic, and a theorem of Guy and Smith (1956) says after \
                     how many rows one may be sure. Use the period for long rows.",
                ],
                exhibits: &[
                    Exhibit::Period { game: "kayles" },
                    Exhibit::Table { game: "kayles", at: "x", to: 143, nim_values: true },
                ],
                task: Task::Value { game: "kayles", positions: &["96", "150", "204"] },
                done: "A short table answers rows of any length.",
            },
        ],
    },
    Course {
        key: "wythoff",
        title: "Wythoff and the golden ratio",
        about: "A queen in a corner, and lost pairs that lie along two lines.",
        picture: ("wythoff", "5,7"),
        steps: &[
            Step {
                title: "The queen goes home",
                said: &[
                    "Move the queen left, down, or along the diagonal towards the corner. Whoever \
                     brings her home wins.",
                ],
                exhibits: &[],
                task: play("wythoff", "4,6"),
                done: "You left a square from which every move could be answered.",
            },
            Step {
                title: "Safe squares",
                said: &[
                    "The table shows which squares are lost for whoever has to move. You are to \
                     move. Which of these are won?",
                ],
                exhibits: &[Exhibit::Table {
                    game: "wythoff",
                    at: "x,y",
                    to: 10,
                    nim_values: false,
                }],
                task: Task::Sort {
                    game: "wythoff",
                    misere: false,
                    positions: &["1,2", "2,3", "3,5", "4,6", "4,7"],
                },
                done: "Whoever remembers the lost squares needs nothing else.",
            },
            Step {
                title: "Find the partner",
                said: &[
                    "Every number is in exactly one lost pair: the first is the least number not \
                     used before, and the differences are 0, 1, 2, 3, ….",
                ],
                exhibits: &[Exhibit::LostPairs { game: "wythoff", to: 16 }],
                task: Task::Complete { game: "wythoff", positions: &["11,x", "12,x", "14,x"] },
                done: "You can go on like this for ever.",
            },
            Step {
                title: "The golden ratio",
                said: &[
                    "Look at the quotients of the pairs. Wythoff found in 1907 that they come \
                     close to φ = 1.618…, and gave the pairs by multiples of φ. In the form \
                     below, shift(n) = ⌊(n+1)·φ⌋ − 1.",
                ],
                exhibits: &[
                    Exhibit::LostPairs { game: "wythoff", to: 60 },
                    Exhibit::Compared {
                        game: "wythoff",
                        form: "a = 0 & b = 0 | E n: a = shift(n)+1 & b = a+n+1",
                        misere: false,
                        to: 20,
                        words: "The lost pairs are those of Wythoff’s formula.",
                    },
                ],
                task: Task::Complete { game: "wythoff", positions: &["17,x", "25,x"] },
                done: "A game about a queen knows the golden ratio.",
            },
            Step {
                title: "Beat Bouton",
                said: &["Go to a lost pair, and stay on them."],
                exhibits: &[],
                task: play("wythoff", "9,13"),
                done: "You beat perfect play.",
            },
        ],
    },
    Course {
        key: "circular",
        title: "Circular Nim: how a theorem is found",
        about: "Look at a table, guess, be refuted, guess again, prove.",
        picture: ("CN(4,2)", "3,2,4,2"),
        steps: &[
            Step {
                title: "Neighbours on a circle",
                said: &["Four heaps on a circle. A move takes tokens from one heap, or from two \
                     neighbours, as many from each as you like. Whoever cannot move loses."],
                exhibits: &[],
                task: play("CN(4,2)", "1,2,0,0"),
                done: "Now larger ones: which positions should you leave?",
            },
            Step {
                title: "Look at a table",
                said: &[
                    "x and y are the first two heaps, the others are 2 and 1. You are to move. \
                     Which are won?",
                ],
                exhibits: &[Exhibit::Table {
                    game: "CN(4,2)",
                    at: "x,y,2,1",
                    to: 8,
                    nim_values: false,
                }],
                task: Task::Sort {
                    game: "CN(4,2)",
                    misere: false,
                    positions: &["2,1,2,1", "1,1,2,1", "3,0,3,0", "1,2,2,1"],
                },
                done: "Look at all four heaps of a lost square: what do they have in common?",
            },
            Step {
                title: "A first guess",
                said: &["Perhaps two neighbours must be equal? Bouton settles it, and says which \
                     position refutes it. Find a better form yourself: the heaps are a, b, c, d \
                     around the circle."],
                exhibits: &[Exhibit::Refuted {
                    game: "CN(4,2)",
                    form: "a = b",
                    words: "Guess: lost exactly if two neighbours are equal.",
                }],
                task: Task::Guess { game: "CN(4,2)", first: "a = b" },
                done: "Proved for heaps of every size.",
            },
            Step {
                title: "Why it is true",
                said: &[
                    "Two things make the proof: no move leads from such a position to another \
                     one, and from every other position some move leads to one. Heaps that face \
                     each other are never neighbours, so you can always copy.",
                ],
                exhibits: &[Exhibit::claim(
                    "CN(4,2)",
                    "a = c & b = d",
                    "Lost exactly if heaps that face each other are equal.",
                )],
                task: Task::Play {
                    game: "CN(4,2)",
                    at: "2,3,2,3",
                    second: true,
                    misere: false,
                    columns: false,
                },
                done: "The mirror again, across the circle.",
            },
            Step {
                title: "Another circle",
                said: &[
                    "Three heaps, any two of which are neighbours. Guess, and have it proved: a \
                     formula in a, b, c.",
                ],
                exhibits: &[Exhibit::Table {
                    game: "CN(3,2)",
                    at: "x,y,2",
                    to: 6,
                    nim_values: false,
                }],
                task: Task::Guess { game: "CN(3,2)", first: "a = b" },
                done: "Go on with five heaps under Research: there the answers are published \
                    papers.",
            },
        ],
    },
    Course {
        key: "dots",
        title: "Dots and Boxes",
        about: "Chains, the double-cross, and who controls the end.",
        picture: ("dots(2x3)", "---/..../---/..../---"),
        steps: &[
            Step {
                title: "Close the box",
                said: &[
                    "Draw a line between two dots. Whoever draws the fourth side of a box owns it \
                     and moves again. Whoever has more boxes wins.",
                ],
                exhibits: &[],
                task: play("dots(1x3)", "---/|..|/---"),
                done: "A box brings another move: take all you can, here.",
            },
            Step {
                title: "A chain is all or nothing",
                said: &[
                    "Three boxes in a row, open at both ends, with nothing else on the board. By \
                     how many boxes does the player to move win? Write −3 for losing by 3.",
                ],
                exhibits: &[],
                task: Task::Value {
                    game: "dots(1x3)",
                    positions: &["---/..../---", "---/|.../---", "---/||../---"],
                },
                done: "Whoever first draws a line in a chain gives it away.",
            },
            Step {
                title: "Two chains",
                said: &[
                    "Now two chains. Whoever opens one of them loses boxes, but how many? Bouton \
                     has computed what the player to move wins or loses; below you say it, −3 for \
                     losing by 3.",
                ],
                exhibits: &[Exhibit::Margins {
                    game: "dots(2x3)",
                    positions: &["---/..../---/..../---", "---/|.../---/..../---"],
                }],
                task: Task::Value {
                    game: "dots(2x3)",
                    positions: &["---/||../---/..../---", "---/||||/---/..../---"],
                },
                done: "Taking everything is not always best: then you have to open the other \
                    chain.",
            },
            Step {
                title: "The double-cross",
                said: &[
                    "Bouton has opened a chain. If you take all of it, you have to open the other \
                     one. Instead take all but two boxes and draw the far line: Bouton gets two \
                     boxes with one stroke, and has to open the next chain for you.",
                ],
                exhibits: &[],
                task: play("dots(2x3)", "---/|.../---/..../---"),
                done: "Two boxes given, a whole chain won.",
            },
            Step {
                title: "The long-chain rule",
                said: &[
                    "So one wants the other player to open the first long chain, one of three \
                     boxes or more. Who that is depends on whether the number of long chains is \
                     odd or even. This is what Bouton sees on the board:",
                ],
                exhibits: &[Exhibit::Remarks { game: "dots(2x3)", at: "---/..../---/..../---" }],
                task: play("dots(2x2)", ""),
                done: "You know what masters of the game count: long chains.",
            },
        ],
    },
];

/// Returns the step of a name as `nim-4`: the course, and the step counted from 1.
pub(super) fn find(name: &str) -> Option<(&'static Course, usize)> {
    let (key, step) = name.rsplit_once('-')?;
    let course = COURSES.iter().find(|course| course.key == key)?;
    let step: usize = step.parse().ok()?;
    (1..=course.steps.len()).contains(&step).then_some((course, step))
}
