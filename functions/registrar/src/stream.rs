//! A client's stream: gives up on clients that take nothing in, and gives a body to the answers that hyper makes itself.

use hyper::body::Bytes;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// What a server says instead of what hyper does.
pub(crate) type Instead = fn(&[u8]) -> Option<Bytes>;

pub(crate) struct ClientStream {
    tcp: TcpStream,
    patience: Duration,
    /// Runs while nothing can be written.
    waiting: Option<Pin<Box<Sleep>>>,
    instead: Instead,
    /// What is still to be written instead of what was given.
    rest: Bytes,
    /// How much was given for it.
    replaced: usize,
}

impl ClientStream {
    /// `instead` sees everything that is written in one piece.
    pub(crate) fn new(tcp: TcpStream, patience: Duration, instead: Instead) -> Self {
        Self { tcp, patience, waiting: None, instead, rest: Bytes::new(), replaced: 0 }
    }

    /// Gives up once nothing could be written for too long.
    fn in_time(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the client takes nothing in")))
    }

    fn write_rest(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        while !self.rest.is_empty() {
            let written = Pin::new(&mut self.tcp).poll_write(context, &self.rest);
            let count = ready!(self.in_time(context, written))?;
            let _ = self.rest.split_to(count);
        }
        Poll::Ready(Ok(std::mem::take(&mut self.replaced)))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, into)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        if self.replaced == 0
            && let Some(instead) = (self.instead)(from)
        {
            self.rest = instead;
            self.replaced = from.len();
        }
        if self.replaced > 0 {
            return self.write_rest(context);
        }
        let written = Pin::new(&mut self.tcp).poll_write(context, from);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = from {
            return self.poll_write(context, only);
        }
        let written = Pin::new(&mut self.tcp).poll_write_vectored(context, from);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
