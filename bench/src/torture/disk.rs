//! A disk that can be filled up and freed again.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Result;

/// A folder, on a disk of its own where that may be mounted.
pub(super) struct Disk {
    folder: PathBuf,
    mounted: bool,
    fills: AtomicU64,
}

impl Disk {
    pub(super) fn mount(folder: &Path, megabytes: u64) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "elfmem-torture"])
            .arg(folder)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        Ok(Self { folder: folder.to_owned(), mounted, fills: AtomicU64::new(0) })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn fills(&self) -> u64 {
        self.fills.load(Ordering::Relaxed)
    }

    /// Leaves no byte free for a while. Nothing on a disk that others need too.
    pub(super) fn fill_and_free(&self, held: Duration) -> Result<()> {
        if !self.mounted {
            return Ok(());
        }
        let ballast = self.folder.join("ballast");
        let mut file = File::create(&ballast)?;
        let mut part = vec![0u8; 1 << 20];
        while !part.is_empty() {
            if file.write_all(&part).is_err() {
                part.truncate(part.len() / 2);
            }
        }
        std::thread::sleep(held);
        drop(file);
        std::fs::remove_file(&ballast)?;
        self.fills.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
        }
    }
}
