//! Measures elfmem. Every figure in the docs comes from a command here.
//!
//! ```sh
//! cargo run --release -p elfmem-bench -- foundation          # a table
//! cargo run --release -p elfmem-bench -- foundation --json   # the same, for programs
//! cargo run --release -p elfmem-bench --features chain-cost -- chain
//! cargo run --release -p elfmem-bench -- dream
//! cargo run --release -p elfmem-bench -- encoder
//! cargo run --release -p elfmem-bench -- folders --reference FILE --data bench/data/memories/*.json
//! cargo run --release -p elfmem-bench -- locomo --data FILE
//! cargo run --release -p elfmem-bench -- graph
//! cargo run --release -p elfmem-bench -- http                # needs wrk
//! cargo run --release -p elfmem-bench -- calibration --data bench/data/memories/*.json
//! cargo run --release -p elfmem-bench -- instructions        # needs valgrind
//! cargo run --release -p elfmem-bench -- memories --data bench/data/memories/*.json
//! cargo run --release -p elfmem-bench -- messages --data FILE
//! cargo run --release -p elfmem-bench -- pairs --data bench/data/pairs.jsonl
//! cargo run --release -p elfmem-bench -- recall --sizes 1000,10000,100000,1000000
//! cargo run --release -p elfmem-bench -- secrets --data bench/data/secrets.jsonl
//! cargo run --release -p elfmem-bench -- serve
//! cargo run --release -p elfmem-bench -- throughput
//! cargo run --release -p elfmem-bench -- profile --data bench/data/pairs.jsonl
//! cargo run --release -p elfmem-bench -- torture --processes 8 --seconds 600
//! cargo run --release -p elfmem-bench -- world --seed 1 --days 365
//! cargo run --release -p elfmem-bench -- year --scale 0.1
//! ```

#![allow(clippy::print_stdout, reason = "printing figures is what this program is for")]

mod background;
mod calibration;
#[cfg(feature = "chain-cost")]
mod chain;
mod clock;
mod corpus;
mod dream;
mod embedder;
mod encoder;
mod folder;
mod foundation;
mod graph;
mod http;
mod instructions;
mod locomo;
mod memories;
mod messages;
mod opinions;
mod pairs;
mod profile;
mod program;
mod python;
mod recall;
mod report;
mod rivals;
mod secrets;
mod serve;
mod throughput;
mod timing;
mod torture;
mod world;
mod year;

use clap::{Parser, Subcommand};

/// The result of a measurement.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Debug, Parser)]
#[command(name = "elfmem-bench", about = "Measures elfmem")]
struct Arguments {
    /// Print one JSON object instead of a table
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Durable learn, bulk learn, and the cold start of the program
    Foundation(foundation::Foundation),
    /// A built-in embedder, and consolidation without a language model
    Dream(dream::DreamCommand),
    /// The forward pass of the built-in encoder, by kernel
    Encoder(encoder::EncoderSpeed),
    /// Model folders: their vectors against a reference, and quality and speed beside the built-in models
    Folders(folder::Folders),
    /// How well recall finds what answers a question
    Locomo(locomo::Locomo),
    /// Vectors of unrelated texts, as the program reads them
    Background(background::BackgroundCommand),
    /// What the chain over the journal costs each verb
    #[cfg(feature = "chain-cost")]
    Chain(chain::Chain),
    /// The reliability of relevance, and what any threshold costs
    Calibration(calibration::Calibration),
    /// What comes first, what is outdated and what is returned without an answer, on small memories
    Memories(memories::Memories),
    /// What is kept of the messages of conversations
    Messages(messages::Messages),
    /// Connecting, outcomes and maintenance
    Graph(graph::Graph),
    /// The HTTP API under load
    Http(http::Http),
    /// Instructions of single operations, whatever else the machine does; needs valgrind
    Instructions(instructions::Instructions),
    /// What becomes of labelled pairs of texts: wrong merges, missed contradictions
    Pairs(pairs::Pairs),
    /// What a question costs, warm and cold, at growing sizes
    Recall(recall::RecallCommand),
    /// How many secrets are found in labelled texts, and how often something else is taken for one
    Secrets(secrets::Secrets),
    /// How soon the MCP server answers, and what it costs while nobody asks
    Serve(serve::ServeCommand),
    /// Recalls a second on several threads of one process
    Throughput(throughput::Throughput),
    /// What the cosines of a built-in embedder mean
    Profile(profile::ProfileCommand),
    Rivals(rivals::Rivals),
    Opinions(opinions::Opinions),
    /// Many processes on one memory, killed at random, on a disk that fills up; fails when anything was lost
    Torture(torture::Torture),
    /// A year of people, teams and systems, told to a memory and compared with the truth
    World(world::World),
    /// A year of use: size, speed of each verb and memory at the end beside the first week
    Year(year::Year),
    #[command(hide = true)]
    Operations(instructions::Operations),
    #[command(hide = true)]
    TortureLibrary(torture::Library),
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match &arguments.command {
        Command::Foundation(foundation) => foundation.run()?.print(arguments.json),
        Command::Dream(dream) => dream.run()?.print(arguments.json),
        Command::Encoder(encoder) => encoder.run()?.print(arguments.json),
        Command::Folders(folders) => {
            let report = folders.run()?;
            report.print(arguments.json);
            if !report.is_good() {
                return Err("the vectors of a folder differ from their reference".into());
            }
        }
        Command::Locomo(locomo) => locomo.run()?.print(arguments.json),
        Command::Background(background) => background.run()?,
        #[cfg(feature = "chain-cost")]
        Command::Chain(chain) => chain.run()?.print(arguments.json),
        Command::Calibration(calibration) => calibration.run()?.print(arguments.json),
        Command::Memories(memories) => memories.run()?.print(arguments.json),
        Command::Messages(messages) => messages.run()?.print(arguments.json),
        Command::Graph(graph) => graph.run()?.print(arguments.json),
        Command::Http(http) => http.run()?.print(arguments.json),
        Command::Instructions(instructions) => instructions.run()?.print(arguments.json),
        Command::Operations(operations) => operations.run()?,
        Command::Pairs(pairs) => pairs.run()?.print(arguments.json),
        Command::Recall(recall) => recall.run()?.print(arguments.json),
        Command::Secrets(secrets) => secrets.run()?.print(arguments.json),
        Command::Serve(serve) => serve.run()?.print(arguments.json),
        Command::Throughput(throughput) => throughput.run()?.print(arguments.json),
        Command::Profile(profile) => profile.run()?.print(arguments.json),
        Command::Rivals(rivals) => rivals.run()?.print(arguments.json),
        Command::Opinions(opinions) => opinions.run()?.print(arguments.json),
        Command::Torture(torture) => {
            let verdict = torture.run()?;
            verdict.print(arguments.json);
            if !verdict.is_good() {
                return Err("something was lost or broken".into());
            }
        }
        Command::World(world) => world.run()?.print(arguments.json),
        Command::Year(year) => year.run()?.print(arguments.json),
        Command::TortureLibrary(library) => library.run()?,
    }
    Ok(())
}
