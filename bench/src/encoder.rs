//! Measures the forward pass of the built-in encoder.

use clap::Args;
use elfmem_encoder::{Encoder, Kernel};

use crate::report::Report;
use crate::{Result, timing};

/// Pieces of a short text, such as one sentence of a note.
const SHORT: usize = 20;
/// Pieces of a question.
const QUESTION: usize = 12;

/// One text at a time on one thread, and many on all cores, by kernel.
#[derive(Debug, Args)]
pub(crate) struct EncoderSpeed {
    /// Lengths of the single texts, in word pieces
    #[arg(long, value_delimiter = ',', default_values_t = [4, QUESTION, SHORT, 37, 64, 128, 254])]
    pieces: Vec<usize>,

    /// Short texts that are embedded at once
    #[arg(long, default_value_t = 1_000)]
    texts: usize,

    /// How often a single text is embedded
    #[arg(long, default_value_t = 50)]
    repeat: usize,

    /// Only this kernel: plain, avx2, avx512, avx512-vnni or neon
    #[arg(long)]
    kernel: Option<String>,
}

impl EncoderSpeed {
    pub(crate) fn run(&self) -> Result<Report> {
        let mut report = Report::default();
        let parts = [elfmem_encoder_data_1::PART, elfmem_encoder_data_2::PART];
        let read = timing::each(20, |_| Ok(Encoder::read(&parts).map(drop)?))?;
        report.add("read the model", read, None);
        let mut random = fastrand::Rng::with_seed(1);
        let mut text = |pieces: usize| -> Vec<u32> { (0..pieces).map(|_| random.u32(2000..30000)).collect() };
        let threads = std::thread::available_parallelism()?.get();
        let wanted = |kernel: &Kernel| self.kernel.as_ref().is_none_or(|name| name == kernel.name());
        for kernel in Kernel::available().into_iter().filter(wanted) {
            let encoder = Encoder::read(&parts)?.with_kernel(kernel);
            for pieces in &self.pieces {
                let text = text(*pieces);
                encoder.embed(&[&text], 1)?;
                let one = timing::each(self.repeat, |_| Ok(encoder.embed(&[&text], 1).map(drop)?))?;
                let aim = (*pieces == QUESTION && kernel != Kernel::PLAIN).then_some("<= 2.5 ms");
                report.add(format!("{}: {pieces} pieces", kernel.name()), one, aim);
            }
            let texts: Vec<Vec<u32>> = (0..self.texts).map(|_| text(SHORT)).collect();
            let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
            let all = timing::each(3, |_| Ok(encoder.embed(&texts, threads).map(drop)?))?;
            let a_second = self.texts as f64 / all.p50_ms * 1000.0;
            let aim = (kernel != Kernel::PLAIN).then_some(">= 700 a second");
            let name = format!("{}: {} texts of {SHORT} on {threads} cores", kernel.name(), self.texts);
            report.add(name, all, aim);
            report.note(format!("{}: {a_second:.0} short texts a second on {threads} cores", kernel.name()));
        }
        Ok(report)
    }
}
