//! The words that say how a game is played: *misère nim 3 4 5*, *nim 3 4 5, last loses*.

use crate::{Catalogue, phrase};
use bouton_core::{NotationError, Play};
use bouton_engine::game::Kind;

/// The word for misère play, as people write it.
const MISERE: &[&str] = &["misere", "misère", "(misere)", "(misère)"];

/// What separates the words that say it from what stands before them.
const BETWEEN: [char; 5] = [' ', '\t', ',', ';', ':'];

impl Catalogue {
    /// Takes the words that say how a game is played out of a game and the words of a position
    /// behind it: `misere nim 3 4 5`, `nim misere 3 4 5`, `nim 3 4 5 misere`, `nim 3 4 5, last
    /// loses`. Returns what they say, or what the game's name on the shelf says (`nim-3-misere`);
    /// `None` if that is nothing. A game of a rule file is what its file says, whatever its name;
    /// where the word *misère* is a position of it, as of a game of words, it is that.
    ///
    /// # Errors
    /// If normal and misère play are both said, or who wins by the last token of a game in which it
    /// is never taken, or if the word *misère* stands beside a position of a game of words.
    pub fn take_play(&self, words: &mut Vec<String>) -> Result<Option<Play>, NotationError> {
        part_from_brackets(words);
        let Some(game) = words.first() else { return Ok(None) };
        let own = self.own_game_of(game);
        let is_position = own.as_ref().is_some_and(|own| own.normal_form(MISERE[0]).is_ok());
        // `misere-nim` is Nim in misère play, if no game has this name.
        let hyphened = own.is_none().then(|| game.split_once('-')).flatten();
        if let Some((_, name)) = hyphened.filter(|(word, _)| is_misere(word.trim_start()))
            && self.shelf_game(game).is_none()
        {
            words[0] = format!("{} {name}", MISERE[0]);
        }
        let whole = words.join(" ");
        let refused = |message: String, accepted: &str| {
            Err(NotationError::new(&whole, 0..whole.len(), message, accepted))
        };
        let (mut said, mut of_the_last) = (Vec::new(), false);
        while let Some((play, is_of_the_last)) = take_once(words, is_position) {
            said.push(play);
            of_the_last |= is_of_the_last;
        }
        // Beside another position of a game of words, it may be either.
        let mut others = words.clone();
        if let Some(own) = own.filter(|_| is_position)
            && take_misere(&mut others)
            && others.join(" ").trim() != own.name()
        {
            return refused(
                "the word misère may belong to the position, or say misère play".into(),
                "`last loses` behind the position for misère play",
            );
        }
        // Names of several words may stand without quotation marks: `candy piles 4,3,1`.
        let named = words.join(" ");
        for game in self.shelf_games(&named).filter(|_| of_the_last) {
            if game.last_stays {
                return refused(
                    format!(
                        "in {} the last one is never taken: whoever cannot move loses",
                        game.name
                    ),
                    "the game without these words; `misère play`, in which whoever cannot move wins",
                );
            }
            if game.last_decides_nothing {
                return refused(
                    format!("in {} nobody wins or loses by taking the last one", game.name),
                    "the game without these words",
                );
            }
        }
        let game = words.first().map_or("", String::as_str);
        let shelved = || self.shelf_game(&named).and_then(|game| self.parse(&game.name).ok());
        let read = || self.parse(game).ok().or_else(shelved);
        let is_scored = || read().is_some_and(|named| named.game.kind() == Kind::Scored);
        if !said.is_empty() && is_scored() {
            return refused(
                format!("{game} is won on points, by whoever has more of them"),
                "the game without words of the last move",
            );
        }
        let by_name = self.play_of(&named, Play::Normal);
        said.extend(Some(by_name).filter(|play| *play == Play::Misere));
        let play = said.first().copied();
        if said.iter().any(|other| Some(*other) != play) {
            return refused(
                "this says both normal and misère play".into(),
                "one of them: `last wins` is normal play, `last loses` is misère play",
            );
        }
        Ok(play)
    }
}

