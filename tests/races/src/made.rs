//! Scenarios made by hand, one or more for each safeguard: what has to happen for it to be missed. The schedules are
//! random as everywhere.

use registrar_model::{Level, Lifecycle, Mode};

use crate::operation::{Content, OWN, Operation, RESOURCE};
use crate::scenario::Scenario;

/// A scenario, and the safeguards that it is for.
#[derive(Clone, Debug)]
pub struct Made {
    /// By their names.
    pub shows: &'static [&'static str],
    setup: Vec<Operation>,
    clients: Vec<Vec<Operation>>,
}

impl Made {
    /// As any other scenario.
    pub fn scenario(&self) -> Scenario {
        let all = self.setup.iter().chain(self.clients.iter().flatten());
        let mut subjects = Vec::new();
        for subject in all.filter_map(Operation::subject) {
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        if subjects.is_empty() {
            // Only scopes: the table is looked at by the contexts of subjects.
            subjects.extend(["s", IN_CONTEXT]);
        }
        Scenario { subjects, setup: self.setup.clone(), clients: self.clients.clone() }
    }
}

const R0: Content = Content::Record(0);
const R1: Content = Content::Record(1);
const R2: Content = Content::Record(2);
const INT: Content = Content::Typed("int");
const BYTES: Content = Content::Typed("bytes");
const NONE: Option<Level> = Some(Level::None);
const FULL: Option<Level> = Some(Level::Full);
const CONTEXT: Option<&str> = Some(":.c:");
const IN_CONTEXT: &str = ":.c:s";

const fn add(subject: &'static str, content: Content) -> Operation {
    Operation::Register { subject, content, normalize: false }
}

const fn hold(target: &'static str) -> Operation {
    add("h", Content::Holder(target, 1))
}

const fn import(subject: &'static str, content: Content, id: i64) -> Operation {
    Operation::Import { subject, content, id, version: 1 }
}

/// A soft-deleted version may be referred to by an import.
const fn hold_by_import() -> Operation {
    import("h", Content::Holder("t", 1), 5)
}

const fn delete(subject: &'static str) -> Operation {
    Operation::DeleteSubject { subject, permanent: false }
}

const fn purge(subject: &'static str) -> Operation {
    Operation::DeleteSubject { subject, permanent: true }
}

const fn delete_one(subject: &'static str, version: i64) -> Operation {
    Operation::DeleteVersion { subject, version, permanent: false }
}

const fn purge_one(subject: &'static str, version: i64) -> Operation {
    Operation::DeleteVersion { subject, version, permanent: true }
}

const fn level(target: Option<&'static str>, level: Option<Level>) -> Operation {
    Operation::SetLevel { target, level }
}

const fn mode(target: Option<&'static str>, mode: Mode) -> Operation {
    Operation::SetMode { target, mode: Some(mode), force: false }
}

const fn imports(subject: &'static str) -> Operation {
    mode(Some(subject), Mode::Import)
}

const READ_ONLY: Operation = mode(None, Mode::ReadOnly);

const fn latest(subject: &'static str) -> Operation {
    Operation::Latest { subject }
}

const fn all_versions(subject: &'static str) -> Operation {
    Operation::Versions { subject, deleted: true }
}

const fn copy(subject: &'static str) -> Operation {
    Operation::Copy { subject, version: 1 }
}

const fn weak(of: &'static str, subject: &'static str) -> Operation {
    Operation::Associate { resource: RESOURCE, of, subject: Some(subject), lifecycle: Lifecycle::Weak }
}

const STRONG: Operation = Operation::AssociateWith { content: R0 };

fn two(shows: &'static [&'static str], setup: &[Operation], one: &[Operation], other: &[Operation]) -> Made {
    Made { shows, setup: setup.to_vec(), clients: vec![one.to_vec(), other.to_vec()] }
}

/// All of them; their seeds are their places, from 1.
pub fn made() -> Vec<Made> {
    [
        registrations(),
        references(),
        deletes(),
        sweeps(),
        settings(),
        contexts(),
        associations(),
        answers(),
        imports_and_latest(),
    ]
    .concat()
}

