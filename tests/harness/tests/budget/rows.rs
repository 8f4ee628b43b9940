//! The rows of the budget, in its order.

use registrar_model::{ConfigUpdate, Level, Metadata, Subject, SubjectPrefix, Update, VersionSpec};
use registrar_registry::{
    AssociationFilter, CheckOptions, IdQuery, LookupOptions, RegisterOptions, RegistryError, SchemaRequest, Settings,
    SubjectFilter, TagRequest, VersionFilter, VersionOptions,
};

use crate::{Bench, Row, TEXT_BYTES, budget};
use registrar_harness::schemas::{associate, association, number, own_subject, record_of, register, request, subject};

pub(crate) async fn measure() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(reads().await);
    rows.extend(known_contents().await);
    rows.extend(beyond_the_design().await);
    rows.extend(registrations().await);
    rows.extend(data_contracts().await);
    rows.extend(another_scope().await);
    rows.extend(contexts().await);
    rows.extend(aliases().await);
    rows.extend(searches().await);
    rows.extend(lists().await);
    rows.extend(associations().await);
    rows.extend(crate::surface::measure().await);
    for versions in [1, 20, 200] {
        rows.extend(subject_delete(versions).await);
    }
    rows
}

/// A schema for each number.
type Text = fn(usize) -> String;

/// The `i`th schema.
pub(crate) fn text(i: usize) -> String {
    record_of(TEXT_BYTES, i)
}

async fn reads() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let first = register(&registry, "s", text(0)).await.unwrap();
    register(&registry, "s", text(1)).await.unwrap();
    register(&registry, "s", text(2)).await.unwrap();
    let reading = budget(1, 2.0, 0.0);

    let query = IdQuery::default();
    let found = bench.row("GET schema by id", reading, registry.schema_by_id(first.id, &query)).await.unwrap();
    assert_eq!(found.content.text, text(0));
    let (name, options) = (subject("s"), VersionOptions::default());
    let latest = registry.version(&name, VersionSpec::Latest, &options);
    let latest = bench.row("GET latest", reading, latest).await.unwrap();
    assert_eq!((latest.version.get(), latest.content.text), (3, text(2)));
    let second = bench.row("GET version", reading, registry.version(&name, number(2), &options)).await.unwrap();
    assert_eq!((second.version.get(), second.content.text), (2, text(1)));
    let options = VersionOptions { find_tags: vec!["*".to_owned()], ..options };
    let tagged =
        bench.row("GET version, its tags", reading, registry.version(&name, number(2), &options)).await.unwrap();
    assert_eq!((tagged.version.get(), tagged.tagged), (2, Vec::new()));
    bench.rows
}

/// A schema whose normal form does not even count as equal to it: normalising loses the default of a union that is not
/// of its first branch.
fn text_to_normalize(i: usize) -> String {
    let field = r#"{"name":"x","type":["null","int"],"default":1}"#;
    record_of(TEXT_BYTES - field.len(), i).replacen("[]", &format!("[{field}]"), 1)
}

/// The configuration is known to the process here, as it is after the first request that meets it.
async fn known_contents() -> Vec<Row> {
    let mut rows = Vec::new();
    let kinds: [(_, Text, _); 3] = [
        ("", text, 3.0),
        (", config normalises", text, 3.0),
        (", config normalises, both hashes", text_to_normalize, 4.0),
    ];
    for (label, text, units) in kinds {
        let normalizes = !label.is_empty();
        let mut bench = Bench::new().await;
        let registry = bench.at.registry.clone();
        let update = ConfigUpdate { normalize: Update::Set(normalizes), ..ConfigUpdate::default() };
        registry.set_config(None, update).await.unwrap();
        for i in 0..3 {
            register(&registry, "s", text(i)).await.unwrap();
        }
        for i in [0, 2] {
            let (name, options) = (subject("s"), LookupOptions::default());
            let lookup = registry.lookup(&name, request(text(i)), &options);
            let row = format!("lookup, version {}{label}", i + 1);
            let found = bench.row(&row, budget(1, units, 0.0), lookup).await.unwrap();
            let row = format!("register, already there, version {}{label}", i + 1);
            let again = bench.row(&row, budget(1, units, 0.0), register(&registry, "s", text(i))).await.unwrap();
            assert_eq!((found.version.get() as usize, again.version, again.id), (i + 1, found.version, found.id));
            assert_eq!(found.content.text == text(i), !normalizes);
        }
        rows.extend(bench.rows);
    }
    rows
}

