//! Associations on the wire (rest-api.md appendix A). The order of the members below is the order on the wire.

use super::read::{Members, Mismatch, boolean, constant, list, string};
use super::schema::SchemaDto;
use super::schema_request;
use crate::error::ErrorBody;
use registrar_formats::json_text::Value;
use registrar_model::{Lifecycle, TOPIC};
use registrar_registry::{
    Associated, AssociatedSchema, AssociationFilter, AssociationGet, AssociationInfo, AssociationOp,
    AssociationRequest, ResourceAssociation,
};
use serde::Serialize;

const LIFECYCLES: [(&str, Lifecycle); 2] = [("STRONG", Lifecycle::Strong), ("WEAK", Lifecycle::Weak)];

/// What a batch asks to do with one association.
#[derive(Clone, Copy)]
enum OpType {
    Create,
    Upsert,
    Delete,
}

const OP_TYPES: [(&str, OpType); 3] =
    [("CREATE", OpType::Create), ("UPSERT", OpType::Upsert), ("DELETE", OpType::Delete)];

/// Reads the body of a create or an upsert, each of whose entries becomes an `op`.
pub(crate) fn read_request(
    value: Value<'_>,
    op: fn(AssociationInfo) -> AssociationOp,
) -> Result<AssociationRequest, Mismatch> {
    request(Members::of(value, "AssociationCreateOrUpdateRequest")?, |value| {
        info(Members::of(value, "AssociationCreateOrUpdateInfo")?).map(op)
    })
}

/// Reads the body of a batch of reads.
pub(crate) fn read_gets(value: Value<'_>) -> Result<Vec<AssociationGet>, Mismatch> {
    let members = Members::of(value, "AssociationBatchGetRequest")?;
    Ok(members.get("requests", |value| list(value, |value| read_get(value).map(Some)))?.unwrap_or_default())
}

/// Reads the body of a batch of changes. Absent requests are as none.
pub(crate) fn read_batch(value: Value<'_>) -> Result<Vec<AssociationRequest>, Mismatch> {
    let members = Members::of(value, "AssociationBatchRequest")?;
    Ok(members.get("requests", |value| list(value, |value| read_op_request(value).map(Some)))?.unwrap_or_default())
}

fn read_op_request(value: Value<'_>) -> Result<AssociationRequest, Mismatch> {
    request(Members::of(value, "AssociationOpRequest")?, read_op)
}

fn request(
    members: Members<'_>,
    op: impl Fn(Value<'_>) -> Result<AssociationOp, Mismatch>,
) -> Result<AssociationRequest, Mismatch> {
    let ops = members.get("associations", |value| list(value, |value| op(value).map(Some)))?;
    Ok(AssociationRequest {
        resource_name: members.get("resourceName", string)?,
        resource_namespace: members.get("resourceNamespace", string)?,
        resource_id: members.get("resourceId", string)?,
        resource_type: members.get("resourceType", string)?,
        ops: ops.unwrap_or_default(),
    })
}

fn read_op(value: Value<'_>) -> Result<AssociationOp, Mismatch> {
    let members = Members::of(value, "AssociationOp")?;
    let op_type = members.get("opType", |value| constant(value, "OpType", &OP_TYPES))?;
    let missing = "Could not resolve subtype of `AssociationOp`: missing type id property 'opType'";
    Ok(match op_type.ok_or_else(|| Mismatch(missing.to_owned()))? {
        OpType::Create => AssociationOp::Create(info(members)?),
        OpType::Upsert => AssociationOp::Upsert(info(members)?),
        OpType::Delete => AssociationOp::Delete {
            association_type: members.get("associationType", string)?,
            cascade: members.get("cascadeLifecycle", boolean)?.unwrap_or_default(),
        },
    })
}

fn info(members: Members<'_>) -> Result<AssociationInfo, Mismatch> {
    Ok(AssociationInfo {
        subject: members.get("subject", string)?,
        association_type: members.get("associationType", string)?,
        lifecycle: members.get("lifecycle", lifecycle)?,
        frozen: members.get("frozen", boolean)?,
        schema: members.get("schema", |value| schema_request::read(value).map(Some))?,
        normalize: members.get("normalize", boolean)?.unwrap_or_default(),
    })
}

fn read_get(value: Value<'_>) -> Result<AssociationGet, Mismatch> {
    let members = Members::of(value, "AssociationGetRequest")?;
    Ok(AssociationGet {
        resource_name: members.get("resourceName", string)?,
        resource_namespace: members.get("resourceNamespace", string)?,
        resource_id: members.get("resourceId", string)?,
        filter: AssociationFilter {
            resource_type: members.get("resourceType", string)?,
            association_types: members.get("associationTypes", |value| list(value, string))?.unwrap_or_default(),
            lifecycle: members.get("lifecycle", lifecycle)?,
        },
    })
}

fn lifecycle(value: Value<'_>) -> Result<Option<Lifecycle>, Mismatch> {
    constant(value, "LifecyclePolicy", &LIFECYCLES)
}

/// An association with its resource. `frozen` never shows: it always is what goes with the lifecycle.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssociationDto<'a> {
    subject: String,
    guid: String,
    resource_name: &'a str,
    resource_namespace: &'a str,
    resource_id: &'a str,
    resource_type: &'static str,
    association_type: &'static str,
    lifecycle: &'static str,
    create_ts: u64,
    update_ts: u64,
}