fn registrations() -> Vec<Made> {
    let lookup = Operation::Lookup { subject: "s", content: R0, deleted: false };
    vec![
        two(&["Register.HeadTag"], &[], &[add("s", INT)], &[add("s", BYTES)]),
        two(
            &["Register.SettingsTag"],
            &[level(None, NONE), add("s", INT)],
            &[add("s", BYTES)],
            &[level(None, FULL), latest("s")],
        ),
        two(&["Register.FingerprintAbsent"], &[], &[add("s", R0)], &[add("t", R0)]),
        two(&["Register.FingerprintSeen"], &[add("t", R0)], &[add("s", R0)], &[delete("t"), purge("t"), add("t", R0)]),
        two(
            &["Register.FingerprintUses"],
            &[imports("t"), add("s", R0), import("t", R0, 1)],
            &[import("t", R1, 2)],
            &[delete_one("s", 1), purge_one("s", 1)],
        ),
        two(&["Register.IdAbsent"], &[imports("t")], &[add("s", R0)], &[import("t", R1, 1)]),
        two(&["Step.CounterRaise"], &[imports("t")], &[import("t", R0, 3)], &[latest("t")]),
        two(
            &["Step.OnlyUp"],
            &[imports("t"), add("s", R0), add("s", R1), delete_one("s", 1), purge_one("s", 1)],
            &[import("t", R2, 1)],
            &[latest("t")],
        ),
        two(&["Step.LookupAgain"], &[], &[add("s", R0)], &[add("s", R0), lookup]),
        two(
            &["Step.RefusalHead"],
            &[level(None, NONE), add("s", INT)],
            &[add("s", BYTES)],
            &[delete_one("s", 1), level(None, FULL)],
        ),
        two(&["Step.RefusalSettings"], &[level(None, FULL)], &[add("s", BYTES)], &[level(None, NONE), add("s", INT)]),
        two(
            &["Step.CopyHead"],
            &[level(None, NONE), add("s", R0), add("s", R1)],
            &[copy("s")],
            &[delete_one("s", 1), all_versions("s"), latest("s")],
        ),
        two(&[], &[level(None, NONE), add("s", R0), copy("s"), copy("s")], &[copy("s")], &[copy("s")]),
        two(&["ClearSubject.HeadTag"], &[add("s", R0), delete("s")], &[imports("s")], &[add("s", R1)]),
    ]
}

fn references() -> Vec<Made> {
    let latest = add("h", Content::Holder("t", -1));
    vec![
        two(
            &["Register.TargetLive", "DeleteVersion.VersionRefs", "Step.ReferrerHint"],
            &[add("t", R0)],
            &[hold("t")],
            &[delete_one("t", 1)],
        ),
        two(&["Register.TargetFloor", "DeleteSubject.SubjectRefs"], &[add("t", R0)], &[hold("t")], &[delete("t")]),
        two(
            &["Register.TargetUnmarked", "PurgeSubject.SubjectRefs"],
            &[add("t", R0), delete("t"), imports("h")],
            &[hold_by_import()],
            &[purge("t")],
        ),
        two(
            &["Register.VersionRefs"],
            &[add("t", R0), delete_one("t", 1), imports("h")],
            &[add("t", R0)],
            &[hold_by_import()],
        ),
        two(
            &["PurgeVersion.VersionRefs", "Register.TargetLive"],
            &[add("t", R0), add("t", R1), delete_one("t", 1), imports("h")],
            &[hold_by_import()],
            &[purge_one("t", 1)],
        ),
        two(
            &[],
            &[add("t", R0), imports("h"), hold_by_import()],
            &[import("h", R1, 6)],
            &[delete("h"), purge("h"), delete("t")],
        ),
        two(&[], &[add("t", R0), hold("t"), delete("h"), delete("t")], &[purge_one("h", 1)], &[purge("h"), purge("t")]),
        two(
            &["Step.ReferrersFirst"],
            &[add("t", R0), hold("t"), delete("h"), delete("t")],
            &[purge("h")],
            &[purge("t")],
        ),
        two(
            &["Step.ReferrersFirst"],
            &[add("t", R0), hold("t"), delete("h"), delete_one("t", 1)],
            &[purge("h")],
            &[purge_one("t", 1)],
        ),
        two(&["Step.LatestReference"], &[add("t", R0), add("t", R1)], &[latest], &[delete_one("t", 2)]),
    ]
}

