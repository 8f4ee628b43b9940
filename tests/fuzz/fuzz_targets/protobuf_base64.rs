//! Fuzzes [`registrar_fuzz::protobuf_base64`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| registrar_fuzz::protobuf_base64(data));
