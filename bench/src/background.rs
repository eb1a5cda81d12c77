//! Writes the vectors of texts that have nothing to do with any memory, by which a model tells how near anything is to a
//! question.

use std::path::PathBuf;

use clap::Args;

use crate::Result;
use crate::embedder::EmbedderArgs;

/// Embeds unrelated texts and writes their vectors as the program reads them
#[derive(Debug, Args)]
pub(crate) struct BackgroundCommand {
    /// Texts, one a line
    #[arg(long, value_name = "FILE")]
    data: PathBuf,

    /// The file to write, such as crates/models/model/background-encoder.bin
    #[arg(long, value_name = "FILE")]
    write: PathBuf,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

impl BackgroundCommand {
    pub(crate) fn run(&self) -> Result<()> {
        let embedder = self.embedder.required_model()?.load()?;
        let text = std::fs::read_to_string(&self.data)?;
        let texts: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let vectors: Vec<Vec<f32>> = embedder.embed(&texts)?.into_iter().flatten().collect();
        let mut file = Vec::new();
        file.extend(u32::try_from(vectors.len())?.to_le_bytes());
        file.extend(u32::try_from(embedder.dimensions())?.to_le_bytes());
        let scale = |vector: &[f32]| vector.iter().fold(0.0f32, |most, x| most.max(x.abs())) / 127.0;
        vectors.iter().for_each(|vector| file.extend(scale(vector).to_le_bytes()));
        for vector in &vectors {
            let scale = scale(vector);
            file.extend(vector.iter().map(|x| ((x / scale).round() as i8).cast_unsigned()));
        }
        std::fs::write(&self.write, &file)?;
        println!("{} vectors, {} bytes.", vectors.len(), file.len());
        Ok(())
    }
}