/// Two cases that the design's table leaves out take one round trip more.
async fn beyond_the_design() -> Vec<Row> {
    let mut bench = Bench::new().await;
    register(&bench.at.registry, "s", text(0)).await.unwrap();
    let (name, options) = (subject("s"), LookupOptions::default());
    let at = bench.at.clone();
    let fresh = || at.registry_with(Settings::default());

    let (registry, equal) = (fresh(), text(0).replacen(r#""b":1,"a":2"#, r#""a":2,"b":1"#, 1));
    let lookup = registry.lookup(&name, request(equal.clone()), &options);
    let found = bench.row("lookup of an equal schema, written otherwise", budget(2, 4.0, 0.0), lookup).await.unwrap();
    assert_eq!(found.content.text, text(0));

    let update = ConfigUpdate { normalize: Update::Set(true), ..ConfigUpdate::default() };
    registry.set_config(None, update).await.unwrap();
    register(&registry, "t", text_to_normalize(1)).await.unwrap();
    let (registry, row) = (fresh(), "lookup, config normalises, both hashes, a process's first");
    let name = subject("t");
    let lookup = registry.lookup(&name, request(text_to_normalize(1)), &options);
    let found = bench.row(row, budget(2, 4.0, 0.0), lookup).await.unwrap();
    assert_eq!(found.version.get(), 1);
    bench.rows
}

async fn registrations() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    register(&registry, "other", text(900)).await.unwrap();

    let first = budget(4, 5.0, 20.0);
    let made = bench.row("register first version, new content", first, register(&registry, "s", text(0))).await;
    assert_eq!(made.unwrap().version.get(), 1);
    let known = register(&registry, "t", text(0));
    let known = bench.row("register first version, content known elsewhere", first, known).await;
    assert_eq!(known.unwrap().id.get(), 2);

    let next = budget(4, 6.0, 18.0);
    for i in 1..=2 {
        let label = format!("register version {}, BACKWARD, new content", i + 1);
        let made = bench.row(&label, next, register(&registry, "s", text(i))).await.unwrap();
        assert_eq!(made.version.get() as usize, i + 1);
    }
    let name = subject("s");
    let check = registry.check_one(&name, VersionSpec::Latest, request(text(3)), CheckOptions::default());
    let verdict = bench.row("compatibility check against latest", budget(2, 4.0, 0.0), check).await.unwrap();
    assert!(verdict.is_compatible);
    let check = registry.check_all(&name, request(text(3)), CheckOptions::default());
    let verdict = bench.row("compatibility check against all that BACKWARD asks for", budget(2, 4.0, 0.0), check).await;
    assert!(verdict.unwrap().is_compatible);

    for i in 3..100 {
        register(&registry, "s", text(i)).await.unwrap();
    }
    let made = bench.row("register version 101, BACKWARD, new content", next, register(&registry, "s", text(100)));
    assert_eq!(made.await.unwrap().version.get(), 101);
    let update = ConfigUpdate { level: Update::Set(Level::BackwardTransitive), ..ConfigUpdate::default() };
    registry.set_config(Some(&name), update).await.unwrap();
    let transitive = budget(4, 40.0, 18.0);
    let made = register(&registry, "s", text(101));
    let made = bench.row("register version 102, BACKWARD_TRANSITIVE over 101", transitive, made).await;
    assert_eq!(made.unwrap().version.get(), 102);
    bench.rows
}

/// What a schema gets from the configuration and from the version before is known only beside the newest version, so that
/// it may take one more round trip; so does an answer that is another version than the one filed last.
async fn data_contracts() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    register(&registry, "other", text(900)).await.unwrap();
    let options = RegisterOptions::default();
    let asked = |i: usize, version: i32| SchemaRequest { version, ..request(text(i)) };
    let name = subject("s");

    let first = registry.register(&name, asked(0, 1), &options);
    let label = "register first version, its number asked for";
    let first = bench.row(label, budget(4, 5.0, 20.0), first).await.unwrap();
    assert_eq!(
        first
            .content
            .metadata
            .and_then(|metadata| metadata.property("confluent:version").map(str::to_owned))
            .as_deref(),
        Some("1")
    );
    let again = register(&registry, "s", text(0));
    let label = "register, already there under its number";
    let again = bench.row(label, budget(2, 4.0, 0.0), again).await.unwrap();
    assert_eq!((again.version.get(), again.id), (1, first.id));
    let lookup = LookupOptions::default();
    let lookup = registry.lookup(&name, request(text(0)), &lookup);
    let found = bench.row("lookup of a text under its number", budget(2, 4.0, 0.0), lookup).await.unwrap();
    assert_eq!(found.version.get(), 1);
    let next = registry.register(&name, asked(0, 2), &options);
    let label = "register version 2 of the same text, its number asked for";
    let next = bench.row(label, budget(5, 9.0, 18.0), next).await.unwrap();
    assert_eq!(next.version.get(), 2);
    let again = register(&registry, "s", text(0));
    let label = "register, already there under two numbers";
    let again = bench.row(label, budget(2, 5.0, 0.0), again).await.unwrap();
    assert_eq!(again.version.get(), 2);
    let next = register(&registry, "s", text(1));
    let label = "register version 3, metadata of version 2 taken over";
    let next = bench.row(label, budget(5, 9.0, 18.0), next).await.unwrap();
    assert_eq!(next.version.get(), 3);
    let tagged = TagRequest::default();
    let tagged = registry.tag_version(&name, number(3), tagged);
    let tagged = bench.row("tag a version", budget(7, 13.0, 18.0), tagged).await.unwrap();
    assert_eq!(tagged.version.get(), 4);

    let metadata = Metadata { properties: [("k".into(), "v".to_owned())].into(), ..Metadata::default() };
    let update = ConfigUpdate { default_metadata: Update::Set(metadata), ..ConfigUpdate::default() };
    registry.set_config(None, update).await.unwrap();
    let first = register(&registry, "t", text(2));
    let label = "register first version, metadata by configuration";
    bench.row(label, budget(4, 5.0, 20.0), first).await.unwrap();
    let again = register(&registry, "t", text(2));
    let label = "register, already there, metadata by configuration";
    let again = bench.row(label, budget(3, 9.0, 0.0), again).await.unwrap();
    assert_eq!(again.version.get(), 1);
    let next = register(&registry, "t", text(3));
    let label = "register version 2, metadata by configuration";
    bench.row(label, budget(5, 9.0, 18.0), next).await.unwrap();
    bench.rows
}