/// Parts the word *misère* from a bracket behind it: `kayles misere[5]`.
fn part_from_brackets(words: &mut Vec<String>) {
    for at in (0..words.len()).rev() {
        let text = words[at].clone();
        let starts = text.char_indices().map(|(start, _)| start);
        let mut begun = starts.filter(|start| text[..*start].chars().last().is_none_or(is_between));
        let Some(end) = begun.find_map(|start| misere_before_bracket(&text, start)) else {
            continue;
        };
        if at > 0 && is_misere(&text[..end]) {
            let behind = words[at].split_off(end);
            words.insert(at + 1, behind);
        } else {
            words[at].insert(end, ' ');
        }
    }
}

fn is_between(c: char) -> bool {
    BETWEEN.contains(&c)
}

/// Returns where the word *misère* ends that begins at a byte, if a bracket follows.
fn misere_before_bracket(text: &str, start: usize) -> Option<usize> {
    let end = start + text[start..].find(['[', '(', '{'])?;
    let is_word = MISERE[..2].contains(&text[start..end].to_lowercase().as_str());
    is_word.then_some(end)
}

fn is_misere(word: &str) -> bool {
    MISERE.contains(&word.trim_end_matches(BETWEEN).to_lowercase().as_str())
}

/// Takes the words out that say it once; the word *misère* alone may be a position. Returns the
/// play, and whether they are of the last token.
fn take_once(words: &mut Vec<String>, is_position: bool) -> Option<(Play, bool)> {
    if let found @ Some(_) = take_ending(words) {
        return found;
    }
    // At the end of the game, before a position: `nim, last loses`.
    if words.len() > 1 {
        let mut game = vec![words[0].clone()];
        if let found @ Some(_) = take_ending(&mut game)
            && !game[0].is_empty()
        {
            words[0] = game.remove(0);
            return found;
        }
    }
    (!is_position && take_misere(words)).then_some((Play::Misere, false))
}

/// Takes the word *misère* out, where it stands once.
fn take_misere(words: &mut Vec<String>) -> bool {
    if words.len() > 1 && is_misere(&words[0]) {
        words.remove(0);
        return true;
    }
    // Between the game and its position: `kayles misere 9`.
    if words.len() > 2 && is_misere(&words[1]) {
        words.remove(1);
        return true;
    }
    let parts: Vec<&str> = words[0].split_whitespace().collect();
    let is_inside = |at: &usize| at + 1 < parts.len() || *at > 0 && words.len() > 1;
    if let Some(at) = parts.iter().position(|part| is_misere(part)).filter(is_inside) {
        let before = parts[..at].join(" ").trim_end_matches(BETWEEN).to_owned();
        words[0] = [&[before.as_str()][..], &parts[at + 1..]].concat().join(" ").trim().to_owned();
        return true;
    }
    let is_alone = words.len() == 1;
    let Some(last) = words.last_mut() else { return false };
    if let Some((rest, word)) = last.trim_end().rsplit_once(char::is_whitespace)
        && is_misere(word)
    {
        *last = rest.trim_end_matches(BETWEEN).to_owned();
        return true;
    }
    if !is_alone && is_misere(last) {
        words.pop();
        return true;
    }
    false
}

