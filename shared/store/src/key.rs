//! Where each item lives: partition and sort keys (design: `docs/STORAGE.md`).
//!
//! `%`, `/` and `#` in names are escaped, so no subject or context can form another's key. Keys of a context start
//! with its dot; the few global ones do not.

use registrar_model::{AssociationType, ContextName, Guid, Resource, SchemaId, Sha256Hash, Subject, TOPIC, Version};

/// How many identical copies of a scope's settings there are: registrations check one each, so that they do not
/// conflict with each other on a single item.
pub const COPIES: u8 = 16;

/// Directory partitions of a context: listing queries them side by side.
pub(crate) const SHARDS: u8 = 4;

/// What a settings item is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The top level and `.__GLOBAL`, two parts of one item.
    Shared,
    /// Any other context.
    Context(ContextName),
}

impl Scope {
    /// The scope that settings for a whole context live in.
    pub fn of(context: &ContextName) -> Self {
        if context.is_default() || context.is_global() { Self::Shared } else { Self::Context(context.clone()) }
    }

    /// The copy that operations on `subject` look at.
    pub fn copy_for(subject: &Subject) -> u8 {
        let hash = fnv1a(subject.to_string().as_bytes());
        u8::try_from(hash % u64::from(COPIES)).unwrap_or_default()
    }
}

/// The address of one item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "what each holds is told in `items` and docs/STORAGE.md")]
pub enum Key {
    Head(Subject),
    Version(Subject, Version),
    Lookup(Subject, Sha256Hash),
    Referrer {
        target: Subject,
        version: Version,
        context: ContextName,
        id: SchemaId,
    },
    Settings(Scope, u8),
    Schema(ContextName, SchemaId),
    Chunk(ContextName, SchemaId, u16),
    Usage(Subject, SchemaId, Version),
    Fingerprint(ContextName, Sha256Hash),
    /// A second id of a content, given by IMPORT.
    OtherId(ContextName, Sha256Hash, SchemaId),
    Guid(Guid, ContextName, SchemaId),
    Directory(Subject),
    Context(ContextName),
    /// How far the ids of a range have come, by its first id.
    Counter(ContextName, SchemaId),
    /// A resource's associations, by its id.
    Resource(String),
    /// The same, by name and namespace.
    ResourceByName(Resource),
    /// The same, by namespace and name.
    ResourceByNamespace(Resource),
    /// A namespace that may have resources.
    Namespace(String),
    /// One association, beside the head of its subject.
    Association(Subject, String, AssociationType),
    Layout,
}

impl Key {
    /// The partition key.
    pub fn pk(&self) -> String {
        match self {
            Self::Head(subject)
            | Self::Version(subject, _)
            | Self::Lookup(subject, _)
            | Self::Association(subject, ..) => subject_pk(subject),
            Self::Referrer { target, .. } => subject_pk(target),
            Self::Settings(Scope::Shared, copy) => format!("CFG//{copy}"),
            Self::Settings(Scope::Context(context), copy) => format!("CFG/{}/{copy}", escape(context.as_str())),
            Self::Schema(context, id) | Self::Chunk(context, id, _) => schema_pk(context, *id),
            Self::Usage(subject, id, _) => schema_pk(subject.context(), *id),
            Self::Fingerprint(context, hash) | Self::OtherId(context, hash, _) => {
                format!("{}/F/{hash}", escape(context.as_str()))
            }
            Self::Guid(guid, ..) => guid_pk(*guid),
            Self::Directory(subject) => directory_pk(subject.context(), shard_of(subject)),
            Self::Context(_) => CONTEXTS_PK.to_owned(),
            Self::Counter(context, _) => counter_pk(context),
            Self::Resource(id) => format!("A/{TOPIC}/{}", escape(id)),
            Self::ResourceByName(resource) => resource_name_pk(&resource.name),
            Self::ResourceByNamespace(resource) => namespace_pk(&resource.namespace),
            Self::Namespace(_) => NAMESPACES_PK.to_owned(),
            Self::Layout => "META".to_owned(),
        }
    }

    /// Whether such a key can exist: a longer name than the table takes names nothing.
    pub(crate) fn fits(&self) -> bool {
        fits(&self.pk(), &self.sk())
    }

    /// The sort key.
    pub fn sk(&self) -> String {
        match self {
            Self::Head(_) => "!".to_owned(),
            Self::Version(_, version) => format!("{VERSION_PREFIX}{:010}", version.get()),
            Self::Lookup(_, hash) => format!("L#{hash}"),
            Self::Referrer { version, context, id, .. } => {
                format!("{}{}#{:010}", referrer_prefix(Some(*version)), escape(context.as_str()), id.get())
            }
            Self::Chunk(_, _, number) => format!("C#{number:03}"),
            Self::Usage(subject, _, version) => format!("{}{:010}", usage_prefix(subject), version.get()),
            Self::Counter(_, SchemaId::FIRST) => COUNTER_PREFIX.to_owned(),
            Self::Counter(_, first) => format!("{COUNTER_PREFIX}{:010}", first.get()),
            Self::OtherId(_, _, id) => format!("I#{:010}", id.get()),
            Self::Guid(_, context, id) => format!("{}#{:010}", escape(context.as_str()), id.get()),
            Self::Directory(subject) => directory_prefix(subject.name()),
            Self::Context(context) => context.as_str().to_owned(),
            Self::ResourceByName(resource) => format!("{}#{}", escape(&resource.namespace), escape(&resource.id)),
            Self::ResourceByNamespace(resource) => format!("{}#{}", escape(&resource.name), escape(&resource.id)),
            Self::Namespace(namespace) => format!("={namespace}"),
            Self::Association(_, id, association_type) => {
                format!("{ASSOCIATION_PREFIX}{}#{}", escape(id), association_type.name())
            }
            Self::Settings(..) | Self::Schema(..) | Self::Fingerprint(..) | Self::Resource(_) | Self::Layout => {
                "#".to_owned()
            }
        }
    }
}

