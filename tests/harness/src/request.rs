//! What a wrapper can tell from a DynamoDB request.

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;

/// The operation's name, such as `GetItem`.
pub(crate) fn operation(request: &HttpRequest) -> String {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    target.rsplit_once('.').map_or(target, |(_, operation)| operation).to_owned()
}

/// The body, which the SDK builds in memory.
pub(crate) fn body(request: &HttpRequest) -> &[u8] {
    request.body().bytes().unwrap_or_default()
}

/// Whether the operation reads or writes items, and so consumes capacity.
pub(crate) fn is_on_items(operation: &str) -> bool {
    is_read(operation)
        || matches!(operation, "PutItem" | "UpdateItem" | "DeleteItem" | "BatchWriteItem" | "TransactWriteItems")
}

/// Whether the operation only reads.
pub(crate) fn is_read(operation: &str) -> bool {
    matches!(operation, "GetItem" | "BatchGetItem" | "Query" | "Scan" | "TransactGetItems")
}
