//! The cost of one admission review, from the bytes of the request to those of the response,
//! without network. This is the CPU time of this thread, the best of several rounds, so that other
//! work on the machine has little effect. Linux only.
//!
//! ```console
//! $ cargo run --release -p plumb-kubevirt --example admission -- REVIEW.json
//! ```

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool for developers: it reads a file and talks to the terminal"
)]

use std::error::Error;
use std::hint::black_box;

use plumb_kubevirt::admission::{self, Cluster, Reply, ReviewSubject};

const ROUNDS: usize = 7;
const REVIEWS: u64 = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: admission REVIEW.json")?;
    let body = std::fs::read(path)?;
    let cluster = Cluster::default();
    let Reply::Answer { decision, .. } = admission::review(ReviewSubject::Machine, &body, &cluster)
    else {
        return Err("the file is not a review".into());
    };
    let mut best = u64::MAX;
    for _ in 0..ROUNDS {
        let start = cpu_time()?;
        for _ in 0..REVIEWS {
            black_box(admission::review(ReviewSubject::Machine, black_box(&body), &cluster));
        }
        best = best.min((cpu_time()? - start) / REVIEWS);
    }
    println!("{decision:?}: {best} ns of CPU time for each review");
    Ok(())
}

/// The CPU time of this thread in nanoseconds.
fn cpu_time() -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = text.split(' ').next().ok_or("an unknown format of schedstat")?;
    Ok(first.parse()?)
}