impl<'a> From<&'a ResourceAssociation> for AssociationDto<'a> {
    fn from(ResourceAssociation { resource, association }: &'a ResourceAssociation) -> Self {
        Self {
            subject: association.subject.to_string(),
            guid: association.guid.to_string(),
            resource_name: &resource.name,
            resource_namespace: &resource.namespace,
            resource_id: &resource.id,
            resource_type: TOPIC,
            association_type: association.association_type.name(),
            lifecycle: association.lifecycle.name(),
            create_ts: association.created,
            update_ts: association.updated,
        }
    }
}

/// A resource and some of its associations.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssociatedDto<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_namespace: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    associations: Vec<InfoDto<'a>>,
}

/// An association of a resource that is named around it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InfoDto<'a> {
    subject: String,
    association_type: &'static str,
    lifecycle: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<SchemaDto<'a>>,
}

impl<'a> From<&'a Associated> for AssociatedDto<'a> {
    fn from(answer: &'a Associated) -> Self {
        let given = |text: &'a Option<String>| text.as_deref().filter(|text| !text.is_empty());
        Self {
            resource_name: given(&answer.resource_name),
            resource_namespace: given(&answer.resource_namespace),
            resource_id: given(&answer.resource_id),
            resource_type: given(&answer.resource_type),
            associations: answer.associations.iter().map(InfoDto::from).collect(),
        }
    }
}

impl<'a> From<&'a AssociatedSchema> for InfoDto<'a> {
    fn from(AssociatedSchema { association, schema }: &'a AssociatedSchema) -> Self {
        Self {
            subject: association.subject.to_string(),
            association_type: association.association_type.name(),
            lifecycle: association.lifecycle.name(),
            schema: schema.as_ref().map(SchemaDto::from),
        }
    }
}

/// The answer to a batch.
#[derive(Serialize)]
pub(crate) struct BatchDto<'a> {
    pub(crate) results: Vec<ResultDto<'a>>,
}

/// What became of one request of a batch.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultDto<'a> {
    Error(ErrorBody),
    Result(AssociatedDto<'a>),
}

#[cfg(test)]
mod tests {
    use super::super::read::{Body, parse};
    use super::*;
    use registrar_model::{Association, AssociationType, Guid, Resource, Subject};

