//! Requests that take long run on threads of their own, a few at a time, so that the others are not held up.
//!
//! Nobody knows beforehand which they are. A request starts where all do; when it says that it may take long
//! ([`Lanes::heavy`]), its future is taken from there and goes on on another runtime, once a place is free; one that only
//! reads is begun anew there instead, since half done it would hold what it has read. When a request is to wait for another
//! ([`Lanes::light`]), it comes back, and its place goes to the next: or else it might hold what the other one needs.

use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use registrar_http::Transport;
use registrar_registry::Lanes;
use std::cell::Cell;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// What is known of the request that a thread is working on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    /// It must not take long.
    Light,
    /// It wants to go where it may.
    Leaving,
    /// It may take long.
    Heavy,
}

thread_local! {
    static THREAD: Cell<Thread> = const { Cell::new(Thread::Light) };
}

/// Tells requests from one another by the thread that they are on.
#[derive(Debug)]
pub(crate) struct ByThread;

impl Lanes for ByThread {
    fn heavy(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        on(Thread::Heavy)
    }

    fn light(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        on(Thread::Light)
    }
}

/// Is ready on such a thread. Whoever polls the request elsewhere looks, and polls it again there: nobody has to be woken.
fn on(wanted: Thread) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(poll_fn(move |_| {
        if THREAD.get() == wanted {
            return Poll::Ready(());
        }
        THREAD.set(Thread::Leaving);
        Poll::Pending
    }))
}

/// A request on its way to its answer.
pub(crate) type Work = Pin<Box<dyn Future<Output = Response<Full<Bytes>>> + Send>>;

/// Where requests are answered.
#[derive(Debug)]
pub(crate) struct RequestLanes {
    heavy: Option<Runtime>,
    /// One request at a time on each thread, from its start to its end: half done, it holds memory.
    places: Arc<Semaphore>,
    /// Those with a body that are worked on elsewhere.
    running: Semaphore,
    /// Those that wait for a place. While there is no room for one it counts as worked on, so that no others begin.
    waiting: Semaphore,
}

impl RequestLanes {
    /// With as many threads for long work as the limits say.
    pub(crate) fn new(limits: &Transport) -> io::Result<Self> {
        let threads = limits.heavy_threads;
        let heavy = Builder::new_multi_thread()
            .worker_threads(threads)
            .max_blocking_threads(threads)
            .thread_name("heavy")
            .on_thread_start(|| THREAD.set(Thread::Heavy))
            .enable_all()
            .build()?;
        let running = limits.max_running.min(Semaphore::MAX_PERMITS);
        Ok(Self {
            heavy: Some(heavy),
            places: Arc::new(Semaphore::new(threads)),
            running: Semaphore::new(running),
            waiting: Semaphore::new(running),
        })
    }

    /// Runs a request to its end; none if it was given up, which only the end of the process does. One that can be begun
    /// `anew` is, where it goes on, so that it holds nothing while it waits.
    pub(crate) async fn run(
        &self,
        mut work: Work,
        mut anew: Option<Work>,
        has_body: bool,
    ) -> Option<Response<Full<Bytes>>> {
        loop {
            let running = if has_body { self.running.acquire().await.ok() } else { None };
            work = match stay(work, Thread::Light).await {
                Stay::Answered(answer) => return Some(answer),
                Stay::Left(work) => anew.take().unwrap_or(work),
            };
            let waiting = self.waiting.acquire().await;
            drop(running);
            let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
            drop(waiting);
            let task = self.heavy.as_ref()?.spawn(async move {
                let stayed = stay(work, Thread::Heavy).await;
                drop(place);
                stayed
            });
            work = match Running(task).await? {
                Stay::Answered(answer) => return Some(answer),
                Stay::Left(work) => work,
            };
        }
    }
}

/// How a stay on one kind of thread ends.
enum Stay {
    Answered(Response<Full<Bytes>>),
    Left(Work),
}

