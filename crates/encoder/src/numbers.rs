//! The number formats of model files.

/// How a model file stores its numbers. All are little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// 32 bits.
    F32,
    /// 16 bits with five bits of exponent.
    F16,
    /// 16 bits with eight bits of exponent.
    Bf16,
}

impl NumberFormat {
    /// Returns the bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }

    /// Reads numbers. Bytes after the last whole number are left out.
    pub fn read(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            Self::F32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Self::F16 => bytes.as_chunks().0.iter().map(|bytes| f16_to_f32(u16::from_le_bytes(*bytes))).collect(),
            Self::Bf16 => {
                let widen = |bytes: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
                bytes.as_chunks().0.iter().map(widen).collect()
            }
        }
    }
}

fn f16_to_f32(bits: u16) -> f32 {
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff));
    let magnitude = match rest >> 10 {
        // Not normal: a multiple of 2⁻²⁴.
        0 => (rest as f32 / (1 << 24) as f32).to_bits(),
        // Infinite, or not a number.
        31 => 0x7f80_0000 | (rest & 0x3ff) << 13,
        // The exponents differ by 112.
        _ => (rest << 13) + (112 << 23),
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_formats_are_read() {
        let f16: Vec<u8> =
            [0x3c00u16, 0xc000, 0x0001, 0x7bff, 0x8000, 0x7c00].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(NumberFormat::F16.read(&f16), [1.0, -2.0, 5.960_464_5e-8, 65504.0, 0.0, f32::INFINITY]);
        assert!(NumberFormat::F16.read(&0x7e00u16.to_le_bytes())[0].is_nan());
        let bf16: Vec<u8> = [0x3f80u16, 0xc020].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(NumberFormat::Bf16.read(&bf16), [1.0, -2.5]);
        assert_eq!(NumberFormat::F32.read(&[0, 0, 128, 63, 9]), [1.0]);
    }
}
