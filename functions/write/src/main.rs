//! The function that writes: registration, deletion, config and mode. It serves every route.

use registrar_http::Access;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    registrar_lambda::run(Access::All).await
}
