//! Fuzzes [`registrar_fuzzing::bodies`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzzing::bodies(data));
