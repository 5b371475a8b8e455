//! The kind of machine on which figures were measured.

/// Returns the processor, its relevant instructions, and the number of processors.
pub fn kind() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {}, {cores} cores",
        model(&text).unwrap_or("a processor without a name"),
        instructions()
    )
}

/// Returns the name of the first processor.
fn model(text: &str) -> Option<&str> {
    let name = |line: &'_ str| {
        line.split_once(':').filter(|(key, _)| key.trim() == "model name").is_some()
    };
    let (_, model) = text.lines().find(|line| name(line))?.split_once(':')?;
    Some(model.trim())
}

/// Returns the vector instructions, or the architecture if it is not x86-64.
fn instructions() -> &'static str {
    match (bouton_simd::has!("avx512vbmi"), bouton_simd::has_avx2()) {
        (true, _) => "AVX-512 with VBMI",
        (false, true) => "AVX2",
        (false, false) if cfg!(target_arch = "x86_64") => "no AVX2",
        (false, false) => std::env::consts::ARCH,
    }
}

/// Returns the number of runnable processes, averaged over the last minute.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let text = "processor\t: 0\nmodel\t\t: 106\nmodel name\t: A Fast One @ 2.60GHz\nflags\t: \
            sse\nmodel name\t: B\n";
        assert_eq!(model(text), Some("A Fast One @ 2.60GHz"));
        assert_eq!(model("processor\t: 0\n"), None);
    }
}
