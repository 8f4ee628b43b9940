//! One DynamoDB operation: from its name and JSON body to the JSON answer.

use dynoxide::actions::transact_write_items::TransactWriteItemsRequest;
use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tokens::{Tokens, Transaction};

/// What a folder that may only be read does not let through. Tables are made only where there are none.
const WRITES: [&str; 7] =
    ["BatchWriteItem", "DeleteItem", "DeleteTable", "PutItem", "TransactWriteItems", "UpdateItem", "UpdateTable"];

/// Whether `operation` changes anything.
pub(crate) fn is_write(operation: &str) -> bool {
    WRITES.contains(&operation)
}

type Outcome = Result<Vec<u8>, DynoxideError>;

/// Carries out `operation`, or answers `None` if there is no operation of that name.
pub(crate) fn dispatch(db: &Database, tokens: &Tokens, operation: &str, body: &[u8]) -> Option<Outcome> {
    Some(match operation {
        "GetItem" => call(body, |r| db.get_item(r)),
        "BatchGetItem" => call(body, |r| db.batch_get_item(r)),
        "Query" => call(body, |r| db.query(r)),
        "TransactWriteItems" => transact(db, tokens, body),
        "UpdateItem" => call(body, |r| db.update_item(r)),
        "PutItem" => call(body, |r| db.put_item(r)),
        "DeleteItem" => call(body, |r| db.delete_item(r)),
        "TransactGetItems" => call(body, |r| db.transact_get_items(r)),
        "BatchWriteItem" => call(body, |r| db.batch_write_item(r)),
        "Scan" => call(body, |r| db.scan(r)),
        "CreateTable" => call(body, |r| db.create_table(r)),
        "DescribeTable" => call(body, |r| db.describe_table(r)),
        "UpdateTable" => call(body, |r| db.update_table(r)),
        "DeleteTable" => call(body, |r| db.delete_table(r)),
        "ListTables" => call(body, |r| db.list_tables(r)),
        "UpdateTimeToLive" => call(body, |r| db.update_time_to_live(r)),
        "DescribeTimeToLive" => call(body, |r| db.describe_time_to_live(r)),
        _ => return None,
    })
}

fn call<Request: DeserializeOwned, Response: Serialize>(
    body: &[u8],
    run: impl FnOnce(Request) -> dynoxide::Result<Response>,
) -> Outcome {
    write(&run(read(body)?)?)
}

/// A transaction's token is kept here and not in the database, whose memory of tokens is searched from end to end at
/// every call: ten minutes of steady writing would make each write slower than the last.
fn transact(db: &Database, tokens: &Tokens, body: &[u8]) -> Outcome {
    let mut request: TransactWriteItemsRequest = read(body)?;
    let Some(transaction) = Transaction::of(body)? else {
        return write(&db.transact_write_items(request)?);
    };
    request.client_request_token = None;
    tokens.once(&transaction, || write(&db.transact_write_items(request)?))
}

fn write<Response: Serialize>(response: &Response) -> Outcome {
    serde_json::to_vec(response).map_err(|e| DynoxideError::InternalServerError(e.to_string()))
}

fn read<Request: DeserializeOwned>(body: &[u8]) -> Result<Request, DynoxideError> {
    serde_json::from_slice(body).map_err(|e| refusal(&e.to_string()))
}

/// How the database marks, in the text of a parse error, that DynamoDB reports it as a failed validation.
const VALIDATION_MARKS: [&str; 3] = ["VALIDATION_REQUEST:", "VALIDATION_AS_READ:", "VALIDATION:"];
/// The same for a value of the wrong JSON type.
const SERIALIZATION_MARKS: [&str; 2] = ["SERIALIZATION_AS_READ:", "SERIALIZATION:"];
/// Unmarked parse errors that are failed validations; all others are values of the wrong JSON type.
const VALIDATION_SIGNS: [&str; 4] = ["missing field", "unknown variant", "invalid type: null", "AttributeValue"];

fn refusal(parse_error: &str) -> DynoxideError {
    let text = parse_error.rsplit_once(" at line ").map_or(parse_error, |(text, _)| text);
    if let Some(marked) = after_mark(text, &VALIDATION_MARKS) {
        return DynoxideError::ValidationException(marked.to_owned());
    }
    if let Some(marked) = after_mark(text, &SERIALIZATION_MARKS) {
        return DynoxideError::SerializationException(marked.to_owned());
    }
    if VALIDATION_SIGNS.iter().any(|sign| text.contains(sign)) {
        return DynoxideError::ValidationException(text.to_owned());
    }
    DynoxideError::SerializationException(text.to_owned())
}

fn after_mark<'a>(text: &'a str, marks: &[&str]) -> Option<&'a str> {
    marks.iter().find_map(|mark| text.strip_prefix(mark))
}
