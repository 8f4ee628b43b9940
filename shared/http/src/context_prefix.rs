//! The context in front of a path: `/contexts/{context}/…` (rest-api.md §2.4).
//!
//! The prefix is taken off and the rest rewritten before a route is looked for. All of it works on segments that are
//! decoded already, so whatever a name contains stays within its segment.

use crate::query::Query;
use http::Method;
use registrar_model::ContextName;

const CONTEXTS: &str = "contexts";

/// The context that a path named, in its qualified form `:.ctx:`; never the default one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContextPrefix(String);

/// A segment that names no context, because a colon is left in it (400).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadContext(pub(crate) String);

impl BadContext {
    /// The words for the client (rest-api.md §1.8).
    pub(crate) fn message(&self) -> String {
        format!("Context name '{}' cannot contain a colon", self.0)
    }
}

/// Takes the prefix off and rewrites what follows. Without a prefix, or under that of the default context, the rest
/// stays as it is. Of several prefixes, one behind the other, the last counts.
pub(crate) fn rewrite(mut segments: Vec<String>) -> Result<(Vec<String>, Option<ContextPrefix>), BadContext> {
    let mut context = None;
    while segments.len() > 1 && segments[0] == CONTEXTS {
        let name = &segments[1];
        context = Some(ContextName::parse_lenient(name).ok_or_else(|| BadContext(name.clone()))?);
        segments.drain(..2);
        // Slashes in front count once, here as in a path without a prefix.
        let empty = segments.iter().take_while(|segment| segment.is_empty()).count();
        segments.drain(..empty);
    }
    let Some(context) = context.filter(|context| !context.is_default()) else { return Ok((segments, None)) };
    let prefix = ContextPrefix(context.qualified());
    if segments.is_empty() {
        segments = vec![CONTEXTS.to_owned(), prefix.0.clone()];
    } else {
        prefix.qualify_subjects(&mut segments);
    }
    Ok((segments, Some(prefix)))
}

impl ContextPrefix {
    /// Rules 2 and 3: the segment after `subjects`, `deks` and a leading `config` or `mode` is a subject.
    fn qualify_subjects(&self, segments: &mut Vec<String>) {
        let is_scope = |segment: &str| matches!(segment, "config" | "mode");
        let mut is_subject = false;
        for (at, segment) in segments.iter_mut().enumerate() {
            if is_subject {
                self.qualify(segment);
                is_subject = false;
            } else {
                is_subject = matches!(segment.as_str(), "subjects" | "deks") || (at == 0 && is_scope(segment));
            }
        }
        if let [only] = segments.as_slice()
            && is_scope(only)
        {
            segments.push(self.0.clone());
        }
    }

    fn qualify(&self, name: &mut String) {
        if !name.starts_with(":.") && !name.starts_with(":*:") {
            name.insert_str(0, &self.0);
        }
    }

