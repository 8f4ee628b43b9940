//! From the response of the service to the JSON a front takes.

use crate::event::Front;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, HeaderValue, Response};
use serde_json::{Map, Value, json};

/// The answer. Compressed bodies are base64; JSON stays text, which needs no setting in any front.
pub(crate) fn write(front: Front, response: &Response<Bytes>) -> Value {
    let encoded = response.headers().contains_key(CONTENT_ENCODING);
    let text = std::str::from_utf8(response.body()).ok().filter(|_| !encoded);
    let body = text.map_or_else(|| STANDARD.encode(response.body()), str::to_owned);
    let mut answer = json!({
        "statusCode": response.status().as_u16(),
        "headers": single(response.headers()),
        "body": body,
        "isBase64Encoded": text.is_none(),
    });
    if front == Front::FunctionUrl {
        // None are set, but `cargo lambda watch` takes no answer without the list.
        answer["cookies"] = json!([]);
    } else {
        // With multi-value headers switched on a load balancer reads only these, and a gateway takes either.
        answer["multiValueHeaders"] = multi(response.headers());
    }
    if front == Front::Alb {
        answer["statusDescription"] = Value::String(response.status().to_string());
    }
    answer
}

/// Whether the answer is within `limit` bytes of JSON. Text can only grow on the way there, sixfold at most.
pub(crate) fn fits(response: &Response<Bytes>, answer: &Value, limit: usize) -> bool {
    const GROWTH: usize = 6;
    response.body().len() < limit / (GROWTH + 1) || answer.to_string().len() <= limit
}

/// The message in place of an answer that is too long.
pub(crate) fn too_long(limit: usize) -> String {
    format!(
        "The answer is longer than the {limit} bytes a Lambda function may give here; ask for gzip, or for less with \
         offset and limit"
    )
}

fn single(headers: &HeaderMap) -> Value {
    let joined = |name| {
        let values: Vec<_> = headers.get_all(name).into_iter().map(text).collect();
        Value::String(values.join(", "))
    };
    Value::Object(headers.keys().map(|name| (name.to_string(), joined(name))).collect())
}

fn multi(headers: &HeaderMap) -> Value {
    let values = |name| Value::Array(headers.get_all(name).into_iter().map(text).map(Value::String).collect());
    Value::Object(headers.keys().map(|name| (name.to_string(), values(name))).collect::<Map<_, _>>())
}

fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(body: &'static [u8], encoding: Option<&'static str>) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from_static(body));
        response.headers_mut().insert("x-request-id", HeaderValue::from_static("1"));
        if let Some(encoding) = encoding {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }

    #[test]
    fn each_front_gets_its_form() {
        let plain = response(b"{\"a\":1}", None);
        assert_eq!(
            write(Front::FunctionUrl, &plain),
            json!({
                "statusCode": 200, "headers": {"x-request-id": "1"}, "body": "{\"a\":1}", "isBase64Encoded": false,
                "cookies": []
            })
        );
        let rest = write(Front::Rest, &plain);
        assert_eq!(rest["multiValueHeaders"], json!({"x-request-id": ["1"]}));
        assert_eq!(rest.get("statusDescription"), None);
        assert_eq!(write(Front::Alb, &plain)["statusDescription"], "200 OK");
    }

    #[test]
    fn compressed_bodies_are_base64() {
        for (body, encoding) in [(b"\x1f\x8b\x00".as_slice(), Some("gzip")), (b"\xff".as_slice(), None)] {
            let answer = write(Front::Rest, &response(body, encoding));
            assert_eq!(answer["isBase64Encoded"], true);
            assert_eq!(STANDARD.decode(answer["body"].as_str().unwrap()).unwrap(), body);
        }
    }

    #[test]
    fn length_is_that_of_the_json() {
        let quotes = response(&[b'"'; 200], None);
        let answer = write(Front::Rest, &quotes);
        let length = answer.to_string().len();
        assert!(fits(&quotes, &answer, length));
        assert!(!fits(&quotes, &answer, length - 1));
    }
}
