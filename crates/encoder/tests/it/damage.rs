//! Files that are cut, changed or of another kind.

use elfmem_encoder::{Encoder, EncoderError, lay_out};
use proptest::prelude::*;

use crate::model::{FACTORISED, ODD, slices};

fn message(parts: &[Vec<u8>]) -> String {
    Encoder::read(&slices(parts)).unwrap_err().to_string()
}

#[test]
fn a_file_of_another_family_is_named_as_such() {
    assert_eq!(message(&[b"PK\x03\x04 and so on".to_vec()]), "not an encoder model: it does not start with ELFP");
    assert_eq!(message(&[b"EL".to_vec()]), "not an encoder model: a part of 2 bytes");
    assert_eq!(message(&[]), "the parts of the model do not fit together: there is no part");
    assert_eq!(lay_out(b"GGUF", 0).unwrap_err().to_string(), "not an encoder model: it does not start with ELFB");
    let mut newer = ODD.parts(1);
    newer[0][4] = 2;
    assert!(message(&newer).contains("layout has version 2, this program reads 1"));
    let mut newer = ODD.trained(1);
    newer[4] = 2;
    assert!(lay_out(&newer, 0).unwrap_err().to_string().contains("version 2 of the trained format"));
}

#[test]
fn a_part_cut_anywhere_or_too_long_is_refused() {
    let parts = ODD.parts(1);
    for part in 0..parts.len() {
        for end in 0..parts[part].len() {
            let mut cut = parts.clone();
            cut[part].truncate(end);
            assert!(Encoder::read(&slices(&cut)).is_err(), "part {part} cut at {end}");
        }
        let mut longer = parts.clone();
        longer[part].extend([0; 64]);
        assert!(matches!(Encoder::read(&slices(&longer)), Err(EncoderError::WrongLength { .. })));
    }
}

#[test]
fn a_trained_file_cut_anywhere_or_too_long_is_refused() {
    let file = ODD.trained(1);
    for end in 0..file.len() {
        assert!(lay_out(&file[..end], 7).is_err(), "cut at {end}");
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(matches!(lay_out(&longer, 7), Err(EncoderError::WrongLength { .. })));
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let (odd, other) = (ODD.parts(1), FACTORISED.parts(1));
    assert!(message(&[odd[0].clone()]).contains("the table has 20 rows of 40"));
    assert!(
        message(&[odd[1].clone(), odd[0].clone()]).contains("expected part 0 from row 0, found part 1 from row 20")
    );
    assert!(message(&[odd[0].clone(), other[1].clone()]).contains("part 1 has the sizes of another model"));
    assert!(message(&[odd[0].clone(), odd[1].clone(), odd[1].clone()]).contains("expected part 2 from row 40"));
}

#[test]
fn a_bias_that_is_no_number_is_found_when_reading() {
    let mut parts = ODD.parts(1);
    // After the header, the scales of nine positions, and nine rows of nine bytes: the first norm.
    let at = 64 + 64 + 128;
    parts[0][at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(message(&parts).contains("a number after byte 256 is not finite"), "{}", message(&parts));
}

#[test]
fn a_damaged_scale_of_the_table_is_found_when_it_is_used() {
    let mut parts = ODD.parts(1);
    parts[1][64..68].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    assert!(encoder.embed(&[&[7]], 1).is_ok());
    let error = encoder.embed(&[&[7], &[20]], 1).unwrap_err();
    assert_eq!(error.to_string(), "the weights of the model are damaged: a result is not finite");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is wrong, it is an error or a vector of length one, never a panic.
    #[test]
    fn random_damage_never_panics(
        part in 0..2usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        header in any::<bool>(),
    ) {
        let mut parts = ODD.parts(2);
        for (at, byte) in changes {
            let length = if header { 64 } else { parts[part].len() };
            parts[part][at.index(length)] = byte;
        }
        if let Ok(encoder) = Encoder::read(&slices(&parts)) {
            let text: Vec<u32> = (0..45).collect();
            if let Ok(vectors) = encoder.embed(&[&text, &[7], &[]], 2) {
                for vector in vectors.into_iter().flatten() {
                    let length: f32 = vector.iter().map(|x| x * x).sum();
                    prop_assert!((length - 1.0).abs() < 1e-3, "{}", length);
                }
            }
            if let Some(states) = encoder.states(&text) {
                let _ = encoder.pool(&states, &[2.0; 45]);
            }
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Encoder::read(&[&bytes]).is_err());
        prop_assert!(lay_out(&bytes, 3).is_err());
        let headed = [b"ELFP".as_slice(), &1u32.to_le_bytes(), &bytes].concat();
        let _ = Encoder::read(&[&headed]);
        let headed = [b"ELFB".as_slice(), &1u32.to_le_bytes(), &bytes].concat();
        let _ = lay_out(&headed, 3);
    }
}
