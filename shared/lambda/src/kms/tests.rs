//! KMS played by a socket: what is asked, and what becomes of each answer.

use super::*;
use crate::keys;
use registrar_store::{Connection, Keyring, Store};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

const PLAINTEXT: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// Answers one connection after the other with these, and gives back what was asked.
fn double(answers: Vec<(u16, String)>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let answer = |(status, body): (u16, String)| {
            let (mut stream, _) = listener.accept().unwrap();
            let asked = request(&mut BufReader::new(&stream));
            let length = body.len();
            write!(stream, "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
                .unwrap();
            asked
        };
        answers.into_iter().map(answer).collect()
    });
    (endpoint, thread)
}

/// Head and body of a request, the head in lower case.
fn request(reader: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn kms(endpoint: &str) -> Kms {
    Kms {
        region: "eu-west-1".into(),
        endpoint: Some(endpoint.into()),
        credentials: Credentials::new("AKID", "secret", Some("session".into()), None, "test"),
        runtime: Runtime::system(),
    }
}

fn decrypted() -> (u16, String) {
    (200, json!({ "KeyId": "arn:aws:kms:eu-west-1:1:key/1", "Plaintext": PLAINTEXT }).to_string())
}

async fn read(value: &str, endpoint: &str) -> Result<Keyring, String> {
    let store = Store::connect(Connection::default(), Runtime::system());
    keys::read(Some(value), || Ok(kms(endpoint)), || store.race()).await
}

#[tokio::test]
async fn one_signed_request_a_key() {
    let (endpoint, asked) = double(vec![decrypted()]);
    let key = kms(&endpoint).decrypt("Q0lQSEVS").await.unwrap();
    assert_eq!(key, (0..32).collect::<Vec<u8>>());
    let asked = asked.join().unwrap();
    let (head, body) = asked[0].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("post / http/1.1\r\n"), "{head}");
    for line in [
        "content-type: application/x-amz-json-1.1",
        "x-amz-target: trentservice.decrypt",
        "x-amz-security-token: session",
        "/eu-west-1/kms/aws4_request, ",
        "signedheaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, signature=",
    ] {
        assert!(head.contains(line), "{line}: {head}");
    }
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body, json!({ "CiphertextBlob": "Q0lQSEVS", "EncryptionContext": { "registrar": "metadata" } }));
}

/// The signature is the one that botocore, AWS's own signer for Python, makes of the same request at the same time.
#[test]
fn the_signature_is_that_of_others() {
    let kms = Kms { endpoint: None, runtime: registrar_harness::instant_runtime(1), ..kms("") };
    let request = kms.request("Q0lQSEVS").unwrap();
    assert_eq!(request.headers().get("x-amz-date"), Some("20240101T000000Z"));
    let authorization = request.headers().get("authorization").unwrap();
    let signature = authorization.split("Signature=").nth(1).unwrap();
    assert_eq!(signature, "d179e949c3296592969ee81c9abac3640c07f7b8875d098ffa7b3bf04a2a75ec", "{authorization}");
}

#[tokio::test]
async fn keys_are_asked_for_in_order_and_the_first_encrypts() {
    let (endpoint, asked) = double(vec![decrypted(), decrypted()]);
    let keys = read("new:TmV3, old:T2xk", &endpoint).await.unwrap();
    assert_eq!(format!("{keys:?}"), "Keyring(Some(Keys { seals: DataKey(new), older: [DataKey(old)] }))");
    let asked = asked.join().unwrap();
    assert!(asked[0].contains("TmV3") && asked[1].contains("T2xk"), "{asked:?}");
}

#[tokio::test]
async fn without_a_value_kms_is_not_asked() {
    for value in [None, Some(""), Some(" ")] {
        let never = || Err("asked".to_owned());
        let store = Store::connect(Connection::default(), Runtime::system());
        let keys = keys::read(value, never, || store.race()).await.unwrap();
        assert_eq!(format!("{keys:?}"), format!("{:?}", Keyring::default()));
    }
}

#[tokio::test]
async fn what_passes_is_asked_again() {
    let throttled = json!({ "__type": "ThrottlingException", "message": "slow down" }).to_string();
    let (endpoint, asked) = double(vec![(400, throttled), (500, String::new()), decrypted()]);
    read("a:QQ==", &endpoint).await.unwrap();
    assert_eq!(asked.join().unwrap().len(), 3);
}

#[tokio::test]
async fn what_does_not_pass_is_said() {
    let denied = json!({ "__type": "com.amazonaws.kms#AccessDeniedException", "Message": "no" }).to_string();
    let short = json!({ "Plaintext": "AAEC" }).to_string();
    for (status, body, message) in [
        (400, denied, "key 'a': AccessDeniedException: no (HTTP 400)"),
        (400, "<html>".to_owned(), "key 'a': no error name: no message (HTTP 400)"),
        (200, "{}".to_owned(), "key 'a': the answer holds no key"),
        (200, short, "key 'a' has 3 bytes, not 32"),
    ] {
        let (endpoint, asked) = double(vec![(status, body)]);
        assert_eq!(read("a:QQ==", &endpoint).await.unwrap_err(), message);
        asked.join().unwrap();
    }
    assert_eq!(read("a", "http://127.0.0.1:1").await.unwrap_err(), "not NAME:CIPHERTEXT");
    let (endpoint, asked) = double(vec![decrypted(), decrypted()]);
    assert_eq!(read("a:QQ==,a:QQ==", &endpoint).await.unwrap_err(), "there are two keys named 'a'");
    asked.join().unwrap();
}

#[tokio::test]
async fn whom_it_cannot_reach_is_said() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://{nobody}");
    let Err(KmsError::Passing(why)) = kms(&endpoint).decrypt("QQ==").await else { panic!("an answer") };
    assert!(why.starts_with(&format!("no answer from {endpoint}: ")) && why.contains("refused"), "{why}");
}

#[test]
fn endpoints() {
    for (region, expected) in [
        ("eu-west-1", "https://kms.eu-west-1.amazonaws.com"),
        ("us-gov-west-1", "https://kms.us-gov-west-1.amazonaws.com"),
        ("cn-north-1", "https://kms.cn-north-1.amazonaws.com.cn"),
    ] {
        assert_eq!(Kms { region: region.into(), endpoint: None, ..kms("") }.endpoint(), expected);
    }
}
