//! What is answered: a status, headers and a body.

use maud::Markup;
use serde_json::Value;

/// What became of a request, in the words of HTTP.
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
    /// The number.
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
    /// What became of the request.
    pub status: Status,
    /// Names in small letters, and values.
    pub headers: Vec<(&'static str, String)>,
    /// What is shown.
    pub body: Vec<u8>,
}

impl Response {
    pub(crate) fn new(kind: &str, body: impl Into<Vec<u8>>) -> Response {
        Response { status: Status::Ok, headers: vec![("content-type", kind.to_owned())], body: body.into() }
    }

    pub(crate) fn text(kind: &str, text: impl Into<String>) -> Response {
        Response::new(&format!("{kind}; charset=utf-8"), text.into())
    }

    pub(crate) fn html(markup: Markup) -> Response {
        Response::text("text/html", markup.into_string())
    }

    pub(crate) fn json(value: &Value) -> Response {
        Response::new("application/json", value.to_string())
    }

    /// Leads to another address.
    pub(crate) fn redirect(to: String) -> Response {
        Response { status: Status::SeeOther, headers: vec![("location", to)], body: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: String) -> Response {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn status(mut self, status: Status) -> Response {
        self.status = status;
        self
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }
}
