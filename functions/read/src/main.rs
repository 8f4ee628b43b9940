//! read
fn main() {}
