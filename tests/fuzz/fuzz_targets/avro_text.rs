//! Fuzzes [`registrar_fuzz::avro_text`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzz::avro_text(data));