    fn with<T>(body: &str, read: impl FnOnce(Value<'_>) -> Result<T, Mismatch>) -> Result<T, Mismatch> {
        match parse(body.as_bytes())? {
            Body::Present(json) => read(json.root()),
            Body::Missing => panic!("no body"),
        }
    }

    #[test]
    fn a_whole_batch() {
        let requests = with(
            "{\"requests\":[{\"resourceName\":\"t\",\"resourceNamespace\":\"c\",\"resourceId\":1,\"associations\":[\
             {\"opType\":\"CREATE\",\"subject\":\"s\",\"associationType\":\"key\",\"lifecycle\":\"STRONG\",\
             \"frozen\":\"true\",\"schema\":{\"schema\":\"x\"},\"normalize\":true,\"unknown\":1},\
             {\"opType\":\"UPSERT\"},{\"opType\":\"DELETE\",\"cascadeLifecycle\":true}]},{}]}",
            read_batch,
        )
        .unwrap();
        assert_eq!((requests.len(), requests[0].resource_id.as_deref()), (2, Some("1")));
        let [AssociationOp::Create(info), AssociationOp::Upsert(_), AssociationOp::Delete { cascade: true, .. }] =
            &requests[0].ops[..]
        else {
            panic!("{:?}", requests[0].ops)
        };
        assert_eq!((info.lifecycle, info.frozen, info.normalize), (Some(Lifecycle::Strong), Some(true), true));
        assert_eq!(info.schema.as_ref().and_then(|schema| schema.schema.as_deref()), Some("x"));
        assert!(requests[1].ops.is_empty());
    }

    #[test]
    fn wrong_shapes() {
        let create = |value: Value<'_>| read_request(value, AssociationOp::Create).map(drop);
        for (body, part) in [
            ("[]", "`AssociationCreateOrUpdateRequest` from Array"),
            ("{\"associations\":{}}", "in member \"associations\""),
            ("{\"associations\":[1]}", "`AssociationCreateOrUpdateInfo` from Integer"),
            ("{\"associations\":[null]}", "`AssociationCreateOrUpdateInfo` from Null"),
            ("{\"associations\":[{\"lifecycle\":\"weak\"}]}", "accepted for Enum class: [STRONG, WEAK]"),
            ("{\"associations\":[{\"schema\":\"x\"}]}", "`SchemaRequest` from String"),
        ] {
            let Mismatch(message) = with(body, create).unwrap_err();
            assert!(message.contains(part), "{body}: {message}");
        }
        for (op, part) in [("{}", "missing type id property 'opType'"), ("{\"opType\":\"create\"}", "[CREATE, UPSERT,")]
        {
            let body = format!("{{\"requests\":[{{\"associations\":[{op}]}}]}}");
            let Mismatch(message) = with(&body, read_batch).unwrap_err();
            assert!(message.contains(part), "{body}: {message}");
        }
        let Mismatch(message) = with("{\"requests\":[{\"associationTypes\":\"key\"}]}", read_gets).unwrap_err();
        assert!(message.contains("`ArrayList` from String"), "{message}");
    }

    #[test]
    fn bodies() {
        let association = Association {
            subject: Subject::parse(":.c:t-value"),
            guid: Guid([0x11; 16]),
            association_type: AssociationType::Value,
            lifecycle: Lifecycle::Strong,
            created: 1,
            updated: 2,
        };
        let resource = Resource { name: "t".into(), namespace: "c".into(), id: "i".into() };
        let found = ResourceAssociation { resource, association: association.clone() };
        assert_eq!(
            serde_json::to_string(&AssociationDto::from(&found)).unwrap(),
            "{\"subject\":\":.c:t-value\",\"guid\":\"11111111-1111-1111-1111-111111111111\",\"resourceName\":\"t\",\
             \"resourceNamespace\":\"c\",\"resourceId\":\"i\",\"resourceType\":\"topic\",\"associationType\":\"value\",\
             \"lifecycle\":\"STRONG\",\"createTs\":1,\"updateTs\":2}"
        );
        let answer = Associated {
            resource_name: Some("t".into()),
            associations: vec![AssociatedSchema { association, schema: None }],
            ..Associated::default()
        };
        let error = ErrorBody { error_code: 40410, message: "m".into() };
        let results = vec![ResultDto::Error(error), ResultDto::Result(AssociatedDto::from(&answer))];
        assert_eq!(
            serde_json::to_string(&BatchDto { results }).unwrap(),
            "{\"results\":[{\"error\":{\"error_code\":40410,\"message\":\"m\"}},{\"result\":{\"resourceName\":\"t\",\
             \"associations\":[{\"subject\":\":.c:t-value\",\"associationType\":\"value\",\"lifecycle\":\"STRONG\"}]}}]}"
        );
    }
}