/// Each further scope may add 1 RRU and 2 WRU: a subject in a context consults its context's settings as well.
async fn another_scope() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let name = ":.ctx:s";
    let first = register(&registry, name, text(0));
    bench.row("in a new context: register first version, new content", budget(4, 6.0, 22.0), first).await.unwrap();
    let next = register(&registry, name, text(1));
    bench.row("in a context: register version 2, BACKWARD", budget(4, 7.0, 20.0), next).await.unwrap();
    let again = register(&registry, name, text(1));
    bench.row("in a context: register, already there", budget(1, 4.0, 0.0), again).await.unwrap();
    let subject = subject(name);
    let options = LookupOptions::default();
    let lookup = registry.lookup(&subject, request(text(1)), &options);
    bench.row("in a context: lookup", budget(1, 4.0, 0.0), lookup).await.unwrap();
    let other = register(&registry, ":.ctx:t", text(2));
    let label = "in a known context: register first version, new content";
    bench.row(label, budget(4, 6.0, 22.0), other).await.unwrap();
    let known = register(&registry, ":.ctx:u", text(2));
    let label = "in a known context: register first version, content known elsewhere";
    bench.row(label, budget(4, 6.0, 22.0), known).await.unwrap();
    bench.rows
}

/// An alias costs the read that shows it; a subject named in a request by id costs its head, read beside the rest.
async fn aliases() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let id = register(&registry, "s", text(0)).await.unwrap().id;
    let query = IdQuery { subject: Some("s".to_owned()), ..IdQuery::default() };
    let found = bench.row("GET schema by id, with a subject", budget(1, 3.0, 0.0), registry.schema_by_id(id, &query));
    assert_eq!(found.await.unwrap().content.text, text(0));

    let update = ConfigUpdate { alias: Update::Set("s".to_owned()), ..ConfigUpdate::default() };
    let name = subject("a");
    let set = registry.set_config(Some(&name), update);
    bench.row("make a subject an alias", budget(2, 2.0, 6.0), set).await.unwrap();
    let options = VersionOptions::default();
    let seen = bench.row(
        "GET latest of an alias",
        budget(1, 2.0, 0.0),
        registry.version(&name, VersionSpec::Latest, &options),
    );
    assert!(matches!(seen.await, Err(RegistryError::Aliased(target)) if target == subject("s")));
    let seen = bench.row("register at an alias", budget(1, 3.0, 0.0), register(&registry, "a", text(1))).await;
    assert!(matches!(seen, Err(RegistryError::Aliased(_))));
    bench.rows
}

