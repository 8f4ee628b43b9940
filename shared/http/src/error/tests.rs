//! Every variant with its code and text, as rest-api.md §5 and §1.8 give them.

use super::*;
use registrar_model::{Rule, RuleSet, SchemaContent, SchemaId, SchemaType, Version, VersionSpec};
use registrar_registry::Posted;

fn rule_set_error() -> registrar_model::RuleSetError {
    let nameless = RuleSet { domain_rules: vec![Rule::default()], ..RuleSet::default() };
    nameless.validate().unwrap_err()
}

fn posted() -> Box<Posted> {
    let content = SchemaContent {
        schema_type: SchemaType::Avro,
        text: "x".into(),
        references: Vec::new(),
        metadata: None,
        rule_set: None,
    };
    Box::new(Posted { subject: subject(), version: 0, id: None, content })
}

fn subject() -> Subject {
    Subject::parse("s")
}

fn in_context() -> Subject {
    Subject::parse(":.c:s")
}

#[track_caller]
fn check(failure: impl Into<Failure>, status: u16, code: u16, message: &str) {
    let refusal = refusal(failure.into(), None, false);
    let detail = refusal.detail.clone();
    let (actual_status, body) = refusal.into_parts();
    assert_eq!((actual_status.as_u16(), body.error_code, body.message.as_str()), (status, code, message));
    assert_eq!(detail.is_some(), status >= 500, "the log gets what the client does not");
}

#[test]
fn not_found() {
    use RegistryError as E;
    let (subject, one) = (subject, Version::FIRST);
    check(E::SubjectNotFound(in_context()), 404, 40401, "Subject ':.c:s' not found.");
    check(E::VersionNotFound(VersionSpec::Latest), 404, 40402, "Version -1 not found.");
    check(E::VersionNotFound(VersionSpec::Number(one)), 404, 40402, "Version 1 not found.");
    check(E::SchemaNotFound, 404, 40403, "Schema not found");
    check(E::SchemaIdNotFound("7".into()), 404, 40403, "Schema 7 not found");
    check(
        E::SubjectSoftDeleted(subject()),
        404,
        40404,
        "Subject 's' was soft deleted.Set permanent=true to delete permanently",
    );
    check(
        E::SubjectNotSoftDeleted(subject()),
        404,
        40405,
        "Subject 's' was not deleted first before being permanently deleted",
    );
    check(
        E::VersionSoftDeleted(subject(), one),
        404,
        40406,
        "Subject 's' Version 1 was soft deleted.Set permanent=true to delete permanently",
    );
    check(
        E::VersionNotSoftDeleted(subject(), one),
        404,
        40407,
        "Subject 's' Version 1 was not deleted first before being permanently deleted",
    );
    check(E::ContextNotFound(in_context().context().clone()), 404, 404, "Context ':.c:' not found.");
    check(E::ConfigNotSet(subject()), 404, 40408, "Subject 's' does not have subject-level compatibility configured");
    check(E::ModeNotSet(subject()), 404, 40409, "Subject 's' does not have subject-level mode configured");
}

#[test]
fn associations() {
    use RegistryError as E;
    use registrar_model::AssociationType::{Key, Value};
    check(E::AssociationNotFound("i".into()), 404, 40410, "Association for 'i' not found.");
    check(
        E::AssociationExists(Key, "i".into()),
        409,
        40903,
        "An association of type 'key' already exists for resource 'i'",
    );
    check(E::SubjectAssociated(in_context()), 409, 40904, "An association already exists for subject ':.c:s'");
    check(E::SubjectStronglyAssociated(subject()), 409, 40905, "A strong association already exists for subject 's'");
    check(E::NoActiveVersion(subject()), 409, 40907, "No active (non-deleted) version exists for subject 's'");
    check(
        E::AssociationFrozen(Value, subject()),
        409,
        40908,
        "The association of type  'value' is frozen for subject 's'",
    );
    check(E::SubjectReferenced(subject()), 422, 42206, "One or more references exist to the schema s.");
    check(
        E::InvalidAssociation { property: "frozen", detail: "why".into() },
        422,
        42212,
        "The association specified an invalid value for property: 'frozen', detail: why",
    );
    check(
        E::Denied(Denied::StronglyAssociated(subject())),
        422,
        42205,
        "Subject 's' has a strong association and cannot be referenced",
    );
    let error = || E::IncompatibleAssociation(vec!["{a}".into(), "{b}".into()]);
    check(error(), 409, 40901, "[{a}, {b}]");
    let (status, body) = refusal(error().into(), None, true).into_parts();
    assert_eq!((status.as_u16(), body.error_code, body.message.as_str()), (409, 409, "[{a}, {b}]"));
}

