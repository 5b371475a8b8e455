//! Courses: short steps with a thought, what the engine finds on it, and something to do that it
//! judges at once. Nothing is kept here; the page's script remembers on the device which steps are
//! done.

mod courses;
mod exhibit;
mod task;

use super::Page;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::Budget;
use bouton_draw::{Picture, svg};
use courses::{COURSES, Course, Step, find};
use maud::{Markup, PreEscaped, html};
use task::Task;

/// Shows the courses; or a step, which is a page of questions or leads to a game.
pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let key = request.get("course");
    if key.is_empty() {
        return Ok(all(site));
    }
    let step = if request.get("step").is_empty() { "1" } else { request.get("step") };
    let none = || RequestError::new(Status::NotFound, "there is no such step of a course");
    let name = format!("{key}-{step}");
    let (course, step) = find(&name).ok_or_else(none)?;
    if let Some(href) = course.steps[step - 1].task.href(&name) {
        return Ok(Response::redirect(href));
    }
    let told = &course.steps[step - 1];
    let checked = told.task.check(site, budget, |i| request.get(&task::field(i)).to_owned())?;
    let body = html! {
        h1 { (course.title) }
        div.lesson.standing-alone {
            (heading(course, step))
            @for said in told.said { p { (said) } }
            (exhibits(site, told, budget))
            form.questions action="/learn" method="get" data-live="checked" data-marks="" {
                input type="hidden" name="course" value=(course.key);
                input type="hidden" name="step" value=(step);
                (told.task.form(site, request, &name, &checked))
                p.acts { button { "Check" } }
            }
            div #checked role="status" aria-live="polite" {
                @if checked.is_done() { (done(course, step)) }
            }
        }
    };
    Ok(Response::page(format!("{}: {}", course.title, told.title), body))
}

/// Returns where a step begins.
fn href(course: &Course, step: usize) -> String {
    let name = format!("{}-{step}", course.key);
    course.steps[step - 1]
        .task
        .href(&name)
        .unwrap_or_else(|| format!("/learn?course={}&step={step}", course.key))
}

/// Returns the courses with their steps. The script marks those that are done.
fn all(site: &Site) -> Response {
    let body = html! {
        h1 { "Learn" }
        p.lead { "Eight short courses. Every answer is judged at once by the engine that proves \
            theorems here; none of them is written down." }
        div.families.courses {
            @for course in &COURSES {
                section.family data-course=(course.key) {
                    a.picture href=(href(course, 1)) tabindex="-1" aria-hidden="true" {
                        (picture(site, course.picture.0, course.picture.1)) }
                    h2 { a href=(href(course, 1)) { (course.title) } }
                    p { (course.about) }
                    p.progress.notation hidden {}
                    ol { @for (i, step) in course.steps.iter().enumerate() {
                        li { a href=(href(course, i + 1)) data-step={ (course.key) "-" (i + 1) }
                            { (step.title) } } } }
                }
            }
        }
        p.acts { a.button href="/puzzles" { "Puzzles" } a.button href="/words" { "The words" }
            button #forget type="button" hidden { "Forget what is done" } }
    };
    Response::page("Learn", body)
}

/// Shows the name of a step and its place in the course.
fn heading(course: &Course, step: usize) -> Markup {
    html! {
        p.step {
            "Learn " (course.title) " · step " (step) " of " (course.steps.len()) " · "
            a href="/learn" { "all courses" }
        }
        h2 { (course.steps[step - 1].title) }
    }
}

fn exhibits(site: &Site, step: &Step, budget: &Budget) -> Markup {
    html! {
        @for exhibit in step.exhibits {
            @if let Ok(found) = exhibit.find(site, budget) {
                (found.shown)
                @if found.holds == Some(false) { p.bad { "The engine finds that this does not hold."
                    } }
            }
        }
    }
}

/// Shows what is said of a step that is done, and where to go on.
fn done(course: &Course, step: usize) -> Markup {
    html! {
        p.good data-done={ (course.key) "-" (step) } { (course.steps[step - 1].done) }
        @if step < course.steps.len() {
            p { a.button.main data-go="" href=(href(course, step + 1)) { "Next step" } }
        } @else {
            p { a.button.main href="/learn" { "All courses" } }
        }
    }
}

/// How a game that is a step of a course stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CourseState {
    /// No move was made by the visitor.
    Opening,
    Course,
    Won,
    Lost,
}

/// Shows the step that a game is, beside its board.
pub(super) fn beside(
    site: &Site,
    name: &str,
    standing: CourseState,
    budget: &Budget,
    columns: impl FnOnce() -> Markup,
) -> Markup {
    let Some((course, step)) = find(name) else { return html! {} };
    let told = &course.steps[step - 1];
    html! {
        div.lesson {
            (heading(course, step))
            @match standing {
                CourseState::Won => { (exhibits(site, told, budget)) (done(course, step)) }
                CourseState::Lost => {
                    p { "Bouton won this one." }
                    p { a.button.main data-go="" href=(href(course, step)) { "Try again" } }
                }
                CourseState::Opening | CourseState::Course => {
                    @for said in told.said { p { (said) } }
                    // The theorem of a game of Nim is what the game is to show.
                    @if standing == CourseState::Opening && course.key != "nim" {
                        (exhibits(site, told, budget)) }
                    @if matches!(told.task, Task::Play { columns: true, .. }) { (columns()) }
                }
            }
        }
    }
}

