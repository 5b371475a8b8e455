//! Parameters that are kept from page to page: they are added to the links, forms and redirects of
//! an answer. This is done in one place, on the finished markup, so no page has to do it.

use crate::request::encoded;
use crate::response::Response;

/// Returns the answer with a parameter in every address of ours of which `about` holds, and in
/// every form.
pub(crate) fn add_parameter(
    mut response: Response,
    name: &str,
    value: &str,
    about: impl Fn(&str) -> bool,
) -> Response {
    let parameter = format!("{name}={}", encoded(value));
    let about = |address: &str| about(address) && !address.contains(&format!("{name}="));
    for (header, value) in &mut response.headers {
        if *header == "location" && about(value) {
            *value = format!("{value}&{parameter}");
        }
    }
    let Some(page) = &mut response.page else { return response };
    page.fields.insert(0, (name.to_owned(), value.to_owned()));
    let text = &page.main.0;
    let field = maud::html! { input type="hidden" name=(name) value=(value); }.into_string();
    let mut out = String::with_capacity(text.len() * 2);
    // Quotation marks and brackets that were typed are escaped: these are of the markup.
    for (i, tag) in text.split('<').enumerate() {
        if i > 0 {
            out.push('<');
        }
        let (inside, after) = tag.split_once('>').unwrap_or((tag, ""));
        for (j, piece) in inside.split('"').enumerate() {
            if j > 0 {
                out.push('"');
            }
            out.push_str(piece);
            // Between quotation marks is the value of an attribute.
            if j % 2 == 1 && piece.starts_with('/') && about(piece) {
                // In front of the place in the page, if there is one.
                let place = out.len() - piece.len() + piece.find('#').unwrap_or(piece.len());
                out.insert_str(place, &format!("&amp;{parameter}"));
            }
        }
        if tag.contains('>') {
            out.push('>');
            // The form in which rules are written says them itself.
            if i > 0 && inside.starts_with("form ") && !inside.contains("action=\"/rules\"") {
                out.push_str(&field);
            }
        }
        out.push_str(after);
    }
    page.main = maud::PreEscaped(out);
    response
}