#[test]
fn incompatible_and_its_older_number() {
    let error = || RegistryError::Incompatible(subject(), vec!["{a}".into(), "{b}".into()]);
    let message =
        "Schema being registered is incompatible with an earlier schema for subject \"s\", details: [{a}, {b}]";
    check(error(), 409, 40901, message);
    let (status, body) = refusal(error().into(), None, true).into_parts();
    assert_eq!((status.as_u16(), body.error_code, body.message.as_str()), (409, 409, message));
}

#[test]
fn invalid() {
    use RegistryError as E;
    check(E::InvalidSchema(InvalidSchema::UnknownType("XML".into())), 422, 42201, "Invalid schema type XML");
    check(
        E::InvalidSchema(InvalidSchema::Unparsable { request: posted(), details: "why".into() }),
        422,
        42201,
        "Invalid schema of type AVRO, details: Invalid schema {subject=s,version=0,id=-1,guid=null,schemaType=AVRO,\
         references=[],metadata=null,ruleSet=null,schema=x,schemaTags=null,ts=null,deleted=null} with refs [] of type \
         AVRO, details: why",
    );
    check(
        E::InvalidSchema(InvalidSchema::Unsound { request: posted(), details: "why".into() }),
        422,
        42201,
        "Invalid schema {subject=s,version=0,id=-1,guid=null,schemaType=AVRO,references=[],metadata=null,ruleSet=null,\
         schema=x,schemaTags=null,ts=null,deleted=null}, details: why",
    );
    check(E::InvalidSchema(InvalidSchema::Empty), 422, 42201, "Empty schema");
    check(E::InvalidSchema(InvalidSchema::Tags("no such path".into())), 422, 42201, "no such path");
    check(E::InvalidSchema(InvalidSchema::WrongVersion), 422, 42201, "Version is not one more than previous version");
    check(
        E::InvalidVersion("x".into()),
        422,
        42202,
        "The specified version 'x' is not a valid version id. Allowed values are between [1, 2^31-1] and the string \
         \"latest\"",
    );
    check(
        E::InvalidLevel,
        422,
        42203,
        "Invalid compatibility level. Valid values are none, backward, forward, full, backward_transitive, \
         forward_transitive, and full_transitive",
    );
    check(
        E::InvalidMode(InvalidMode::Unknown),
        422,
        42204,
        "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD.",
    );
    check(E::InvalidMode(InvalidMode::ForwardNotGlobal), 422, 42204, "Forward mode only supported on global level");
    check(
        E::Referenced(in_context(), Version::FIRST),
        422,
        42206,
        "One or more references exist to the schema {magic=1,keytype=SCHEMA,subject=:.c:s,version=1}.",
    );
    check(E::InvalidSubject(subject()), 422, 42208, "The specified subject 's' is not a valid.");
    check(E::InvalidRuleSet(rule_set_error()), 422, 42210, "Missing rule name");
    let ambiguous = "ruleSet should be omitted if specifying rulesToMerge or rulesToRemove";
    check(E::AmbiguousRuleSet, 422, 42210, ambiguous);
}

#[test]
fn over_limits() {
    use Limit as L;
    let too_large = "Register operation failed because schema is too large";
    for (limit, code, message, setting) in [
        (L::SchemaBytes(9), 42209, format!("{too_large}: more than 9 bytes"), "SCHEMA_BYTES"),
        (L::Values(9), 42209, format!("{too_large}: more than 9 values, those it refers to counted"), "VALUES"),
        (
            L::ReferencedBytes(9),
            42209,
            "A schema may refer to schemas of at most 9 bytes in all".to_owned(),
            "REFERENCED_BYTES",
        ),
        (L::References(9), 42201, "A schema may have at most 9 references".to_owned(), "REFERENCES"),
        (
            L::ReferenceClosure(9),
            42201,
            "A schema may reach at most 9 schemas through its references".to_owned(),
            "REFERENCE_CLOSURE",
        ),
        (L::Nesting(9), 42201, "A schema may be nested at most 9 levels deep".to_owned(), "NESTING"),
        (L::CheckSteps(9), 42209, "The compatibility check takes more than 9 steps".to_owned(), "CHECK_STEPS"),
        (
            L::AnswerBytes(9),
            42209,
            "The schemas of this page have more than 9 bytes, ask for fewer with limit".to_owned(),
            "ANSWER_BYTES",
        ),
    ] {
        check(RegistryError::OverLimit(limit), 422, code, &format!("{message} (REGISTRAR_MAX_{setting})"));
    }
    let pairs = "The compatibility check has to remember more than 9 pairs of types";
    check(RegistryError::OverLimit(L::CheckPairs(9)), 422, 42209, pairs);
}

