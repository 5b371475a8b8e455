//! `cargo run -p bouton-coq --example export FILE.cert FILE.v`: a certificate written down for Coq.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("export CERTIFICATE FILE.v".into());
    };
    std::fs::write(to, bouton_coq::export(&std::fs::read_to_string(from)?)?)?;
    Ok(())
}
