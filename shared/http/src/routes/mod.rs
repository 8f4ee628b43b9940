//! The route table: every method and path the server answers, as data.

mod associations;
mod compatibility;
mod config;
mod contexts;
mod mode;
mod schemas;
mod server;
mod subjects;
mod versions;

use crate::Access;
use crate::call::{Answer, Call};
use crate::openapi::operation;
use http::{Method, StatusCode};
use std::future::ready;
use std::pin::Pin;

/// Decoded path parameters under their names in the pattern.
pub(crate) type Params = Vec<(&'static str, String)>;

type Handler = fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// One method of one path.
pub struct Route {
    /// GET stands for HEAD, too.
    pub method: Method,
    /// Literal segments and `{named}` ones, each of which matches one segment that is not empty.
    pub pattern: &'static str,
    /// What it does, to follow "Error while".
    pub name: &'static str,
    /// Whether the handler may write.
    pub writes: bool,
    /// The message of a time-out, where Confluent has one (rest-api.md §5, 50002).
    pub timeout: Option<&'static str>,
    /// The status of a success.
    pub status: StatusCode,
    handler: Handler,
}

/// All routes, by path.
pub static ROUTES: &[Route] = &[
    get("/", "reading the root", |_| Box::pin(ready(server::root()))),
    post("/", "posting to the root", |call| Box::pin(ready(server::echo(&call)))),
    get("/associations", "listing associations", |call| Box::pin(associations::find(call))),
    post("/associations", "creating associations", |call| Box::pin(associations::create(call)))
        .writing()
        .timeout(REGISTER),
    get("/associations/resources/{resourceId}", "listing associations", |call| {
        Box::pin(associations::of_resource(call))
    }),
    put("/associations/resources/{resourceId}", "changing associations", |call| Box::pin(associations::upsert(call)))
        .timeout(REGISTER),
    delete("/associations/resources/{resourceId}", "deleting associations", |call| {
        Box::pin(associations::delete(call))
    })
    .timeout(REGISTER)
    .answering(StatusCode::NO_CONTENT),
    get("/associations/resources/{resourceNamespace}/{resourceName}", "listing associations", |call| {
        Box::pin(associations::of_name(call))
    }),
    get("/associations/subjects/{subject}", "listing associations", |call| Box::pin(associations::of_subject(call))),
    post("/associations:batchGet", "listing associations", |call| Box::pin(associations::batch_get(call)))
        .answering(StatusCode::MULTI_STATUS),
    post("/associations:batchMutate", "changing associations", |call| Box::pin(associations::batch_mutate(call)))
        .writing()
        .timeout(REGISTER)
        .answering(StatusCode::MULTI_STATUS),
    post("/compatibility/subjects/{subject}/versions", "checking compatibility", |call| {
        Box::pin(compatibility::all(call))
    }),
    post("/compatibility/subjects/{subject}/versions/{version}", "checking compatibility", |call| {
        Box::pin(compatibility::one(call))
    }),
    get("/config", "reading the configuration", |call| Box::pin(config::get(call))),
    put("/config", "updating the configuration", |call| Box::pin(config::put(call))),
    delete("/config", "deleting the configuration", |call| Box::pin(config::delete(call))),
    get("/config/{subject}", "reading the configuration", |call| Box::pin(config::get(call))),
    put("/config/{subject}", "updating the configuration", |call| Box::pin(config::put(call))),
    delete("/config/{subject}", "deleting the configuration", |call| Box::pin(config::delete(call))),
    get("/contexts", "listing contexts", |call| Box::pin(contexts::list(call))),
    post("/contexts", "creating a context", |call| Box::pin(contexts::create(call))).writing(),
    get("/contexts/{context}", "reading a context", |call| Box::pin(contexts::get(call))),
    delete("/contexts/{context}", "deleting a context", |call| Box::pin(contexts::delete(call)))
        .answering(StatusCode::NO_CONTENT),
    get("/mode", "reading the mode", |call| Box::pin(mode::get(call))),
    put("/mode", "updating the mode", |call| Box::pin(mode::put(call))).timeout(UPDATE_MODE),
    delete("/mode", "deleting the mode", |call| Box::pin(mode::delete(call))),
    get("/mode/{subject}", "reading the mode", |call| Box::pin(mode::get(call))),
    put("/mode/{subject}", "updating the mode", |call| Box::pin(mode::put(call))).timeout(UPDATE_MODE),
    delete("/mode/{subject}", "deleting the mode", |call| Box::pin(mode::delete(call))),
    get("/openapi.json", "reading the OpenAPI document", |_| Box::pin(ready(Ok(server::openapi())))),
    get("/schemas", "listing schemas", |call| Box::pin(schemas::list(call))),
    get("/schemas/guids/{guid}", "reading a schema by guid", |call| Box::pin(schemas::by_guid(call))),
    get("/schemas/guids/{guid}/ids", "listing the ids of a guid", |call| Box::pin(schemas::ids(call))),
    get("/schemas/ids/{id}", "reading a schema by id", |call| Box::pin(schemas::by_id(call))),
    get("/schemas/ids/{id}/schema", "reading a schema by id", |call| Box::pin(schemas::text_by_id(call))),
    get("/schemas/ids/{id}/subjects", "listing the subjects of an id", |call| Box::pin(schemas::subjects(call))),
    get("/schemas/ids/{id}/versions", "listing the versions of an id", |call| Box::pin(schemas::versions(call))),
    get("/schemas/types", "listing schema types", |call| Box::pin(ready(schemas::types(&call)))),
    get("/subjects", "listing subjects", |call| Box::pin(subjects::list(call))),
    post("/subjects/{subject}", "looking up a schema", |call| Box::pin(subjects::lookup(call))),
    delete("/subjects/{subject}", "deleting a subject", |call| Box::pin(subjects::delete(call)))
        .timeout("Delete subject operation timed out"),
    get("/subjects/{subject}/metadata", "looking up metadata", |call| Box::pin(subjects::with_metadata(call))),
    get("/subjects/{subject}/versions", "listing versions", |call| Box::pin(versions::list(call))),
    post("/subjects/{subject}/versions", "registering a schema", |call| Box::pin(versions::register(call)))
        .writing()
        .timeout(REGISTER),
    get("/subjects/{subject}/versions/{version}", "reading a version", |call| Box::pin(versions::get(call))),
    delete("/subjects/{subject}/versions/{version}", "deleting a version", |call| Box::pin(versions::delete(call)))
        .timeout("Delete Schema Version operation timed out"),
    get("/subjects/{subject}/versions/{version}/referencedby", "listing referrers", |call| {
        Box::pin(versions::referenced_by(call))
    }),
    get("/subjects/{subject}/versions/{version}/schema", "reading a version", |call| Box::pin(versions::text(call))),
    post("/subjects/{subject}/versions/{version}/tags", "tagging a version", |call| Box::pin(versions::tag(call)))
        .writing()
        .timeout("Register operation timed out"),
    get("/v1/metadata/deployment", "reading the deployment", |call| Box::pin(ready(server::deployment(&call)))),
    get("/v1/metadata/id", "reading the cluster id", |call| Box::pin(ready(server::cluster(&call)))),
    get("/v1/metadata/version", "reading the version", |call| Box::pin(ready(server::version(&call)))),
];

const REGISTER: &str = "Register operation timed out";
const UPDATE_MODE: &str = "Update mode operation timed out";

const fn get(pattern: &'static str, name: &'static str, handler: Handler) -> Route {
    Route { method: Method::GET, pattern, name, writes: false, timeout: None, status: StatusCode::OK, handler }
}

/// A POST that only asks; see [`Route::writing`].
const fn post(pattern: &'static str, name: &'static str, handler: Handler) -> Route {
    Route { method: Method::POST, pattern, name, writes: false, timeout: None, status: StatusCode::OK, handler }
}

const fn put(pattern: &'static str, name: &'static str, handler: Handler) -> Route {
    Route { method: Method::PUT, pattern, name, writes: true, timeout: None, status: StatusCode::OK, handler }
}

const fn delete(pattern: &'static str, name: &'static str, handler: Handler) -> Route {
    Route { method: Method::DELETE, pattern, name, writes: true, timeout: None, status: StatusCode::OK, handler }
}

impl Route {
    const fn writing(mut self) -> Self {
        self.writes = true;
        self
    }

    const fn timeout(mut self, message: &'static str) -> Self {
        self.timeout = Some(message);
        self
    }

    const fn answering(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Runs the handler.
    pub(crate) async fn run(&self, call: Call) -> Answer {
        (self.handler)(call).await
    }

    /// Whether the handler may read this query parameter: only if the document names it.
    pub(crate) fn takes(&self, parameter: &str) -> bool {
        operation(&self.method, self.pattern).is_some_and(|operation| operation.takes(parameter))
    }

    /// The path parameters, if `segments` (decoded) match the pattern.
    fn matches(&self, segments: &[String]) -> Option<Params> {
        let mut params = Vec::new();
        let mut pattern = self.pattern.split('/').filter(|part| !part.is_empty());
        for segment in segments {
            let part = pattern.next()?;
            match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                Some(name) if !segment.is_empty() => params.push((name, segment.clone())),
                None if part == segment => {}
                _ => return None,
            }
        }
        pattern.next().is_none().then_some(params)
    }

    fn is_open(&self, access: Access) -> bool {
        access == Access::All || !self.writes
    }
}

/// The routes of one path.
pub(crate) struct Found {
    routes: Vec<&'static Route>,
    pub(crate) params: Params,
}

/// The routes of the path with these decoded segments; `None` if it is unknown.
pub(crate) fn find(segments: &[String]) -> Option<Found> {
    let mut routes = ROUTES.iter();
    let (first, params) = routes.find_map(|route| Some((route, route.matches(segments)?)))?;
    let routes = ROUTES.iter().filter(|route| route.pattern == first.pattern).collect();
    Some(Found { routes, params })
}

impl Found {
    /// The route for a method: HEAD is served where GET is.
    pub(crate) fn route(&self, method: &Method, access: Access) -> Option<&'static Route> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().find(|route| route.method == *method && route.is_open(access)).copied()
    }

    /// The value of `Allow`.
    pub(crate) fn allow(&self, access: Access) -> String {
        let open = self.routes.iter().filter(|route| route.is_open(access));
        let mut methods: Vec<&str> = open.map(|route| route.method.as_str()).collect();
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        methods.push("OPTIONS");
        methods.sort_unstable();
        methods.join(", ")
    }
}

#[cfg(test)]
mod tests;
