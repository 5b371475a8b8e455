use super::*;
use crate::sequence::TakeAndBreakCode;
use bouton_core::{Budget, Meter};

fn run_within(
    path: &Path,
    text: &str,
    steps: &[usize],
    storage: StorageBudget,
) -> Result<Sequence, CheckpointError> {
    let sequence =
        Sequence::new(TakeAndBreakCode::parse(text).unwrap()).with_storage(storage.clone());
    let (mut checkpoint, values) = Checkpoint::open(path, sequence.game(), storage)?;
    let mut sequence = sequence.resume(values)?;
    for len in steps {
        sequence.extend(*len, &mut Meter::new(&Budget::default()))?;
        checkpoint.append(&sequence)?;
    }
    Ok(sequence)
}

fn run(path: &Path, text: &str, steps: &[usize]) -> Result<Sequence, CheckpointError> {
    run_within(path, text, steps, StorageBudget::default())
}

/// Returns a folder of its own for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("bouton-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = folder("resumed");
    for (text, lengths) in [
        ("4!.0", [100, 3000, 3001, 9000]),
        ("0.77", [10, 20, 600, 5000]),
        ("0.104", [300, 2000, 5000, 9000]),
        ("0.[3]", [100, 300, 400, 500]),
        ("0.F", [5, 9, 40, 60]),
    ] {
        let path = folder.join(text);
        let mut straight = Sequence::new(TakeAndBreakCode::parse(text).unwrap());
        straight.extend(lengths[3], &mut Meter::new(&Budget::default())).unwrap();
        for len in lengths {
            let resumed = run(&path, text, &[len]).unwrap();
            assert!(resumed.values().eq(straight.values().take(len)), "{text} to {len}");
        }
        assert!(
            matches!(run(&path, "0.07", &[]), Err(CheckpointError::OtherGame(game)) if game == text)
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn one_run_a_checkpoint() {
    let folder = folder("busy");
    let path = folder.join("grundy");
    let (first, _) = Checkpoint::open(&path, "4!.0", StorageBudget::default()).unwrap();
    assert!(matches!(
        Checkpoint::open(&path, "4!.0", StorageBudget::default()),
        Err(CheckpointError::Busy)
    ));
    drop(first);
    assert!(Checkpoint::open(&path, "4!.0", StorageBudget::default()).is_ok());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Cut short: what was sealed before is used. Changed: nothing is, and the file stays.
#[test]
fn a_damaged_checkpoint_is_never_used() {
    let folder = folder("damaged");
    let path = folder.join("grundy");
    let lengths = [50, 90, 130, 1000];
    run(&path, "4!.0", &lengths).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8], what: &str| {
        std::fs::write(&path, bytes).unwrap();
        let error = run(&path, "4!.0", &[1100]).unwrap_err();
        let fits = matches!(
            error,
            CheckpointError::Damaged(_) | CheckpointError::Foreign | CheckpointError::OtherGame(_)
        );
        assert!(fits, "{what}: {error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{what}");
    };
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        refused(&damaged, &format!("byte {at}"));
    }
    // Two blocks of forty values each, the second and the third, swapped; the second left out.
    let head = TITLE.len() + "game: 4!.0\n\n".len();
    let starts =
        [head + HEAD + 50 + SEAL, head + 2 * (HEAD + SEAL) + 90, head + 3 * (HEAD + SEAL) + 130];
    let (second, third) = (&whole[starts[0]..starts[1]], &whole[starts[1]..starts[2]]);
    refused(&[&whole[..starts[0]], third, second, &whole[starts[2]..]].concat(), "swapped");
    refused(&[&whole[..starts[0]], &whole[starts[1]..]].concat(), "left out");
    for cut in [whole.len() - 1, whole.len() - SEAL, starts[2] + HEAD + 1, starts[2] + 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(run(&path, "4!.0", &[]).unwrap().len(), 130, "cut at {cut}");
    }
    run(&path, "4!.0", &[1000]).unwrap();
    assert_eq!(run(&path, "4!.0", &[]).unwrap().len(), 1000);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// With a file in place of memory all is the same; without one, what is too large is refused and
/// the checkpoint kept.
#[test]
fn past_memory_values_lie_in_a_file_or_are_refused() {
    let folder = folder("room");
    let small = |folder| StorageBudget { memory: 4000, folder };
    for text in ["4!.0", "0.104"] {
        let straight = run(&folder.join("straight"), text, &[20_000]).unwrap();
        std::fs::remove_file(folder.join("straight")).unwrap();
        let path = folder.join(text);
        for len in [3000, 9000, 20_000] {
            let mapped = run_within(&path, text, &[len], small(Some(folder.clone()))).unwrap();
            assert!(mapped.values().eq(straight.values().take(len)), "{text} to {len}");
        }
        let refused = run_within(&path, text, &[], small(None)).unwrap_err();
        assert!(
            matches!(refused, CheckpointError::OutOfStorage(LimitReached::Memory { .. })),
            "{refused}"
        );
        assert_eq!(run(&path, text, &[]).unwrap().len(), 20_000);
    }
    for text in ["4!.0", "0.[3]", "0.F"] {
        let mut sequence =
            Sequence::new(TakeAndBreakCode::parse(text).unwrap()).with_storage(small(None));
        let spent = sequence.extend(100_000, &mut Meter::new(&Budget::default())).unwrap_err();
        assert!(
            matches!(spent, LimitReached::Memory { needed: 100_000 | 400_000, free: 4000 }),
            "{text}: {spent}"
        );
    }
    let mut sequence = Sequence::new(TakeAndBreakCode::parse("0.77").unwrap());
    let spent = sequence.extend(usize::MAX, &mut Meter::new(&Budget::default())).unwrap_err();
    assert!(matches!(spent, LimitReached::TooManyHeaps(_)), "{spent}");
    std::fs::remove_dir_all(&folder).unwrap();
}
