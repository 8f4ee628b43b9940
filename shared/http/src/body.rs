//! A body that arrives in pieces, up to its limits.

use crate::HttpOptions;
use crate::error::Failure;
use crate::in_flight::Hold;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::future::{Either, select};
use http::Request;
use http::header::EXPECT;
use http_body_util::BodyExt;
use std::pin::{Pin, pin};

/// Most bytes that memory is taken for before they are there.
const AT_ONCE: usize = 16 << 10;

/// The whole body, held in `hold`. A body that says that it is over the limit, or turns out to be, is refused; one that
/// is not complete when `deadline` ends, then.
///
/// What is refused is read a little further until `linger` ends, and forgotten: a client that is still sending hears
/// nothing.
pub(crate) async fn read<B>(
    request: Request<B>,
    options: &HttpOptions,
    hold: &mut Hold,
    deadline: impl Future<Output = ()>,
    linger: impl AsyncFnOnce(),
) -> Result<Bytes, Failure>
where
    B: BodyExt,
    B::Data: Buf,
{
    let waits = request.headers().contains_key(EXPECT);
    let mut body = pin!(request.into_body());
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let whole = async {
        let failure = if announced > options.max_body_bytes {
            Failure::BodyTooLarge(options.max_body_bytes)
        } else {
            match collect(body.as_mut(), announced, options, hold).await {
                Err(failure) => failure,
                read => return read,
            }
        };
        if !waits {
            select(pin!(forget(body, options.max_body_bytes)), pin!(linger())).await;
        }
        Err(failure)
    };
    match select(pin!(whole), pin!(deadline)).await {
        Either::Left((read, _)) => read,
        Either::Right(_) => Err(Failure::BodyTimeout(options.body_seconds)),
    }
}

async fn collect<B>(
    mut body: Pin<&mut B>,
    announced: usize,
    options: &HttpOptions,
    hold: &mut Hold,
) -> Result<Bytes, Failure>
where
    B: BodyExt,
    B::Data: Buf,
{
    let mut whole = BytesMut::with_capacity(announced.min(AT_ONCE));
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return Err(Failure::BadRequest("The request body could not be read".to_owned()));
        };
        let Ok(data) = frame.into_data() else { continue };
        let length = data.remaining();
        if whole.len() + length > options.max_body_bytes {
            return Err(Failure::BodyTooLarge(options.max_body_bytes));
        }
        if !hold.grow(length) {
            hold.release();
            return Err(Failure::TooManyRequests(options.max_bytes_in_flight));
        }
        if whole.capacity() - whole.len() < length {
            // All that was announced, once the client has shown that it means it.
            whole.reserve(length.max(announced.saturating_sub(whole.len())));
        }
        whole.put(data);
    }
    Ok(whole.freeze())
}

/// Reads up to so many bytes.
async fn forget<B>(mut body: Pin<&mut B>, mut most: usize)
where
    B: BodyExt,
    B::Data: Buf,
{
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, Buf::remaining);
        match most.checked_sub(length) {
            Some(rest) => most = rest,
            None => return,
        }
    }
}