fn deletes() -> Vec<Made> {
    vec![
        two(&["DeleteVersion.HeadTag"], &[add("s", R0), add("s", R1)], &[delete_one("s", 2)], &[delete_one("s", 1)]),
        two(&["DeleteVersion.SettingsTag"], &[add("s", R0)], &[delete_one("s", 1)], &[READ_ONLY, latest("s")]),
        two(
            &["PurgeVersion.HeadTag"],
            &[add("s", R0), add("s", R1), delete("s")],
            &[purge_one("s", 2)],
            &[purge_one("s", 1)],
        ),
        two(
            &["PurgeVersion.SettingsTag"],
            &[add("s", R0), delete("s")],
            &[purge_one("s", 1)],
            &[READ_ONLY, all_versions("s")],
        ),
        two(
            &["PurgeVersion.FingerprintSeen"],
            &[add("s", R0), delete("s"), imports("t")],
            &[purge_one("s", 1)],
            &[import("t", R0, 7)],
        ),
        two(&["PurgeVersion.FingerprintUses"], &[add("s", R0), delete("s")], &[purge_one("s", 1)], &[add("t", R0)]),
        two(&["DeleteSubject.HeadTag"], &[add("s", R0)], &[delete("s")], &[add("s", R1)]),
        two(&["DeleteSubject.SettingsTag"], &[add("s", R0)], &[delete("s")], &[READ_ONLY, latest("s")]),
        two(&["PurgeSubject.HeadTag"], &[add("s", R0), delete("s")], &[purge("s")], &[add("s", R1)]),
        two(
            &["PurgeSubject.SettingsTag"],
            &[add("s", R0), delete("s")],
            &[purge("s")],
            &[READ_ONLY, all_versions("s")],
        ),
        two(&["Step.LatestDelete"], &[add("s", R0), add("s", R1)], &[delete_one("s", 0)], &[delete_one("s", 2)]),
        two(&["Step.SameToken"], &[add("s", R0)], &[delete("s")], &[latest("t")]),
    ]
}

fn sweeps() -> Vec<Made> {
    vec![
        two(&["Sweep.VersionBorn"], &[add("t", R0), add("s", R0), delete("s")], &[purge("s")], &[add("s", R0)]),
        two(
            &["Sweep.FingerprintSeen"],
            &[add("s", R0), delete("s"), imports("t")],
            &[purge("s")],
            &[import("t", R0, 7)],
        ),
        two(&["Sweep.FingerprintUses"], &[add("s", R0), delete("s")], &[purge("s")], &[add("t", R0)]),
        two(
            &["EndSweep.SweepMark"],
            &[add("s", R0), delete("s")],
            &[purge("s")],
            &[add("s", R1), delete("s"), purge("s")],
        ),
        two(&["Step.SweepFirst", "Step.RowsBeforeMark"], &[add("s", R0), delete("s")], &[purge("s")], &[add("s", R1)]),
    ]
}

fn settings() -> Vec<Made> {
    let s = Some("s");
    let settings_of = |target| Operation::SettingsOf { target, mode: false };
    vec![
        two(&["SetSubject.HeadTag"], &[], &[level(s, FULL)], &[mode(s, Mode::ReadWrite)]),
        two(&["SetSubject.SettingsTag"], &[], &[level(s, FULL)], &[READ_ONLY, settings_of(s)]),
        two(&["SetScope.ScopeTag"], &[], &[level(None, FULL)], &[mode(None, Mode::ReadOnly)]),
        two(
            &["SetScope.SettingsTag"],
            &[],
            &[level(CONTEXT, FULL)],
            &[mode(Some(":.__GLOBAL:"), Mode::ReadOnly), settings_of(CONTEXT)],
        ),
        two(
            &["Step.RefusalSettings"],
            &[],
            &[level(CONTEXT, FULL)],
            &[mode(CONTEXT, Mode::ReadWrite), mode(Some(":.__GLOBAL:"), Mode::ReadOnly)],
        ),
    ]
}

fn contexts() -> Vec<Made> {
    let gone = [add(IN_CONTEXT, R0), delete(IN_CONTEXT), purge(IN_CONTEXT)];
    let version = Operation::Version { subject: "s", version: 1, deleted: false };
    let delete_context = Operation::DeleteContext { context: ":.c:" };
    vec![
        two(
            &["RemoveContext.ContextUnused", "Step.ContextMove", "Step.ContextEmpty"],
            &gone,
            &[delete_context],
            &[add(IN_CONTEXT, R0)],
        ),
        two(&["Step.ContextNote"], &[], &[add(IN_CONTEXT, R0)], &[latest(IN_CONTEXT)]),
        two(&["Step.ContextsAgain"], &[add(IN_CONTEXT, R0)], &[version], &[add("s", R0), delete(IN_CONTEXT)]),
    ]
}

