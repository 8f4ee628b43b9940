//! write
fn main() {}
