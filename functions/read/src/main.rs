//! The function that reads: fetch, list, lookup, compatibility. Its role cannot write, and it refuses to.

use registrar_http::Access;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    registrar_lambda::run(Access::ReadsOnly).await
}
