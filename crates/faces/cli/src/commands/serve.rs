//! `bouton serve`: the page on which to play, look and understand, on this machine.

use crate::Status;
use crate::context::Context;
use crate::error::CommandError;
use bouton_server::{Limits, Site};
use clap::Args;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Serve a page to play and to learn on, and the JSON API
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton serve
  bouton serve --port 8000 --jobs 2
  bouton serve --rules my-game.toml

By default only this machine can open the page; --address changes that. The page loads nothing from
other servers.")]
pub struct Serve {
    /// The port; 0 selects a free port
    #[arg(long, value_name = "PORT", value_parser = super::number::<u16>, default_value_t = 4004)]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    // Defaults are made at the start of every command: how many cores there are is asked only here.
    /// Heavy jobs at a time [default: the number of cores]
    #[arg(long, value_name = "N",
        value_parser = super::number_within::<usize>(1..=1024))]
    jobs: Option<usize>,
    /// Hold at most MB megabytes per request
    #[arg(long, value_name = "MB", value_parser = super::number::<u64>,
        default_value_t = Limits::BYTES >> 20)]
    memory: u64,
}

impl Serve {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let limits = Limits::default();
        let time = context.seconds.unwrap_or(limits.time);
        let bytes = self.memory.saturating_mul(1 << 20);
        // Work that reports its progress is given no less.
        let long = limits.long.max(time);
        let jobs = self.jobs.unwrap_or(limits.jobs);
        let limits = Limits { jobs, time, long, bytes, ..limits };
        let address = SocketAddr::new(self.address, self.port);
        let site = Site::new(context.catalogue.clone()).with_theorems(context.theorems());
        bouton_server::serve(address, limits, site, |at| {
            println!("Bouton at http://{}/ (Ctrl-C ends it)", reachable(at));
        })
        .map_err(|error| CommandError::File(address.to_string(), error))?;
        Ok(Status::Done)
    }
}

/// Returns an address that a browser can open: for a server that listens on all addresses of this
/// machine, the one by which it reaches other networks, or else the machine itself.
fn reachable(at: SocketAddr) -> SocketAddr {
    if !at.ip().is_unspecified() {
        return at;
    }
    let (own, other): (IpAddr, IpAddr) = match at.ip() {
        IpAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        IpAddr::V6(_) => {
            (Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
        }
    };
    // Nothing is sent: the system only chooses the address that it would send from. The other
    // address is one of those that stand in documentation (RFC 5737, RFC 3849).
    let socket =
        UdpSocket::bind((own, 0)).and_then(|socket| socket.connect((other, 9)).map(|()| socket));
    let found = socket.and_then(|socket| socket.local_addr()).ok().map(|found| found.ip());
    let here: IpAddr =
        if at.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(found.filter(|ip| !ip.is_unspecified()).unwrap_or(here), at.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_printed_can_be_opened() {
        for all in [IpAddr::from(Ipv4Addr::UNSPECIFIED), Ipv6Addr::UNSPECIFIED.into()] {
            let at = reachable(SocketAddr::new(all, 4004));
            assert!(
                !at.ip().is_unspecified() && at.port() == 4004 && at.is_ipv4() == all.is_ipv4(),
                "{at}"
            );
        }
        let one = SocketAddr::new(Ipv4Addr::new(192, 0, 2, 7).into(), 80);
        assert_eq!(reachable(one), one);
    }
}
