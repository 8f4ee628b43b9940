//! Fuzzes [`registrar_fuzz::json_pairs`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzz::json_pairs(data));
