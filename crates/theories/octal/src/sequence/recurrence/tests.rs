use super::*;
use crate::sequence::period::find_period;
use crate::sequence::{CheckpointError, TakeAndBreakCode};
use bouton_core::Budget;

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn sequence(text: &str, len: usize) -> Sequence {
    let mut sequence = Sequence::new(TakeAndBreakCode::parse(text).unwrap()).with_threads(1);
    sequence.extend(len, &mut meter()).unwrap();
    sequence
}

fn found(search: &mut Recurrence, sequence: &Sequence, most: usize) -> Option<Period> {
    search.seek(sequence, most, &mut meter(), |_| Ok::<_, WindowStop>(())).unwrap()
}

/// The same periods as with all values at hand, of which those of 0.16 are long (A. Gangolli, T.
/// Plambeck 1989), wherever the window begins: behind the preperiod, before it, and less than a
/// period after it.
#[test]
fn periods_are_those_of_the_whole_history() {
    for (text, start) in [("0.77", 400_000), ("0.16", 400_000), ("0.16", 250_000)] {
        let mut whole = sequence(text, 64);
        let expected = find_period(&mut whole, 1 << 22, &mut meter()).unwrap().unwrap();
        let known = sequence(text, start);
        let Some(mut search) = Recurrence::new(&known) else { panic!("{text} has settled") };
        let period = found(&mut search, &known, 1 << 22).unwrap();
        assert_eq!(
            (period.period, period.preperiod),
            (expected.period, expected.preperiod),
            "{text}"
        );
    }
}

/// What was begun goes on from its file, to the same end; a damaged or another game's file is
/// refused.
#[test]
fn a_search_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("windows");
    let known = sequence("0.106", 300_000);
    let mut search = Recurrence::new(&known).unwrap();
    assert_eq!(found(&mut search, &known, 3_000_000), None);
    search.save(&path, known.game()).unwrap();
    let mut again = sequence("0.106", 64);
    let mut resumed = Recurrence::open(&path, &mut again, &mut meter()).unwrap().unwrap();
    assert_eq!((resumed.len(), again.len()), (search.len(), known.len()));
    for search in [&mut search, &mut resumed] {
        assert_eq!(found(search, &known, 6_000_000), None);
    }
    assert_eq!(resumed.window.latest(STRETCH), search.window.latest(STRETCH));
    assert_eq!((&resumed.marks, &resumed.kept), (&search.marks, &search.kept));
    let mut short = Meter::new(&Budget { nodes: Some(1 << 19), ..Budget::default() });
    let spent = resumed.seek(&known, 1 << 30, &mut short, |_| Ok::<_, WindowStop>(()));
    assert!(matches!(spent, Err(WindowStop::LimitReached(LimitReached::Nodes(_)))));

    let nowhere = folder.path().join("nowhere");
    assert!(Recurrence::open(&nowhere, &mut again, &mut meter()).unwrap().is_none());
    let mut other = sequence("0.104", 64);
    let refused = Recurrence::open(&path, &mut other, &mut meter());
    assert!(matches!(refused, Err(CheckpointError::OtherGame(game)) if game == "0.106"));
    let mut text = std::fs::read(&path).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    std::fs::write(&path, &text).unwrap();
    assert!(matches!(
        Recurrence::open(&path, &mut again, &mut meter()),
        Err(CheckpointError::Damaged(_))
    ));
    std::fs::write(&path, &text[..10]).unwrap();
    assert!(matches!(
        Recurrence::open(&path, &mut again, &mut meter()),
        Err(CheckpointError::Foreign)
    ));
}

/// Hashes made from one another are those of the windows, and landmarks are as dense as they should
/// be.
#[test]
fn hashes_follow_the_window() {
    let known = sequence("0.106", 300_000);
    let mut search = Recurrence::new(&known).unwrap();
    let Recurrence { window, marks, .. } = &mut search;
    window.advance(&mut meter(), |window| drop(marks.matches(window))).unwrap();
    assert_eq!(search.marks.hash, hash(search.window.latest(search.window.width())));
    assert!((STRETCH >> (ZEROS + 1)..STRETCH >> (ZEROS - 1)).contains(&search.marks.heaps.len()));
}

#[test]
fn numbers_have_their_primes() {
    assert_eq!(primes(1), [0usize; 0]);
    assert_eq!(primes(149_459), [149_459]);
    assert_eq!(primes(11_770_282), [2, 5_885_141]);
}