    /// Rule 5: the parameters of the rewritten path that name subjects, or a context.
    pub(crate) fn rewrite_query(&self, method: &Method, segments: &[String], query: &mut Query) {
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match segments.as_slice() {
            ["schemas", "ids", ..] => {
                let mut subject = query.text("subject");
                self.qualify(&mut subject);
                query.set("subject", subject);
            }
            ["schemas" | "subjects"] | ["keks", ..] => {
                query.change("subjectPrefix", |prefix| self.qualify(prefix));
                if query.first("subjectPrefix").is_none() {
                    query.set("subjectPrefix", self.0.clone());
                }
            }
            // `associations:batchMutate` as well.
            [first, ..] if first.starts_with("associations") => {
                if matches!(*method, Method::POST | Method::PUT | Method::PATCH) {
                    query.set("context", self.0.clone());
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::segments;

    /// The path and the parameters after the rewriting, each as `/`- and `&`-separated decoded text.
    fn rewritten(method: &Method, path: &str, query: &str) -> String {
        let (segments, prefix) = rewrite(segments(path).unwrap()).unwrap();
        let mut parameters = Query::parse(query).unwrap();
        if let Some(prefix) = prefix {
            prefix.rewrite_query(method, &segments, &mut parameters);
        }
        let path: Vec<String> = segments.iter().map(|segment| format!("/[{segment}]")).collect();
        let query = ["subject", "subjectPrefix", "context", "other"].map(|name| {
            let values: Vec<&str> = parameters.all(name).collect();
            if values.is_empty() { String::new() } else { format!(" {name}={}", values.join(",")) }
        });
        path.concat() + &query.concat()
    }

    #[test]
    fn paths() {
        for (path, expected) in [
            ("/subjects/s", "/[subjects]/[s]"),
            ("/", ""),
            ("/contexts", "/[contexts]"),
            ("/contexts/", "/[contexts]"),
            ("//contexts/c", "/[contexts]/[:.c:]"),
            ("/contexts/c", "/[contexts]/[:.c:]"),
            ("/contexts/.c/", "/[contexts]/[:.c:]"),
            ("/contexts/:.c:", "/[contexts]/[:.c:]"),
            ("/contexts/%3A.c%3A", "/[contexts]/[:.c:]"),
            ("/contexts/.", ""),
            ("/contexts/:.:", ""),
            ("/contexts/c/contexts", "/[contexts]"),
            ("/contexts/c/contexts/d", "/[contexts]/[:.d:]"),
            ("/contexts/c/contexts/d/subjects/s", "/[subjects]/[:.d:s]"),
            ("/contexts/c/subjects/s", "/[subjects]/[:.c:s]"),
            ("/contexts/.c/subjects/s/versions/1/schema", "/[subjects]/[:.c:s]/[versions]/[1]/[schema]"),
            ("/contexts/:.c:/subjects/s/", "/[subjects]/[:.c:s]"),
            ("/contexts/c//subjects/s", "/[subjects]/[:.c:s]"),
            ("/contexts/./subjects/s", "/[subjects]/[s]"),
            ("/contexts/:.:/subjects/s", "/[subjects]/[s]"),
            ("/contexts/./subjects/:.d:s", "/[subjects]/[:.d:s]"),
            ("/contexts/c/subjects/:.d:s", "/[subjects]/[:.d:s]"),
            ("/contexts/c/subjects/%3A.d%3As", "/[subjects]/[:.d:s]"),
            ("/contexts/c/subjects/:*:s", "/[subjects]/[:*:s]"),
            ("/contexts/c/subjects/:d:s", "/[subjects]/[:.c::d:s]"),
            ("/contexts/c/subjects/subjects/versions", "/[subjects]/[:.c:subjects]/[versions]"),
            ("/contexts/c/subjects/config", "/[subjects]/[:.c:config]"),
            ("/contexts/c/subjects/a%2Fb%25%3A/versions", "/[subjects]/[:.c:a/b%:]/[versions]"),
            ("/contexts/slash%2Fin%2Fmiddle/subjects/s", "/[subjects]/[:.slash/in/middle:s]"),
            ("/contexts/100%25/subjects/s", "/[subjects]/[:.100%:s]"),
            ("/contexts/c/compatibility/subjects/s/versions/1", "/[compatibility]/[subjects]/[:.c:s]/[versions]/[1]"),
            ("/contexts/c/config", "/[config]/[:.c:]"),
            ("/contexts/c/config/", "/[config]/[:.c:]"),
            ("/contexts/c/config/s", "/[config]/[:.c:s]"),
            ("/contexts/c/mode", "/[mode]/[:.c:]"),
            ("/contexts/c/mode/s", "/[mode]/[:.c:s]"),
            ("/contexts/c/mode/:.d:", "/[mode]/[:.d:]"),
            ("/contexts/./config", "/[config]"),
            ("/contexts/.__GLOBAL/config", "/[config]/[:.__GLOBAL:]"),
            ("/contexts/c/x/config/s", "/[x]/[config]/[s]"),
            ("/contexts/c/schemas/guids/g", "/[schemas]/[guids]/[g]"),
            ("/contexts/c/schemas/types", "/[schemas]/[types]"),
            ("/contexts/c/v1/metadata/id", "/[v1]/[metadata]/[id]"),
            ("/contexts/c/associations/subjects/s", "/[associations]/[subjects]/[:.c:s]"),
            ("/contexts/c/associations/resources/-/t", "/[associations]/[resources]/[-]/[t]"),
            ("/contexts/c/dek-registry/v1/keks/k", "/[dek-registry]/[v1]/[keks]/[k]"),
            ("/contexts/c/dek-registry/v1/keks/k/deks/s", "/[dek-registry]/[v1]/[keks]/[k]/[deks]/[:.c:s]"),
        ] {
            assert_eq!(rewritten(&Method::DELETE, path, ""), expected, "{path}");
        }
    }

    #[test]
    fn parameters() {
        for (method, path, query, expected) in [
            (Method::GET, "/contexts/c/schemas/ids/5", "", "/[schemas]/[ids]/[5] subject=:.c:"),
            (Method::GET, "/contexts/c/schemas/ids/5", "subject=s", "/[schemas]/[ids]/[5] subject=:.c:s"),
            (Method::GET, "/contexts/c/schemas/ids/5", "subject=s&subject=t", "/[schemas]/[ids]/[5] subject=:.c:s"),
            (Method::GET, "/contexts/c/schemas/ids/5", "subject=:.d:s", "/[schemas]/[ids]/[5] subject=:.d:s"),
            (Method::GET, "/contexts/c/schemas/ids/5", "subject=%3A*%3As", "/[schemas]/[ids]/[5] subject=:*:s"),
            (Method::GET, "/contexts/c/schemas/ids/5/schema", "", "/[schemas]/[ids]/[5]/[schema] subject=:.c:"),
            (Method::GET, "/contexts/./schemas/ids/5", "", "/[schemas]/[ids]/[5]"),
            (Method::GET, "/contexts/c/subjects", "", "/[subjects] subjectPrefix=:.c:"),
            (Method::GET, "/contexts/c/subjects/", "", "/[subjects] subjectPrefix=:.c:"),
            (Method::GET, "/contexts/:.:/subjects", "", "/[subjects]"),
            (Method::GET, "/contexts/c/schemas", "subjectPrefix=fo", "/[schemas] subjectPrefix=:.c:fo"),
            (Method::GET, "/contexts/c/schemas", "subjectPrefix=:*:", "/[schemas] subjectPrefix=:*:"),
            (Method::GET, "/contexts/c/schemas", "subjectPrefix=", "/[schemas] subjectPrefix=:.c:"),
            (
                Method::GET,
                "/contexts/c/subjects",
                "subjectPrefix=a&other=1&subjectPrefix=:.d:b",
                "/[subjects] subjectPrefix=:.c:a,:.d:b other=1",
            ),
            (
                Method::GET,
                "/contexts/c/subjects/s/versions",
                "subjectPrefix=a",
                "/[subjects]/[:.c:s]/[versions] subjectPrefix=a",
            ),
            (Method::GET, "/contexts/c/keks", "", "/[keks] subjectPrefix=:.c:"),
            (Method::GET, "/contexts/c/dek-registry/v1/keks", "", "/[dek-registry]/[v1]/[keks]"),
            (Method::POST, "/contexts/c/associations", "", "/[associations] context=:.c:"),
            (Method::POST, "/contexts/c/associations", "context=d&other=1", "/[associations] context=:.c: other=1"),
            (Method::PUT, "/contexts/c/associations/resources/r", "", "/[associations]/[resources]/[r] context=:.c:"),
            (Method::POST, "/contexts/c/associations:batchMutate", "", "/[associations:batchMutate] context=:.c:"),
            (Method::GET, "/contexts/c/associations/resources/r", "", "/[associations]/[resources]/[r]"),
            (Method::DELETE, "/contexts/c/associations/resources/r", "", "/[associations]/[resources]/[r]"),
            (Method::POST, "/contexts/./associations", "context=d", "/[associations] context=d"),
            (Method::GET, "/contexts/c/schemas/types", "subject=s", "/[schemas]/[types] subject=s"),
        ] {
            assert_eq!(rewritten(&method, path, query), expected, "{method} {path}?{query}");
        }
    }

    #[test]
    fn a_colon_within_is_refused() {
        for (path, name) in [
            ("/contexts/a:b/subjects", "a:b"),
            ("/contexts/:.c:s/subjects", ":.c:s"),
            ("/contexts/::c::/schemas/types", "::c::"),
            ("/contexts/a%3Ab", "a:b"),
            ("/contexts/c/contexts/a:b", "a:b"),
        ] {
            assert_eq!(rewrite(segments(path).unwrap()), Err(BadContext(name.to_owned())), "{path}");
        }
    }
}