#[test]
fn denied_by_mode() {
    use Denied as D;
    for (denied, message) in [
        (D::ReadOnly(Some(subject())), "Subject s in context  is in read-only mode"),
        (D::ReadOnly(Some(in_context())), "Subject :.c:s in context :.c: is in read-only mode"),
        (D::ReadOnly(None), "Subject null in context  is in read-only mode"),
        (D::NotImport(in_context()), "Subject :.c:s in context :.c: is not in import mode"),
        (D::NotReadWrite(subject()), "Subject s in context  is not in read-write mode"),
        (
            SchemaId::new(7).map(|id| D::OverwriteId(subject(), id)).unwrap(),
            "Overwrite new schema with id 7 in context  is not permitted.",
        ),
        (D::ExistingSubjects, "Cannot import since found existing subjects"),
        (D::ModeImmutable, "Mode changes are not allowed"),
    ] {
        check(RegistryError::Denied(denied), 422, 42205, message);
    }
}

#[test]
fn generic_failures() {
    check(Failure::NotFound, 404, 404, "HTTP 404 Not Found");
    check(Failure::MethodNotAllowed, 405, 405, "HTTP 405 Method Not Allowed");
    check(Failure::NotAcceptable, 406, 406, "HTTP 406 Not Acceptable");
    check(Failure::UnsupportedMediaType, 415, 415, "HTTP 415 Unsupported Media Type");
    check(Failure::BadRequest("why".into()), 400, 400, "why");
    check(
        Failure::BodyTimeout(30),
        408,
        408,
        "HTTP 408 Request Timeout: the request body took more than 30 s (REGISTRAR_BODY_SECONDS)",
    );
    check(Failure::MissingBody("register.request"), 422, 422, "register.request must not be null (was null)");
    check(
        Failure::BodyTooLarge(10),
        413,
        413,
        "The request body is longer than the limit of 10 bytes (REGISTRAR_MAX_BODY_BYTES)",
    );
    check(Failure::BodyTooFull(10), 413, 413, "The request body has more than 10 values (REGISTRAR_MAX_VALUES)");
    check(
        Failure::BodyTooDeep(10),
        400,
        400,
        "The request body is nested more than 10 levels deep (REGISTRAR_MAX_NESTING)",
    );
    check(
        Failure::TooManyRequests(10),
        429,
        429,
        "Requests under way have 10 bytes of bodies and answers; try again (REGISTRAR_MAX_BYTES_IN_FLIGHT)",
    );
    check(Failure::Internal("secret".into()), 500, 500, "Internal Server Error");
}

#[test]
fn store_failures_keep_their_detail_from_the_client() {
    let detail = || "table t".to_owned();
    let route = |pattern: &str, method: &str| {
        crate::ROUTES.iter().find(|route| route.pattern == pattern && route.method == method).unwrap()
    };
    let list = route("/subjects", "GET");
    for (error, route, status, code, message) in [
        (StoreError::Exhausted(detail()), list, 500, 50001, "Error while listing subjects"),
        (
            StoreError::Exhausted(detail()),
            route("/subjects/{subject}/versions", "POST"),
            500,
            50002,
            "Register operation timed out",
        ),
        (
            StoreError::Exhausted(detail()),
            route("/subjects/{subject}", "DELETE"),
            500,
            50002,
            "Delete subject operation timed out",
        ),
        (
            StoreError::Exhausted(detail()),
            route("/subjects/{subject}/versions/{version}", "DELETE"),
            500,
            50002,
            "Delete Schema Version operation timed out",
        ),
        (StoreError::Exhausted(detail()), route("/mode", "PUT"), 500, 50002, "Update mode operation timed out"),
        (StoreError::Refused(detail()), list, 500, 50001, "Error while listing subjects"),
        (StoreError::Broken(detail()), list, 500, 500, "Internal Server Error"),
        (StoreError::Disk(detail()), list, 500, 50001, "Error while listing subjects: table t"),
        (StoreError::Locked(detail()), list, 500, 50001, "Error while listing subjects: table t"),
        (
            StoreError::TooLarge(detail()),
            list,
            422,
            42209,
            "Register operation failed because schema is too large: compressed it has more than 3600000 bytes, or more \
             than fits one transaction",
        ),
    ] {
        let refusal = refusal(RegistryError::Store(error).into(), Some(route), false);
        assert!(refusal.detail.as_ref().is_some_and(|detail| detail.contains("table t")), "{refusal:?}");
        let (actual, body) = refusal.into_parts();
        assert_eq!((actual.as_u16(), body.error_code, body.message.as_str()), (status, code, message));
    }
}

#[test]
fn codes_are_in_order_and_give_their_status() {
    let numbers: Vec<u16> = ErrorCode::ALL.iter().map(|code| code.number()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    for code in ErrorCode::ALL {
        assert!(code.number().to_string().starts_with(&code.status().as_u16().to_string()), "{code:?}");
    }
}
