//! The one call of AWS KMS: Decrypt, for the data keys that a function is given.
//!
//! Signed and sent by what is in the tree for DynamoDB. The SDK of KMS would be a second SDK to compile and to load, for
//! one request of three members.

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use aws_smithy_http_client::Connector;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use aws_smithy_types::error::display::DisplayErrorContext;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use registrar_store::Runtime;
use serde_json::{Value, json};
use std::error::Error;

/// What a data key has to be made with (`--encryption-context registrar=metadata`): no other ciphertext is opened, and
/// a policy can demand it.
const CONTEXT: (&str, &str) = ("registrar", "metadata");

/// Where KMS is, and who asks.
#[derive(Debug)]
pub(crate) struct Kms {
    pub(crate) region: String,
    /// Another endpoint than the region's.
    pub(crate) endpoint: Option<String>,
    pub(crate) credentials: Credentials,
    pub(crate) runtime: Runtime,
}

/// Why a key was not decrypted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum KmsError {
    /// Asking again may help.
    Passing(String),
    /// It will not.
    Final(String),
}

impl Kms {
    /// The data key in a ciphertext (base64), as `GenerateDataKey` gave it.
    pub(crate) async fn decrypt(&self, ciphertext: &str) -> Result<Vec<u8>, KmsError> {
        let request = self.request(ciphertext).map_err(|error| KmsError::Final(error.to_string()))?;
        let connector = Connector::builder().tls_provider(Provider::Rustls(CryptoMode::Ring)).build();
        let unreachable = |error: &dyn Error| {
            KmsError::Passing(format!("no answer from {}: {}", self.endpoint(), DisplayErrorContext(error)))
        };
        let response = connector.call(request).await.map_err(|error| unreachable(&error))?;
        let status = response.status();
        let body = ByteStream::new(response.into_body()).collect().await.map_err(|error| unreachable(&error))?;
        let body: Value = serde_json::from_slice(&body.into_bytes()).unwrap_or_default();
        if status.is_success() {
            let key = body["Plaintext"].as_str().and_then(|text| STANDARD.decode(text).ok());
            return key.ok_or_else(|| KmsError::Final("the answer holds no key".to_owned()));
        }
        let name = body["__type"].as_str().and_then(|name| name.rsplit('#').next()).unwrap_or("no error name");
        let message = body["message"].as_str().or(body["Message"].as_str()).unwrap_or("no message");
        let why = format!("{name}: {message} (HTTP {})", status.as_u16());
        let passes = status.is_server_error() || matches!(name, "ThrottlingException" | "LimitExceededException");
        Err(if passes { KmsError::Passing(why) } else { KmsError::Final(why) })
    }

    fn endpoint(&self) -> String {
        let suffix = if self.region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
        self.endpoint.clone().unwrap_or_else(|| format!("https://kms.{}.{suffix}", self.region))
    }

    fn request(&self, ciphertext: &str) -> Result<HttpRequest, Box<dyn Error>> {
        let (context, value) = CONTEXT;
        let body = json!({ "CiphertextBlob": ciphertext, "EncryptionContext": { context: value } }).to_string();
        let url = format!("{}/", self.endpoint().trim_end_matches('/'));
        let headers = [("content-type", "application/x-amz-json-1.1"), ("x-amz-target", "TrentService.Decrypt")];
        let identity = self.credentials.clone().into();
        let parameters = SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name("kms")
            .time(self.runtime.clock.now())
            .settings(SigningSettings::default())
            .build()?;
        let signable = SignableRequest::new("POST", &url, headers.into_iter(), SignableBody::Bytes(body.as_bytes()))?;
        let (instructions, _) = sign(signable, &parameters.into())?.into_parts();
        let mut request = http::Request::post(&url);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let mut request = request.body(SdkBody::from(body))?;
        instructions.apply_to_request_http1x(&mut request);
        Ok(HttpRequest::try_from(request)?)
    }
}

#[cfg(test)]
mod tests;