/// Takes the words that say who wins off the end, if they stand there. Returns the play, and
/// whether they are of the last token.
fn take_ending(words: &mut Vec<String>) -> Option<(Play, bool)> {
    let whole = words.join(" ");
    let (end, loses) = phrase::play_phrase_at_end(&whole)?;
    let is_of_the_last = whole[end..].to_lowercase().contains("last");
    let end = whole[..end].trim_end_matches(BETWEEN).len();
    let mut begin = 0;
    for word in words.iter_mut() {
        let next = begin + word.len() + 1;
        word.truncate(end.saturating_sub(begin));
        begin = next;
    }
    let mut at = 0;
    words.retain(|word| {
        at += 1;
        at == 1 || !word.is_empty()
    });
    Some((if loses { Play::Misere } else { Play::Normal }, is_of_the_last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left, and what was said: `m`, `n`, or nothing.
    fn taken(text: &[&str]) -> Option<(Vec<String>, Option<Play>)> {
        let mut words: Vec<String> = text.iter().map(|word| (*word).to_owned()).collect();
        let play = Catalogue::standard().take_play(&mut words).ok()?;
        Some((words, play))
    }

    #[test]
    fn words_that_say_how_a_game_is_played() {
        let (misere, normal) = (Some(Play::Misere), Some(Play::Normal));
        for (text, left, play) in [
            (&["misere nim 3 4 5"][..], &["nim 3 4 5"][..], misere),
            (&["misere", "nim", "3,4,5"], &["nim", "3,4,5"], misere),
            (&["Misère Kayles", "9"], &["Kayles", "9"], misere),
            (&["kayles", "misere", "9"], &["kayles", "9"], misere),
            (&["kayles misere", "9"], &["kayles", "9"], misere),
            (&["kayles", "9", "misere"], &["kayles", "9"], misere),
            (&["kayles", "9 misere"], &["kayles", "9"], misere),
            (&["kayles 9, misere"], &["kayles 9"], misere),
            (&["kayles 5 + misere kayles 5"], &["kayles 5 + kayles 5"], misere),
            (&["misere kayles 5, last loses"], &["kayles 5"], misere),
            (&["nim, last loses", "1,1"], &["nim", "1,1"], misere),
            (&["nim", "1,1", "in", "misere", "play"], &["nim", "1,1"], misere),
            (&["nim 1,1 (misère play)"], &["nim 1,1"], misere),
            (&["nim 1,1, whoever takes the last stone wins"], &["nim 1,1"], normal),
            (&["nim-3-misere", "1,1,1"], &["nim-3-misere", "1,1,1"], misere),
            (&["nim", "1,1"], &["nim", "1,1"], None),
            (&["misere"], &["misere"], None),
            (&["misere chomp", "3x4"], &["chomp", "3x4"], misere),
            (&["kayles 9: last loses"], &["kayles 9"], misere),
            (&["kayles 9, whoever cannot move wins"], &["kayles 9"], misere),
            (&["candy piles 4,3,1, whoever cannot move loses"], &["candy piles 4,3,1"], normal),
            (&["misere-nim 1,1"], &["nim 1,1"], misere),
            (&["Misère-Kayles", "9"], &["Kayles", "9"], misere),
            (&["Nim, misère: 1,1"], &["Nim 1,1"], misere),
            (&["kayles misere[5]"], &["kayles [5]"], misere),
            (&["kayles", "Misère(5,3)"], &["kayles", "(5,3)"], misere),
            (&["kayles, misère", "9"], &["kayles", "9"], misere),
            (&["kayles\t9\tmisere"], &["kayles\t9"], misere),
            (&["wythoff-misere[1,2]"], &["wythoff-misere[1,2]"], misere),
            (&["wythoff-misere(1,2)"], &["wythoff-misere(1,2)"], misere),
            (&["nim 3 + nim-3-misere{1,1,1}"], &["nim 3 + nim-3-misere{1,1,1}"], misere),
            (&["wythoff-misere\t1,2"], &["wythoff-misere\t1,2"], misere),
            (&["Misère_Wythoff 1,2"], &["Misère_Wythoff 1,2"], misere),
            (&["nim 1,1, the one who takes the last match loses"], &["nim 1,1"], misere),
            (&["take one from 2, last loses"], &["take one from 2"], misere),
        ] {
            let left: Vec<String> = left.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(taken(text), Some((left, play)), "{text:?}");
        }
        for text in [
            "wythoff-misere 1,2, last wins",
            "misere wythoff 1,2, last wins",
            "nim 1,1 misere, normal play",
            // The poisoned square is never taken: `last loses` is no misère play.
            "chomp 3x4, last loses",
            "nim 2 + candy piles 3,2, whoever eats the last one loses",
            "candy piles 3,2, last loses",
            "dots(2x2), last wins",
            "chomp[3x4], last loses",
            // 1 is named last, by the loser; an even number wins, whoever takes the last marble.
            "sylver coinage 15, last loses",
            "even wins 27, whoever takes the last marble loses",
            "wythoff-misere[1,2], last wins",
        ] {
            assert_eq!(taken(&[text]), None, "{text}");
        }
        // A name of several words without quotation marks.
        assert_eq!(taken(&["candy", "piles", "4,3,1,", "last", "loses"]), None);
        assert_eq!(taken(&["dots", "and", "boxes", "2x2,", "last", "wins"]), None);
    }
}