/// Whether the table takes such a key, or could hold one that starts so.
pub(crate) fn fits(pk: &str, sk: &str) -> bool {
    pk.len() <= MAX_PK_BYTES && sk.len() <= MAX_SK_BYTES
}

/// Limits of `DynamoDB`.
const MAX_PK_BYTES: usize = 2_048;
const MAX_SK_BYTES: usize = 1_024;

pub(crate) const CONTEXTS_PK: &str = "CTX";
pub(crate) const NAMESPACES_PK: &str = "AS";
pub(crate) const ASSOCIATION_PREFIX: &str = "A#";
pub(crate) const VERSION_PREFIX: &str = "V#";
pub(crate) const USAGE_PREFIX: &str = "U#";
/// The whole sort key of the range that begins with the first id; of others what stands in front of theirs.
pub(crate) const COUNTER_PREFIX: &str = "#";

pub(crate) fn subject_pk(subject: &Subject) -> String {
    format!("{}/S/{}", escape(subject.context().as_str()), escape(subject.name()))
}

pub(crate) fn resource_name_pk(name: &str) -> String {
    format!("AN/{TOPIC}/{}", escape(name))
}

pub(crate) fn namespace_pk(namespace: &str) -> String {
    format!("AS/{TOPIC}/{}", escape(namespace))
}

/// How sort keys of [`resource_name_pk`] start for one namespace.
pub(crate) fn namespace_prefix(namespace: &str) -> String {
    format!("{}#", escape(namespace))
}

pub(crate) fn schema_pk(context: &ContextName, id: SchemaId) -> String {
    format!("{}/I/{}", escape(context.as_str()), id.get())
}

pub(crate) fn guid_pk(guid: Guid) -> String {
    format!("G/{guid}")
}

pub(crate) fn counter_pk(context: &ContextName) -> String {
    format!("{}/N", escape(context.as_str()))
}

/// The first id of the range that a counter's sort key is of.
pub(crate) fn counted_from(sk: &str) -> Option<SchemaId> {
    match sk.strip_prefix(COUNTER_PREFIX)? {
        "" => Some(SchemaId::FIRST),
        first => first.parse().ok().and_then(SchemaId::new),
    }
}

pub(crate) fn directory_pk(context: &ContextName, shard: u8) -> String {
    format!("{}/D/{shard}", escape(context.as_str()))
}

/// Sort keys of a directory start so, since a subject may be empty and a sort key may not.
pub(crate) fn directory_prefix(name: &str) -> String {
    format!("={name}")
}

pub(crate) fn usage_prefix(subject: &Subject) -> String {
    format!("{USAGE_PREFIX}{}#", escape(subject.name()))
}

pub(crate) fn referrer_prefix(version: Option<Version>) -> String {
    version.map_or_else(|| "R#".to_owned(), |version| format!("R#{:010}#", version.get()))
}

fn shard_of(subject: &Subject) -> u8 {
    u8::try_from(fnv1a(subject.name().as_bytes()) % u64::from(SHARDS)).unwrap_or_default()
}

/// FNV-1a: spreads names over copies and shards. Stored data depend on it, so it must never change.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn escape(name: &str) -> String {
    if !name.contains(['%', '/', '#']) {
        return name.to_owned();
    }
    name.replace('%', "%25").replace('/', "%2F").replace('#', "%23")
}

/// Undoes [`escape`].
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    text.replace("%2F", "/").replace("%23", "#").replace("%25", "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_subject_forms_anothers_key() {
        let names = ["a", "a/b", "a%2Fb", "a#b", "a%23b", "%", "%25", "", ".", ":.c:a", ":.c/S:a", ":.c%2FS:a"];
        let mut keys: Vec<String> = names.iter().map(|name| Key::Head(Subject::parse(name)).pk()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), names.len());
    }

    #[test]
    fn escapes_are_undone() {
        for name in ["a/b#c%d", "%25", "%252F", "plain", "", "%2F/"] {
            assert_eq!(unescape(&escape(name)), name);
        }
    }

    #[test]
    fn keys_of_known_items() {
        let subject = Subject::parse(":.c:a/b");
        let version = Version::FIRST;
        let id = SchemaId::new(7).unwrap();
        let resource = Resource { name: "t".into(), namespace: "c".into(), id: "a/b".into() };
        for (key, pk, sk) in [
            (Key::Head(subject.clone()), ".c/S/a%2Fb", "!"),
            (Key::Version(subject.clone(), version), ".c/S/a%2Fb", "V#0000000001"),
            (Key::Usage(subject.clone(), id, version), ".c/I/7", "U#a%2Fb#0000000001"),
            (Key::Settings(Scope::Shared, 3), "CFG//3", "#"),
            (Key::Counter(ContextName::default_context(), SchemaId::FIRST), "./N", "#"),
            (Key::Counter(ContextName::default_context(), id), "./N", "#0000000007"),
            (Key::Resource("a/b".into()), "A/topic/a%2Fb", "#"),
            (Key::ResourceByName(resource.clone()), "AN/topic/t", "c#a%2Fb"),
            (Key::ResourceByNamespace(resource), "AS/topic/c", "t#a%2Fb"),
            (Key::Namespace("c".into()), "AS", "=c"),
            (Key::Association(subject.clone(), "a#b".into(), AssociationType::Key), ".c/S/a%2Fb", "A#a%23b#key"),
        ] {
            assert_eq!((key.pk().as_str(), key.sk().as_str()), (pk, sk));
        }
    }
}
