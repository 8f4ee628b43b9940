//! Rows of operations that the design says nothing of: imports, modes, metadata, lists with filters, batches.

use registrar_harness::schemas::{number, register, request, subject};
use registrar_model::{ContextName, SchemaId, SubjectPrefix, Update};
use registrar_registry::{
    AssociationFilter, AssociationGet, AssociationInfo, AssociationOp, AssociationRequest, IdQuery, MutateOptions,
    RegisterOptions, SchemaRequest, SchemasQuery, SubjectAssociations, TagChanges, VersionOptions,
};

use crate::rows::text;
use crate::{Bench, Row, budget};

pub(crate) async fn measure() -> Vec<Row> {
    let mut rows = imports().await;
    rows.extend(reads().await);
    rows.extend(batches().await);
    rows
}

async fn imports() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let s = subject("s");
    let import = || Update::Set("IMPORT".to_owned());
    let entered = registry.set_mode(Some(&s), import(), false);
    bench.row("enter IMPORT, no versions", budget(4, 6.0, 6.0), entered).await.unwrap();
    let options = RegisterOptions::default();
    for (label, id, version, number) in [("import a first version", 7, 3, 3), ("import an earlier version", 9, 1, 1)] {
        let import = SchemaRequest { id: SchemaId::new(id), version, ..request(text(number)) };
        let made = bench.row(label, budget(4, 8.0, 19.0), registry.register(&s, import, &options)).await.unwrap();
        assert_eq!(i64::from(made.id.get()), id);
    }
    let again = SchemaRequest { id: SchemaId::new(7), version: 3, ..request(text(3)) };
    bench.row("import what is there", budget(1, 3.0, 0.0), registry.register(&s, again, &options)).await.unwrap();
    let left = registry.delete_mode(None, true);
    bench.row("delete the modes of a registry with one", budget(4, 7.0, 6.0), left).await.unwrap();
    bench.rows
}

async fn reads() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let first = register(&registry, "s", text(0)).await.unwrap();
    register(&registry, "s", text(1)).await.unwrap();
    let (s, options) = (subject("s"), VersionOptions::default());
    let tags = TagChanges { propagate: true, ..TagChanges::default() };
    let tagged = SchemaRequest { tags, ..request(text(2)) };
    let options_of_register = RegisterOptions::default();
    let made = registry.register(&s, tagged, &options_of_register);
    bench.row("register version 3, tags taken over", budget(6, 10.0, 17.0), made).await.unwrap();
    let found = registry.latest_with_metadata(&s, &[], &options);
    bench.row("GET the latest with metadata, none has any", budget(2, 2.0, 0.0), found).await.unwrap_err();
    let query = IdQuery { fetch_max_id: true, ..IdQuery::default() };
    let found = registry.schema_by_id(first.id, &query);
    let found = bench.row("GET schema by id, and the highest id", budget(2, 3.0, 0.0), found).await.unwrap();
    assert!(found.max_id.is_some());
    let referrers = registry.referenced_by(&s, number(1), false);
    bench.row("GET what refers to a version, nothing", budget(2, 3.0, 0.0), referrers).await.unwrap();
    let list = |aliases: bool, associations: Option<SubjectAssociations>| SchemasQuery {
        prefix: SubjectPrefix::parse(""),
        deleted: false,
        latest_only: true,
        aliases,
        associations,
        rule_type: String::new(),
        offset: 0,
        limit: 10,
    };
    for (label, query) in [
        ("list the latest schemas of one subject", list(false, None)),
        ("the same, with aliases", list(true, None)),
        ("the same, by associations", list(false, Some(SubjectAssociations::default()))),
    ] {
        bench.row(label, budget(3, 6.0, 0.0), registry.schemas(&query)).await.unwrap();
    }
    bench.rows
}

async fn batches() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    register(&registry, "s", text(0)).await.unwrap();
    let change = |op: fn(AssociationInfo) -> AssociationOp| {
        let info = AssociationInfo { subject: Some("s".to_owned()), ..AssociationInfo::default() };
        AssociationRequest {
            resource_name: Some("t".to_owned()),
            resource_namespace: Some("n".to_owned()),
            resource_id: Some("i".to_owned()),
            resource_type: None,
            ops: vec![op(info)],
        }
    };
    let options = |dry_run| MutateOptions { context: ContextName::default_context(), dry_run };
    let (create, upsert) = (change(AssociationOp::Create), change(AssociationOp::Upsert));
    let dry = options(true);
    let tried = registry.change_associations(&create, &dry);
    bench.row("associate, dry run", budget(2, 3.0, 0.0), tried).await.unwrap();
    let requests = [create];
    let options = options(false);
    let changed = registry.change_associations_batch(&requests, &options);
    bench.row("associate, a batch of one", budget(4, 3.0, 13.0), changed).await.unwrap();
    bench
        .row("upsert what is there", budget(2, 3.0, 0.0), registry.change_associations(&upsert, &options))
        .await
        .unwrap();
    let get = AssociationGet {
        resource_id: Some("i".to_owned()),
        filter: AssociationFilter::default(),
        ..AssociationGet::default()
    };
    let gets = [get];
    let read = registry.get_associations_batch(&gets, true);
    bench.row("read associations with schemas, a batch of one", budget(2, 3.0, 0.0), read).await.unwrap();
    bench.rows
}
