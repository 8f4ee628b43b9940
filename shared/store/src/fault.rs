//! What a failed call means.

use crate::StoreError;
use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use std::error::Error;

/// The two kinds of failure of a call that is not a cancelled transaction.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Throttled, or the outcome is unknown: the same call once more.
    Passing(String),
    /// It will not get better.
    Final(StoreError),
}

const PASSING: [&str; 9] = [
    "InternalServerError",
    "LimitExceededException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestTimeoutException",
    "ServiceUnavailable",
    "ThrottlingException",
    "TransactionConflictException",
    "TransactionInProgressException",
];

const REFUSED: [&str; 8] = [
    "AccessDeniedException",
    "ExpiredTokenException",
    "IncompleteSignatureException",
    "InvalidSignatureException",
    "MissingAuthenticationTokenException",
    "ResourceInUseException",
    "ResourceNotFoundException",
    "UnrecognizedClientException",
];

/// What an embedded table answers where its disk is full, read-only or broken (`registrar_embedded`).
const DISK: &str = "StorageException";

/// Sorts a failure. Server errors and lost answers pass; what the service does not know by name is a bug of ours.
pub(crate) fn classify<E>(error: &SdkError<E>) -> Fault
where
    E: ProvideErrorMetadata + Error + 'static,
{
    match error {
        SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_) => {
            Fault::Passing(DisplayErrorContext(error).to_string())
        }
        SdkError::ServiceError(service) => {
            let code = service.err().code().unwrap_or_default();
            if code == DISK {
                return Fault::Final(StoreError::Disk(service.err().message().unwrap_or_default().to_owned()));
            }
            // Not the whole answer: this is read by people, as one line.
            let detail = format!("{code}: {}", service.err().message().unwrap_or("no message"));
            if PASSING.contains(&code) || service.raw().status().is_server_error() {
                Fault::Passing(detail)
            } else if REFUSED.contains(&code) {
                Fault::Final(StoreError::Refused(detail))
            } else {
                Fault::Final(StoreError::Broken(detail))
            }
        }
        // Construction: no credentials or region, or a request that the SDK cannot build.
        _ => Fault::Final(StoreError::Refused(DisplayErrorContext(error).to_string())),
    }
}