/// Where the default context has nothing, others are searched: contexts, heads, what is there, and all heads again.
async fn searches() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let (name, options) = (subject("s"), VersionOptions::default());
    let missing = registry.version(&name, VersionSpec::Latest, &options);
    bench.row("GET latest of an unknown subject, no other contexts", budget(3, 4.0, 0.0), missing).await.unwrap_err();
    for context in [".a:other", ".b:other", ".c:s"] {
        register(&registry, &format!(":{context}"), text(0)).await.unwrap();
    }
    let found = registry.version(&name, VersionSpec::Latest, &options);
    let found =
        bench.row("GET latest, found in the third of three contexts", budget(6, 15.0, 0.0), found).await.unwrap();
    assert_eq!(found.subject, subject(":.c:s"));
    let (request, options) = (request(text(0)), LookupOptions::default());
    let found = registry.lookup(&name, request, &options);
    let found = bench.row("lookup, found in the third of three contexts", budget(5, 17.0, 0.0), found).await.unwrap();
    assert_eq!(found.subject, subject(":.c:s"));
    let query = IdQuery { subject: Some("s".to_owned()), ..IdQuery::default() };
    let found = registry.schema_by_id(found.id, &query);
    let found =
        bench.row("GET by id, found in the third of three contexts", budget(6, 15.0, 0.0), found).await.unwrap();
    assert_eq!(found.subject, Some(subject(":.c:s")));
    bench.rows
}

/// Deleting writes all copies of the context's settings.
async fn contexts() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    for name in [":.a:s", ":.b:s"] {
        register(&registry, name, text(0)).await.unwrap();
    }
    let listed = bench.row("list contexts", budget(1, 1.0, 0.0), registry.contexts()).await.unwrap();
    assert_eq!(listed.len(), 3);
    let name = subject(":.b:s");
    for permanent in [false, true] {
        registry.delete_subject(&name, permanent).await.unwrap();
    }
    let context = name.context();
    let described = registry.create_context(context, Update::Set("for tests".to_owned()));
    bench.row("describe a context", budget(1, 0.0, 1.0), described).await.unwrap();
    let described = bench.row("GET context", budget(1, 1.0, 0.0), registry.context(context)).await.unwrap();
    assert_eq!(described.description.unwrap(), "for tests");
    let full = subject(":.a:s");
    let refused = registry.delete_context(full.context());
    bench.row("delete a context that is not empty", budget(1, 7.0, 0.0), refused).await.unwrap_err();
    bench.row("delete a context", budget(4, 11.0, 36.0), registry.delete_context(context)).await.unwrap();
    assert_eq!(registry.contexts().await.unwrap().len(), 2);
    bench.rows
}