/// Goes on with a request on this kind of thread until it wants to go to the other.
async fn stay(mut work: Work, here: Thread) -> Stay {
    let answer = poll_fn(|context| {
        let polled = work.as_mut().poll(context);
        let leaves = THREAD.replace(here) == Thread::Leaving;
        match polled {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending if leaves => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    });
    match answer.await {
        Some(answer) => Stay::Answered(answer),
        None => Stay::Left(work),
    }
}

impl Drop for RequestLanes {
    /// A runtime may not wait for its threads where others are answered.
    fn drop(&mut self) {
        if let Some(heavy) = self.heavy.take() {
            heavy.shutdown_background();
        }
    }
}

/// A task that ends when nobody waits for it any more, as a request does whose client has gone.
struct Running<T>(JoinHandle<T>);

impl<T> Future for Running<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Option<T>> {
        Pin::new(&mut self.0).poll(context).map(Result::ok)
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    fn name() -> String {
        std::thread::current().name().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn a_request_moves_when_it_says_so() {
        let lanes = RequestLanes::new(&Transport { heavy_threads: 1, ..Transport::default() }).unwrap();
        let (before, at_first) = oneshot::channel();
        let (after, at_last) = oneshot::channel();
        let work = async move {
            before.send(name()).unwrap();
            futures(&ByThread).await;
            // Once moved, it may.
            ByThread.heavy().await;
            after.send(name()).unwrap();
            std::future::pending().await
        };
        let run = lanes.run(Box::pin(work), None, true);
        tokio::select! {
            _ = run => panic!("it does not end"),
            name = at_last => assert_eq!(name.unwrap(), "heavy"),
        }
        assert_ne!(at_first.await.unwrap(), "heavy");
        // The future is dropped here, and its place is free again.
        let place = Arc::clone(&lanes.places).acquire_owned().await;
        assert!(place.is_ok());
        assert_eq!(lanes.running.available_permits(), Transport::default().max_running);
    }

    /// Asks together with others, as reads side by side do.
    async fn futures(lanes: &ByThread) {
        tokio::join!(lanes.heavy(), lanes.heavy());
    }

    #[tokio::test]
    async fn who_waits_for_another_leaves_its_place_to_it() {
        let lanes = RequestLanes::new(&Transport { heavy_threads: 1, ..Transport::default() }).unwrap();
        let (done, first_done) = oneshot::channel();
        let (parsed, second_parsed) = oneshot::channel();
        // The second has the one place when it finds that it has to wait for the first, which then needs the place.
        let first: Work = Box::pin(async move {
            second_parsed.await.unwrap();
            ByThread.heavy().await;
            done.send(name()).unwrap();
            Response::default()
        });
        let second: Work = Box::pin(async move {
            ByThread.heavy().await;
            parsed.send(()).unwrap();
            ByThread.light().await;
            assert_eq!(first_done.await.unwrap(), "heavy");
            assert_ne!(name(), "heavy");
            ByThread.heavy().await;
            assert_eq!(name(), "heavy");
            Response::default()
        });
        let (first, second) = tokio::join!(lanes.run(first, None, true), lanes.run(second, None, true));
        assert!(first.is_some() && second.is_some());
    }

    #[tokio::test]
    async fn what_only_reads_holds_nothing_while_it_waits() {
        let lanes = RequestLanes::new(&Transport { heavy_threads: 1, ..Transport::default() }).unwrap();
        let place = Arc::clone(&lanes.places).acquire_owned().await.unwrap();
        let held = Arc::new(());
        let (holder, seen) = (Arc::clone(&held), Arc::clone(&held));
        let first: Work = Box::pin(async move {
            ByThread.heavy().await;
            drop(holder);
            panic!("it is begun anew");
        });
        let anew: Work = Box::pin(async move {
            assert_eq!(name(), "heavy");
            Response::default()
        });
        let run = lanes.run(first, Some(anew), false);
        let watch = async move {
            while Arc::strong_count(&seen) > 2 {
                tokio::task::yield_now().await;
            }
            drop(place);
        };
        let (answer, ()) = tokio::join!(run, watch);
        assert!(answer.is_some() && Arc::strong_count(&held) == 1);
    }
}
