//! `bouton serve`: the page on which to play, look and understand, on this machine.

use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use bouton_server::{Limits, Site};
use clap::Args;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Serve a page on which to play, look and understand; and the JSON API
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton serve\n  bouton serve --port 8000 --jobs 2\n  bouton serve --rules my-game.toml\n\nThe page is for this machine alone unless --address says otherwise. Nothing is fetched from anywhere."
)]
pub struct Serve {
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 4004)]
    port: u16,
    /// The address to listen at
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    // Defaults are made at the start of every command: how many cores there are is asked only here.
    /// Heavy jobs at a time [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    jobs: Option<usize>,
    /// Megabytes that one request may hold
    #[arg(long, value_name = "MB", default_value_t = Limits::BYTES >> 20)]
    memory: u64,
}

impl Serve {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let limits = Limits::default();
        let time = context.seconds.unwrap_or(limits.time);
        let bytes = self.memory.saturating_mul(1 << 20);
        let limits = Limits { jobs: self.jobs.unwrap_or(limits.jobs), time, bytes, ..limits };
        let address = SocketAddr::new(self.address, self.port);
        let site = Site::new(context.catalogue.clone()).with_theorems(context.theorems());
        bouton_server::serve(address, limits, site, |at| println!("Bouton at http://{at}/ (Ctrl-C ends it)"))
            .map_err(|error| Fault::File(address.to_string(), error))?;
        Ok(Status::Done)
    }
}
