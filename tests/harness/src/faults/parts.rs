//! Answers in part: what DynamoDB leaves out of a batch or of a page, to be asked for again.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use super::respond;
use crate::request;

/// The sort key that stands for the begin of a range, which has no key of its own.
const BEGIN: &str = "\u{1}begin";
const START: &str = "ExclusiveStartKey";
const TABLES: &str = "RequestItems";

/// A batch of which nothing was done.
pub(super) fn all_unprocessed(body: &[u8]) -> Result<HttpResponse, ConnectorError> {
    respond(200, &json!({ "Responses": {}, "UnprocessedKeys": parsed(body)[TABLES] }))
}

/// A page without items; what comes next is what should have been on it.
pub(super) fn empty_page(body: &[u8]) -> Result<HttpResponse, ConnectorError> {
    let asked = parsed(body);
    let next = match &asked[START] {
        Value::Null => json!({ "pk": asked["ExpressionAttributeValues"][":pk"], "sk": { "S": BEGIN } }),
        start => start.clone(),
    };
    respond(200, &json!({ "Items": [], "Count": 0, "ScannedCount": 0, "LastEvaluatedKey": next }))
}

/// What goes on from an empty page at the begin of a range is sent on as what begins there.
pub(super) fn from_the_start(request: HttpRequest) -> HttpRequest {
    if request::operation(&request) != "Query" {
        return request;
    }
    let mut asked = parsed(request::body(&request));
    if asked[START]["sk"]["S"] != BEGIN {
        return request;
    }
    if let Some(asked) = asked.as_object_mut() {
        asked.remove(START);
    }
    with_body(request, &asked)
}

/// The same range, a page of one item.
pub(super) fn of_one_item(request: HttpRequest) -> HttpRequest {
    let mut asked = parsed(request::body(&request));
    asked["Limit"] = json!(1);
    with_body(request, &asked)
}

/// A batch without the second half of its keys, and those by table.
pub(super) fn without_half(request: HttpRequest) -> (HttpRequest, Value) {
    let mut asked = parsed(request::body(&request));
    let mut left = json!({});
    for (table, of_table) in asked[TABLES].as_object_mut().into_iter().flatten() {
        let Some(keys) = of_table["Keys"].as_array_mut() else { continue };
        let rest = keys.split_off(keys.len().div_ceil(2));
        if !rest.is_empty() {
            left[table] = of_table.clone();
            left[table]["Keys"] = Value::Array(rest);
        }
    }
    (with_body(request, &asked), left)
}

/// The answer to half a batch, as one to the whole.
pub(super) fn with_unprocessed(mut answer: HttpResponse, left: Value) -> HttpResponse {
    let mut told = parsed(answer.body().bytes().unwrap_or_default());
    told["UnprocessedKeys"] = left;
    let headers = answer.headers_mut();
    for checked in ["content-length", "x-amz-crc32"] {
        headers.remove(checked);
    }
    *answer.body_mut() = SdkBody::from(told.to_string());
    answer
}

fn with_body(mut request: HttpRequest, body: &Value) -> HttpRequest {
    let body = body.to_string();
    request.headers_mut().insert("content-length", body.len().to_string());
    *request.body_mut() = SdkBody::from(body);
    request
}

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}