/// Returns where the step of this name begins.
pub(super) fn begin(name: &str) -> Option<String> {
    let (course, step) = find(name)?;
    Some(href(course, step))
}

fn picture(site: &Site, name: &str, at: &str) -> Markup {
    let board = || {
        let named = site.catalogue.parse(name).ok()?;
        let start = || {
            named.position.clone().or_else(|| named.game.start()).or_else(|| named.opening.clone())
        };
        let at = if at.is_empty() { start()? } else { at.to_owned() };
        Some((named.game.board(&at).ok()?, at))
    };
    match board() {
        Some((board, at)) => {
            let scene = Picture::Board(format!("{name} {at}"), board).scene();
            html! { (PreEscaped(svg::inline(&scene, |_| None))) }
        }
        None => html! {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_engine::Settings;

    /// Whatever a step says of the games is so, by the engine and with time enough.
    #[test]
    fn exhibits_hold() {
        let site = Site::default();
        for course in &COURSES {
            assert!((5..=6).contains(&course.steps.len()), "{}", course.key);
            for step in course.steps {
                for exhibit in step.exhibits {
                    let found = exhibit.find(&site, &Budget::default());
                    let holds = found.ok().and_then(|found| found.holds);
                    assert_eq!(holds, Some(true), "{}: {}", course.key, step.title);
                }
            }
        }
    }

    /// Questions have answers that are found right, and no other: by trying all of them.
    #[test]
    fn questions_have_one_answer() {
        let site = Site::default();
        let budget = Budget::default();
        for course in &COURSES {
            for step in course.steps {
                let (game, positions) = step.task.asked();
                let numbers: Vec<String> = (-9..60).map(|n: i64| n.to_string()).collect();
                let tried = match step.task {
                    Task::Play { .. } | Task::Guess { .. } => continue,
                    Task::Sort { .. } => vec!["won".to_owned(), "lost".to_owned()],
                    _ => numbers,
                };
                let mut right = vec![0; positions.len()];
                for answer in &tried {
                    let checked = step.task.check(&site, &budget, |_| answer.clone());
                    let remarks = checked.map(|checked| checked.remarks).unwrap_or_default();
                    for (count, remark) in right.iter_mut().zip(&remarks) {
                        *count += usize::from(remark.as_ref().is_some_and(|remark| remark.right));
                    }
                }
                assert!(right.iter().all(|count| *count == 1), "{game} {positions:?} {right:?}");
                // Both answers occur.
                if let Task::Sort { .. } = step.task {
                    let all = step.task.check(&site, &budget, |_| "won".into());
                    let won = all
                        .map_or(0, |all| all.remarks.iter().flatten().filter(|r| r.right).count());
                    assert!(0 < won && won < positions.len(), "{game} {positions:?}");
                }
            }
        }
    }

    /// The first guess is wrong, and a right one is proved. The right ones are of the literature:
    /// periods of subtraction sets (Winning Ways, chapter 4), and Dufour and Heubach, Circular Nim
    /// games (2013).
    #[test]
    fn guesses_are_judged() {
        let site = Site::default();
        let budget = Budget::default();
        for course in &COURSES {
            for step in course.steps {
                let Task::Guess { game, first } = step.task else { continue };
                let right = match game {
                    "S(1,3,4;1)" => "a mod 7 = 0 | a mod 7 = 2",
                    "CN(4,2)" => "a = c & b = d",
                    "CN(3,2)" => "a = b & b = c",
                    _ => "",
                };
                let is_done = |form: &str| {
                    let checked = step.task.check(&site, &budget, |_| form.to_owned());
                    checked.is_ok_and(|checked| checked.is_done())
                };
                assert!(!is_done(first) && is_done(right) && !is_done("a = "), "{game}");
            }
        }
    }

    /// The games of the steps are won for the visitor.
    #[test]
    fn games_are_won() {
        let site = Site::default();
        for course in &COURSES {
            for step in course.steps {
                let Task::Play { game, at, second, misere, .. } = step.task else { continue };
                let Ok(named) = site.catalogue.parse(game) else { panic!("{game}") };
                let start = || named.position.clone().or_else(|| named.game.start());
                let at = if at.is_empty() { start().unwrap_or_default() } else { at.to_owned() };
                let play =
                    crate::playthrough::play(&site.catalogue, game, if misere { "1" } else { "" });
                let found =
                    named.game.session(Settings { play, ..Settings::default() }).evaluate(&at);
                let Ok(Ok(found)) = found else { panic!("{game} {at}") };
                let won = found.outcome.map(|outcome| outcome == bouton_core::Outcome::N);
                let won = won.or(found.margin.map(|margin| margin > 0));
                assert_eq!(won, Some(!second), "{game} {at}");
            }
        }
    }
}
