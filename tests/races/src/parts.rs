//! Reads of several items, item by item.
//!
//! DynamoDB promises of a batch only that each of its items was current at some moment, and of a query that each page
//! is as committed; so each item is a call that waits for a turn of its own.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use crate::turns::WaitingConnector;

type Answer = Result<HttpResponse, ConnectorError>;

/// Longer batches are read in one piece: what is raced in here is small.
const LONGEST: usize = 24;

/// A call, in as many turns as it has items to read.
pub(crate) async fn in_parts(connector: &WaitingConnector, request: HttpRequest) -> Answer {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let operation = target.rsplit_once('.').map_or(target, |(_, operation)| operation).to_owned();
    let body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
    match operation.as_str() {
        "BatchGetItem" => batch(connector, &request, body).await,
        "Query" => query(connector, &request, body).await,
        _ => {
            let what = format!("{operation} {}", subject_of(&body));
            let weak = operation == "GetItem" && !is_strong(&body);
            connector.call_in_turn(what, request, weak).await
        }
    }
}

/// What a log shows of a call.
fn subject_of(body: &Value) -> String {
    let key = &body["Key"];
    if key.is_object() {
        return format!("{} {}", text(&key["pk"]), text(&key["sk"]));
    }
    let actions = body["TransactItems"].as_array().map_or(0, Vec::len);
    if actions > 0 { format!("{actions} actions") } else { text(&body["Item"]["pk"]) }
}

fn is_strong(read: &Value) -> bool {
    read["ConsistentRead"].as_bool() == Some(true)
}

fn text(value: &Value) -> String {
    value["S"].as_str().unwrap_or_default().to_owned()
}

fn with_body(request: &HttpRequest, body: &Value) -> Option<HttpRequest> {
    let mut copy = request.try_clone()?;
    *copy.body_mut() = SdkBody::from(body.to_string());
    Some(copy)
}

fn unusable(what: &'static str) -> ConnectorError {
    ConnectorError::user(what.into())
}

fn read(answer: &HttpResponse) -> Value {
    serde_json::from_slice(answer.body().bytes().unwrap_or_default()).unwrap_or_default()
}

async fn batch(connector: &WaitingConnector, request: &HttpRequest, body: Value) -> Answer {
    let tables = body["RequestItems"].as_object().cloned().unwrap_or_default();
    let Some((table, wanted)) = tables.into_iter().next() else { return Err(unusable("a batch of nothing")) };
    let mut keys = wanted["Keys"].as_array().cloned().unwrap_or_default();
    // The SDK gives them in no order; a schedule must be the same each time, and all are possible.
    keys.sort_by_key(ToString::to_string);
    connector.shuffle(&mut keys);
    if keys.len() > LONGEST {
        let whole = with_body(request, &body).ok_or_else(|| unusable("a request that cannot be copied"))?;
        return connector.call_in_turn(format!("BatchGetItem {} keys", keys.len()), whole, !is_strong(&wanted)).await;
    }
    let mut items = Vec::new();
    for key in keys {
        let what = format!("BatchGetItem {} {}", text(&key["pk"]), text(&key["sk"]));
        let mut one = wanted.clone();
        one["Keys"] = json!([key]);
        let part = with_body(request, &json!({"RequestItems": {&table: one}}));
        let part = part.ok_or_else(|| unusable("a request that cannot be copied"))?;
        let answer = connector.call_in_turn(what, part, !is_strong(&wanted)).await?;
        if answer.status().as_u16() != 200 {
            return Ok(answer);
        }
        items.extend(read(&answer)["Responses"][&table].as_array().cloned().unwrap_or_default());
    }
    respond(&json!({"Responses": {table: items}, "UnprocessedKeys": {}}))
}

async fn query(connector: &WaitingConnector, request: &HttpRequest, mut body: Value) -> Answer {
    let limit = body["Limit"].as_u64().map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let values = body["ExpressionAttributeValues"].as_object().cloned().unwrap_or_default();
    let what = values.values().map(text).collect::<Vec<_>>().join(" ");
    let mut items: Vec<Value> = Vec::new();
    body["Limit"] = json!(1);
    loop {
        let part = with_body(request, &body).ok_or_else(|| unusable("a request that cannot be copied"))?;
        let answer = connector.call_in_turn(format!("Query {what} {}", items.len()), part, !is_strong(&body)).await?;
        if answer.status().as_u16() != 200 {
            return Ok(answer);
        }
        let page = read(&answer);
        items.extend(page["Items"].as_array().cloned().unwrap_or_default());
        let next = page["LastEvaluatedKey"].clone();
        let full = limit.is_some_and(|limit| items.len() >= limit);
        if next.is_null() || full {
            let mut whole = json!({"Count": items.len(), "ScannedCount": items.len(), "Items": items});
            if !next.is_null() {
                whole["LastEvaluatedKey"] = next;
            }
            return respond(&whole);
        }
        body["ExclusiveStartKey"] = next;
    }
}

fn respond(body: &Value) -> Answer {
    let status = 200.try_into().map_err(|_| unusable("no status"))?;
    Ok(HttpResponse::new(status, SdkBody::from(body.to_string())))
}
