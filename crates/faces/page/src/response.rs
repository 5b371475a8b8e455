//! What is answered: a status, headers and a body.

use crate::api::Json;
use crate::frame::{Content, Frame, framed};
use crate::routes::Event;
use maud::Markup;

/// The result of a request, in the words of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// 200
    Ok,
    /// 303: look there.
    SeeOther,
    /// 400: not understood.
    BadRequest,
    /// 404
    NotFound,
    /// 405
    MethodNotAllowed,
    /// 414: the address is too long.
    UriTooLong,
    /// 422: understood, but there is no answer, or more than a request may cost.
    Unprocessable,
    /// 429: too much work is waiting.
    TooManyRequests,
    /// 500
    Internal,
}

impl Status {
    /// Returns the status code of HTTP.
    pub fn code(self) -> u16 {
        match self {
            Status::Ok => 200,
            Status::SeeOther => 303,
            Status::BadRequest => 400,
            Status::NotFound => 404,
            Status::MethodNotAllowed => 405,
            Status::UriTooLong => 414,
            Status::Unprocessable => 422,
            Status::TooManyRequests => 429,
            Status::Internal => 500,
        }
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// The result of the request.
    pub status: Status,
    /// Names in small letters, and values.
    pub headers: Vec<(&'static str, String)>,
    /// What is shown.
    pub body: Vec<u8>,
    /// What will be shown in a frame.
    pub(crate) page: Option<Content>,
}

impl Response {
    /// Returns the last event of a long work as an answer: its name, a line's end, JSON.
    pub fn of_event(event: &Event) -> Response {
        Response::text("text/plain", format!("{}\n{}", event.name, event.data))
    }

    /// Returns the answer with its page framed.
    pub(crate) fn framed(mut self, frame: &Frame<'_>) -> Response {
        if let Some(content) = self.page.take() {
            self.body = framed(&content, frame).into_string().into_bytes();
        }
        self
    }

    /// Returns the answer for a site under a path of its host, as `/bouton`: links, forms, pictures
    /// and redirects get it in front. In markup of ours a quotation mark behind ` href=` is
    /// always that of an attribute, as typed ones are escaped.
    #[must_use]
    pub fn under(mut self, root: &str) -> Response {
        if root.is_empty() {
            return self;
        }
        for (name, value) in &mut self.headers {
            if *name == "location" && value.starts_with('/') {
                value.insert_str(0, root);
            }
        }
        if self.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            let mut text = String::from_utf8_lossy(&self.body).into_owned();
            for name in [
                " href=\"/",
                " src=\"/",
                " data-from=\"/",
                " data-src=\"/",
                " action=\"/",
                " data-stream=\"/",
                " data-engine=\"/",
            ] {
                text = text.replace(name, &format!("{}{root}/", &name[..name.len() - 1]));
            }
            self.body = text.into_bytes();
        }
        self
    }

    pub(crate) fn new(kind: &str, body: impl Into<Vec<u8>>) -> Response {
        Response {
            status: Status::Ok,
            headers: vec![("content-type", kind.to_owned())],
            body: body.into(),
            page: None,
        }
    }

    pub(crate) fn text(kind: &str, text: impl Into<String>) -> Response {
        Response::new(&format!("{kind}; charset=utf-8"), text.into())
    }

    pub(crate) fn page(title: impl Into<String>, main: Markup) -> Response {
        Response::of_content(Content::new(title, main))
    }

    pub(crate) fn of_content(content: Content) -> Response {
        Response { page: Some(content), ..Response::text("text/html", "") }
    }

    pub(crate) fn json(Json(text): Json) -> Response {
        Response::new("application/json", text)
    }

    /// Leads to another address.
    pub(crate) fn redirect(to: String) -> Response {
        Response {
            status: Status::SeeOther,
            headers: vec![("location", to)],
            body: Vec::new(),
            page: None,
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: String) -> Response {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn status(mut self, status: Status) -> Response {
        self.status = status;
        self
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }
}
