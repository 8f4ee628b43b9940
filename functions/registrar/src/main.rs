//! registrar
fn main() {}
