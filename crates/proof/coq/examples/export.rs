//! `cargo run -p bouton-coq --example export FILE.cert FILE.v`: a certificate as a theorem for Coq.
//! Into a file of another ending goes what `bouton-verify` reads.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("export CERTIFICATE FILE.v, or export CERTIFICATE FILE.proof".into());
    };
    let certificate = std::fs::read_to_string(from)?;
    let text = if to.ends_with(".v") {
        bouton_coq::export(&certificate)?
    } else {
        bouton_coq::translate(&certificate)?
    };
    std::fs::write(to, text)?;
    Ok(())
}