async fn lists() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    register(&registry, "first", text(0)).await.unwrap();
    let names: Vec<Subject> = (1..10_000).map(|i| subject(&format!("orders.customer-{i:05}-value"))).collect();
    bench.at.list_subjects(&names).await;

    let prefix = SubjectPrefix::parse(":*:");
    let listed = registry.subjects(&prefix, SubjectFilter::Live);
    let listed = bench.row("list 10,000 subjects", budget(2, 200.0, 0.0), listed).await.unwrap();
    assert_eq!(listed.len(), 10_000);
    bench.rows
}

/// Beyond the design. A topic's own subject is in a context, whose settings are consulted as well.
async fn associations() -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    let all = AssociationFilter::default();
    register(&registry, "s", text(0)).await.unwrap();
    let none = registry.associations_by_name("-", "t", &all);
    let none = bench.row("associations of a topic that has none", budget(1, 1.0, 0.0), none).await.unwrap();
    assert!(none.is_empty());

    let weak = association("t", "value", Some("s"), None);
    bench.row("associate a topic with a subject", budget(4, 3.0, 13.0), associate(&registry, &weak)).await.unwrap();
    bench.row("the same again", budget(2, 3.0, 0.0), associate(&registry, &weak)).await.unwrap();
    let found = registry.associations_by_name("-", "t", &all);
    let found = bench.row("associations of a topic, by name", budget(1, 1.0, 0.0), found).await.unwrap();
    assert_eq!(found.len(), 1);
    let found = registry.associations_of_resource("t", &all);
    bench.row("associations of a topic, by id", budget(1, 1.0, 0.0), found).await.unwrap();
    let found = registry.associations_of_subject("s", &all);
    let found = bench.row("associations of a subject", budget(1, 2.0, 0.0), found).await.unwrap();
    assert_eq!(found.len(), 1);
    let gone = registry.delete_associations("t", &[], None, false, false);
    bench.row("delete an association", budget(3, 3.0, 12.0), gone).await.unwrap();

    let strong = association("u", "value", None, Some(text(1)));
    // Everything is checked before the schema is registered, so what is read is read twice.
    let label = "associate a topic with its first schema";
    bench.row(label, budget(14, 24.0, 37.0), associate(&registry, &strong)).await.unwrap();
    assert_eq!(registry.versions(&subject(&own_subject("u")), VersionFilter::default()).await.unwrap(), [1]);
    let gone = registry.delete_associations("u", &[], None, true, false);
    bench.row("delete an association and its subject", budget(8, 8.0, 30.0), gone).await.unwrap();
    bench.rows
}

async fn subject_delete(versions: usize) -> Vec<Row> {
    let mut bench = Bench::new().await;
    let registry = bench.at.registry.clone();
    for i in 0..versions {
        register(&registry, "s", text(i)).await.unwrap();
    }
    let name = subject("s");
    bench.at.meter.take();
    bench.at.store.versions(&name).await.unwrap();
    let of_versions = bench.at.meter.take().read_units;

    let delete = registry.delete_subject(&name, false);
    let label = format!("soft-delete a subject of {versions} versions ({of_versions} RRU of rows)");
    let gone = bench.row(&label, budget(3, 2.0 + of_versions, 10.0), delete).await.unwrap();
    assert_eq!(gone.len(), versions);
    assert!(registry.versions(&name, VersionFilter::default()).await.is_err());
    bench.rows
}