fn associations() -> Vec<Made> {
    let value = weak("value", "s");
    let of_s = Operation::AssociationsOf { subject: "s" };
    vec![
        two(&["Associate.ResourceSeen"], &[add("s", R0), add("t", R0)], &[value], &[weak("key", "t")]),
        two(&["Associate.HeadTag"], &[add("s", R0)], &[value], &[delete("s")]),
        two(&["Associate.SettingsTag"], &[add("s", R0)], &[value], &[READ_ONLY, of_s]),
        two(&["Associate.SubjectRefs", "Register.TargetNotStrong"], &[add(OWN, R0)], &[STRONG], &[hold(OWN)]),
        two(&["Step.RefusalResource"], &[], &[STRONG], &[STRONG]),
        two(&["Step.NamespaceHint"], &[add("s", R0)], &[value], &[of_s]),
    ]
}

fn answers() -> Vec<Made> {
    let lookup = Operation::Lookup { subject: "s", content: R0, deleted: false };
    let version = Operation::Version { subject: "s", version: 1, deleted: false };
    let live = Operation::Versions { subject: "s", deleted: false };
    let users = Operation::UsersOf { id: 1, deleted: true };
    vec![
        two(&["Step.StrongRead"], &[add("s", R0)], &[delete("s"), latest("s")], &[latest("t")]),
        two(&["Step.LookupRefusal"], &[], &[lookup], &[add("s", R0)]),
        two(&["Step.VersionRefusal"], &[], &[version], &[add("s", R0)]),
        two(&["Step.LatestRead"], &[add("s", R0), add("s", R1), delete_one("s", 2)], &[latest("s")], &[add("s", R2)]),
        two(&["Step.RowCount"], &[add("s", R0), add("s", R1)], &[live], &[delete_one("s", 1), delete_one("s", 2)]),
        two(&["Step.UsageMoved"], &[add("s", R0), delete("s")], &[users], &[add("s", R0)]),
    ]
}

fn imports_and_latest() -> Vec<Made> {
    let gone = [add("s", R0), delete("s")];
    let everything = Operation::SetMode { target: None, mode: Some(Mode::Import), force: true };
    let (of_t, of_s) = (Content::Holder("t", -1), Content::Holder("s", -1));
    let lookup = Operation::Lookup { subject: "h", content: of_t, deleted: false };
    let one = [level(None, NONE), add("t", R0)];
    let by_id = Operation::ById { id: 1, subject: Some("h") };
    vec![
        two(&["ClearSubject.SettingsTag"], &gone, &[imports("s")], &[everything, all_versions("s")]),
        two(
            &["ClearSubject.SubjectRefs"],
            &[add("t", R0), delete("t"), imports("h")],
            &[imports("t")],
            &[hold_by_import()],
        ),
        two(&[], &[add("s", R0), delete("s")], &[imports("s")], &[add("s", R0)]),
        two(&["Register.TargetLatest"], &one, &[add("h", of_t)], &[add("t", R1), latest("h")]),
        two(&["Step.LatestAgain"], &one, &[lookup], &[add("t", R1), hold("t")]),
        two(&["Step.OwnTarget"], &[level(None, NONE), add("s", R0)], &[add("s", of_s)], &[add("s", R1)]),
        two(&["Step.RefusalLookup"], &[], &[add("s", R0)], &[add("s", R0), mode(Some("s"), Mode::ReadOnly)]),
        two(&["Step.UserAgain"], &gone, &[Operation::ById { id: 1, subject: None }], &[purge("s")]),
        two(&[], &[imports("t"), import("t", R0, 1)], &[by_id], &[import("t", R0, 2)]),
        two(&["Step.OwnTarget"], &one, &[add("t", Content::Holder("t", 1))], &[delete("t")]),
        two(
            &["Step.RowCount"],
            &[level(None, NONE), add("s", R0), copy("s")],
            &[Operation::Lookup { subject: "s", content: R0, deleted: true }],
            &[delete("s"), add("s", R0)],
        ),
        two(
            &["Step.RowBorn"],
            &[level(None, NONE), add("s", R0), add("s", R1), add("s", R2), delete_one("s", 1), delete_one("s", 2)],
            &[all_versions("s")],
            &[purge_one("s", 1), purge_one("s", 2), add("s", INT)],
        ),
    ]
}
