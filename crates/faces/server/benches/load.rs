//! The site under load on localhost. Every answer is checked before times are printed.
//!
//! `cargo bench -p bouton-server` measures the size and time of the first page, the time of a reply
//! for every example of the list, 200 requests per second for some seconds, and 10,000 malformed
//! requests. Clients and server share the machine.
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use bouton_games::FAMILIES;
use bouton_page::Site;
use bouton_server::Limits;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A persistent connection.
struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    fn new(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { reader: BufReader::new(stream) }
    }

    /// Returns the status, location and length of the answer.
    fn get(&mut self, path: &str) -> (u16, String, usize) {
        write!(self.reader.get_mut(), "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        let (mut length, mut location) = (0, String::new());
        loop {
            line.clear();
            self.reader.read_line(&mut line).unwrap();
            match line.trim().split_once(": ") {
                None => break,
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(("location", value)) => location = value.to_owned(),
                Some(_) => {}
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).unwrap();
        (status, location, length)
    }

    /// Returns the status of a page, the time to load it with everything it includes, and the
    /// length.
    fn timed(&mut self, path: &str) -> (u16, Duration, usize) {
        let started = Instant::now();
        let (mut status, mut location, mut length) = self.get(path);
        while status == 303 {
            (status, location, length) = self.get(&location.clone());
        }
        (status, started.elapsed(), length)
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

/// Returns the resident memory of the process, in pages of 4 KiB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

fn median(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn main() {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        bouton_server::serve(address, Limits::default(), Site::default(), |at| {
            send.send(at).unwrap()
        })
        .unwrap();
    });
    let address = receive.recv().unwrap();
    let mut client = Client::new(address);

    let (status, _, length) = client.timed("/");
    assert_eq!(status, 200);
    let assets: usize = ["/assets/style.css", "/assets/bouton.js", "/assets/icon.svg"]
        .iter()
        .map(|a| client.timed(a).2)
        .sum();
    assert!(length + assets <= 50_000);
    let (half, most) = median((0..50).map(|_| client.timed("/").1).collect());
    println!(
        "first page: {} bytes with its assets; {half:.1?} at the median, {most:.1?} at most",
        length + assets
    );

    let mut replies = Vec::new();
    for example in FAMILIES.iter().flat_map(|family| family.examples) {
        let page = format!("game={}&at={}", encoded(example.game), encoded(example.position));
        let first = format!("/move?{page}&to=1");
        let times: Vec<Duration> = (0..11)
            .map(|_| {
                let (status, time, _) = client.timed(&first);
                assert_eq!(status, 200, "{first}");
                time
            })
            .collect();
        let (half, _) = median(times);
        replies.push((half, example));
    }
    replies.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    for (time, example) in replies.iter().take(5) {
        println!(
            "move, reply and new page: {time:.1?} at the median for {} {}",
            example.game, example.position
        );
    }

    const RATE: u32 = 200;
    const CLIENTS: u32 = 8;
    const SECONDS: u32 = 10;
    let started = Instant::now();
    let threads: Vec<_> = (0..CLIENTS)
        .map(|k| {
            std::thread::spawn(move || {
                let mut client = Client::new(address);
                let examples: Vec<_> = FAMILIES.iter().flat_map(|family| family.examples).collect();
                let mut times = Vec::new();
                for i in 0..RATE * SECONDS / CLIENTS {
                    let due = Duration::from_secs_f64(f64::from(i * CLIENTS + k) / f64::from(RATE));
                    std::thread::sleep(due.saturating_sub(started.elapsed()));
                    let example = examples[(i * CLIENTS + k) as usize % examples.len()];
                    let page = format!(
                        "/play?game={}&at={}",
                        encoded(example.game),
                        encoded(example.position)
                    );
                    let (status, time, _) = client.timed(&page);
                    assert_eq!(status, 200, "{page}");
                    times.push(time);
                }
                times
            })
        })
        .collect();
    let times: Vec<Duration> =
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let rate = times.len() as f64 / started.elapsed().as_secs_f64();
    let (half, most) = median(times);
    println!("{rate:.0} boards a second, no error; {half:.1?} at the median, {most:.1?} at 99 %");

    let texts = [
        "/play?game=%ff",
        "/play?game=CN(99,1)",
        "/api/solve?game=nim&position=1,,2",
        "/picture/x",
        "/table?game=nim&at=q",
        "/api/prove?game=nim(2)&claim=((",
        "/nothing",
    ];
    let before = resident();
    let started = Instant::now();
    for i in 0..10_000 {
        let (status, _, _) =
            client.timed(&format!("{}{}", texts[i % texts.len()], "9".repeat(i % 50)));
        assert!((400..500).contains(&status), "{status} {}", texts[i % texts.len()]);
    }
    let grown = resident().saturating_sub(before) * 4;
    println!(
        "10,000 malformed requests: all 4xx, {:.2} ms each, memory grew by {grown} KiB",
        started.elapsed().as_secs_f64() / 10.0
    );
    assert!(grown < 32 << 10, "memory is not flat");
}
