//! Fuzzes [`registrar_fuzzing::router`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzzing::router(data));
