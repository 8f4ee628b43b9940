//! What opens a seal, and what does not.

use super::*;
use crate::key::Scope;
use registrar_model::{ContextName, Sha256Hash, Subject};

fn key(name: &str, byte: u8) -> DataKey {
    DataKey::new(name, &[byte; KEY_BYTES]).unwrap()
}

fn ring(keys: impl IntoIterator<Item = DataKey>) -> Keyring {
    Keyring::new(keys).unwrap()
}

fn slot<'a>(place: Place<'a>, property: &'a str) -> Slot<'a> {
    Slot { place, member: "metadata", property }
}

const HASH: Sha256Hash = Sha256Hash([7; 32]);

fn here() -> Slot<'static> {
    slot(Place::Content(HASH), "password")
}

fn locked(result: Result<String, StoreError>) -> String {
    match result {
        Err(StoreError::Locked(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_sealed_opens_and_cannot_be_read() {
    let keys = ring([key("a", 1)]);
    for value in ["hunter2", "", "\u{1F600}\0", &"x".repeat(100_000)] {
        let sealed = keys.seal(value, &here()).unwrap().unwrap();
        assert_eq!(sealed.key, "a");
        assert_eq!(sealed.bytes.len(), NONCE_LEN + value.len() + AES_256_GCM.tag_len());
        let shown = |text: &str| sealed.bytes.windows(text.len()).any(|bytes| bytes == text.as_bytes());
        assert!(value.len() < 4 || !shown(&value[..4]));
        assert_eq!(keys.open(&sealed, &here()).as_deref(), Ok(value));
    }
    let [one, two] = [keys.seal("x", &here()), keys.seal("x", &here())].map(Result::unwrap);
    assert_ne!(one, two, "each seal has a nonce of its own");
}

#[test]
fn no_key_no_seal() {
    let none = Keyring::default();
    assert_eq!(none.seal("x", &here()), Ok(None));
    let sealed = ring([key("2026-01", 1)]).seal("x", &here()).unwrap().unwrap();
    for without in [none, ring([key("b", 1)])] {
        let why = locked(without.open(&sealed, &here()));
        assert_eq!(
            why,
            "metadata property 'password' is encrypted with key '2026-01', which this server does not have"
        );
    }
}

#[test]
fn another_key_of_the_same_name_opens_nothing() {
    let sealed = ring([key("a", 1)]).seal("x", &here()).unwrap().unwrap();
    let why = locked(ring([key("a", 2)]).open(&sealed, &here()));
    assert!(why.contains("'password'") && why.contains("key 'a'"), "{why}");
}

#[test]
fn a_changed_byte_opens_nothing() {
    let keys = ring([key("a", 1)]);
    let sealed = keys.seal("hunter2", &here()).unwrap().unwrap();
    for at in 0..sealed.bytes.len() {
        let mut changed = sealed.clone();
        changed.bytes[at] ^= 1;
        locked(keys.open(&changed, &here()));
        let cut = Sealed { bytes: sealed.bytes[..at].to_vec(), ..sealed.clone() };
        locked(keys.open(&cut, &here()));
    }
}

#[test]
fn a_seal_opens_in_its_place_alone() {
    let (subject, other) = (Subject::parse("s"), Subject::parse(":.c:s"));
    let (shared, context) = (Scope::Shared, Scope::Context(ContextName::parse(".c").unwrap()));
    let slots = [
        here(),
        slot(Place::Content(HASH), "token"),
        slot(Place::Content(Sha256Hash([8; 32])), "password"),
        Slot { member: "defaultMetadata", ..here() },
        slot(Place::Subject(&subject), "password"),
        slot(Place::Subject(&other), "password"),
        slot(Place::Scope(&shared, Part::Own), "password"),
        slot(Place::Scope(&shared, Part::Global), "password"),
        slot(Place::Scope(&context, Part::Own), "password"),
    ];
    let keys = ring([key("a", 1)]);
    for (at, from) in slots.iter().enumerate() {
        let sealed = keys.seal("x", from).unwrap().unwrap();
        for (other, to) in slots.iter().enumerate() {
            assert_eq!(keys.open(&sealed, to).is_ok(), at == other, "{from:?} as {to:?}");
        }
    }
    // The name of the key is part of it: a row cannot be made to name another key with the same bits.
    let both = ring([key("a", 1), key("b", 1)]);
    let sealed = both.seal("x", &here()).unwrap().unwrap();
    locked(both.open(&Sealed { key: "b".into(), ..sealed }, &here()));
}

#[test]
fn rotation() {
    let before = ring([key("old", 1)]);
    let sealed = before.seal("x", &here()).unwrap().unwrap();
    let after = ring([key("new", 2), key("old", 1)]);
    assert_eq!(after.open(&sealed, &here()).as_deref(), Ok("x"));
    let newly = after.seal("y", &here()).unwrap().unwrap();
    assert_eq!(newly.key, "new");
    assert_eq!(ring([key("new", 2)]).open(&newly, &here()).as_deref(), Ok("y"));
    assert!(locked(before.open(&newly, &here())).contains("'new'"));
}

#[test]
fn bad_keys_are_named() {
    for (name, secret, message) in [
        ("", 32, "\"\" is no name for a key: 1 to 64 letters, digits, '.', '_' or '-'"),
        ("a b", 32, "\"a b\" is no name for a key: 1 to 64 letters, digits, '.', '_' or '-'"),
        ("a", 16, "key 'a' has 16 bytes, not 32"),
        ("a", 33, "key 'a' has 33 bytes, not 32"),
    ] {
        let error = DataKey::new(name, &vec![1; secret]).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    assert!(DataKey::new(&"n".repeat(65), &[1; 32]).is_err());
    assert_eq!(Keyring::new([]).unwrap_err(), KeyError::None);
    let twice = Keyring::new([key("a", 1), key("b", 2), key("a", 3)]).unwrap_err();
    assert_eq!(twice.to_string(), "there are two keys named 'a'");
    assert_eq!(format!("{:?}", ring([key("a", 1)])), "Keyring(Some(Keys { seals: DataKey(a), older: [] }))");
}
