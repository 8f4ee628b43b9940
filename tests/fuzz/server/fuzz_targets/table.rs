//! Fuzzes [`registrar_fuzzing::table`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzzing::table(data));
