//! Fuzzes [`registrar_fuzz::protobuf_text`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzz::protobuf_text(data));
