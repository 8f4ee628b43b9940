//! Fuzzes [`registrar_fuzz::regex`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzz::regex(data));
