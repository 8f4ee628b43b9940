//! Rule sets: data contracts that travel with a schema.

use crate::JavaString;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

const MAX_NAME_CHARS: usize = 256;

/// Rules of a schema (rest-api.md §3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    /// Between versions.
    pub migration_rules: Vec<Rule>,
    /// On values.
    pub domain_rules: Vec<Rule>,
    /// On encoded bytes.
    pub encoding_rules: Vec<Rule>,
    /// Where they run.
    pub enable_at: Option<EnableAt>,
}

/// One rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Unique within the rule set.
    pub name: Option<String>,
    /// What it is for.
    pub doc: Option<String>,
    /// Transform or condition.
    pub kind: RuleKind,
    /// When it runs.
    pub mode: RuleMode,
    /// Which executor runs it: `CEL`, `JSONATA`, `ENCRYPT` …
    pub rule_type: Option<String>,
    /// Tags it applies to.
    pub tags: Option<BTreeSet<JavaString>>,
    /// Parameters of the executor.
    pub params: Option<BTreeMap<JavaString, String>>,
    /// The expression.
    pub expr: Option<String>,
    /// Action on success; two, separated by a comma, for two-way modes.
    pub on_success: Option<String>,
    /// Action on failure, likewise.
    pub on_failure: Option<String>,
    /// Whether it is switched off.
    pub disabled: bool,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the wire's")]
pub enum RuleKind {
    #[default]
    Transform,
    Condition,
}

/// When a rule runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the wire's")]
pub enum RuleMode {
    Upgrade,
    Downgrade,
    UpDown,
    Write,
    Read,
    #[default]
    WriteRead,
}

/// Where rules run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the wire's")]
pub enum EnableAt {
    All,
    Client,
    Gateway,
    Server,
    None,
}

impl RuleKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Transform, Self::Condition];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transform => "TRANSFORM",
            Self::Condition => "CONDITION",
        }
    }
}

impl RuleMode {
    /// All modes.
    pub const ALL: [Self; 6] = [Self::Upgrade, Self::Downgrade, Self::UpDown, Self::Write, Self::Read, Self::WriteRead];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Upgrade => "UPGRADE",
            Self::Downgrade => "DOWNGRADE",
            Self::UpDown => "UPDOWN",
            Self::Write => "WRITE",
            Self::Read => "READ",
            Self::WriteRead => "WRITEREAD",
        }
    }

    fn is_migration(self) -> bool {
        matches!(self, Self::Upgrade | Self::Downgrade | Self::UpDown)
    }

    fn is_two_way(self) -> bool {
        matches!(self, Self::UpDown | Self::WriteRead)
    }
}

impl EnableAt {
    /// All places.
    pub const ALL: [Self; 5] = [Self::All, Self::Client, Self::Gateway, Self::Server, Self::None];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::Client => "CLIENT",
            Self::Gateway => "GATEWAY",
            Self::Server => "SERVER",
            Self::None => "NONE",
        }
    }
}

/// Why a rule set is refused; the texts are those of rest-api.md §7.4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetError(String);

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RuleSetError {}

impl RuleSet {
    /// Both together (rest-api.md §6.1 C4c): in each category the right side's rules after those of the left side that
    /// have other names.
    #[must_use]
    pub fn merged(self, right: &Self) -> Self {
        Self {
            migration_rules: merged(self.migration_rules, &right.migration_rules),
            domain_rules: merged(self.domain_rules, &right.domain_rules),
            encoding_rules: merged(self.encoding_rules, &right.encoding_rules),
            enable_at: right.enable_at.or(self.enable_at),
        }
    }

    /// Without the rules of these names.
    #[must_use]
    pub fn without(mut self, names: &[String]) -> Self {
        let stays = |rule: &Rule| rule.name.as_ref().is_none_or(|name| !names.contains(name));
        self.migration_rules.retain(stays);
        self.domain_rules.retain(stays);
        self.encoding_rules.retain(stays);
        self
    }

    /// Every rule: migration, domain, encoding.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.migration_rules.iter().chain(&self.domain_rules).chain(&self.encoding_rules)
    }

    /// Checks names, types, modes and actions, in the order of rest-api.md §7.4.
    pub fn validate(&self) -> Result<(), RuleSetError> {
        let mut names = HashSet::new();
        for rule in &self.migration_rules {
            rule.validate(&mut names)?;
            if !rule.mode.is_migration() {
                return refuse("Migration rules can only be UPGRADE, DOWNGRADE, UPDOWN");
            }
        }
        for rule in &self.domain_rules {
            rule.validate(&mut names)?;
            if rule.mode.is_migration() {
                return refuse("Domain rules can only be WRITE, READ, WRITEREAD");
            }
        }
        for rule in &self.encoding_rules {
            rule.validate(&mut names)?;
            if rule.mode.is_migration() {
                return refuse("Encoding rules can only be WRITE, READ, WRITEREAD");
            }
        }
        Ok(())
    }
}

fn merged(mut left: Vec<Rule>, right: &[Rule]) -> Vec<Rule> {
    left.retain(|rule| right.iter().all(|other| other.name != rule.name));
    left.extend_from_slice(right);
    left
}

impl Rule {
    fn validate<'a>(&'a self, seen: &mut HashSet<Option<&'a str>>) -> Result<(), RuleSetError> {
        let name = self.name.as_deref();
        if !seen.insert(name) {
            return refuse(&format!("Found rule with duplicate name '{}'", name.unwrap_or("null")));
        }
        validate_name(name)?;
        if self.rule_type.is_none() {
            return refuse("Missing rule type");
        }
        let has_comma = |action: &Option<String>| action.as_ref().is_some_and(|text| text.contains(','));
        if (has_comma(&self.on_success) || has_comma(&self.on_failure)) && !self.mode.is_two_way() {
            return refuse("Multiple actions only valid with WRITEREAD and UPDOWN");
        }
        Ok(())
    }
}

fn validate_name(name: Option<&str>) -> Result<(), RuleSetError> {
    let Some(name) = name else { return refuse("Missing rule name") };
    let Some(first) = name.chars().next() else { return refuse("Empty rule name") };
    if name.encode_utf16().count() > MAX_NAME_CHARS {
        return refuse("Rule name too long");
    }
    if !first.is_alphabetic() && first != '_' {
        return refuse(&format!("Illegal initial character in rule name: {name}"));
    }
    let legal = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.chars().all(legal) {
        return refuse(&format!("Illegal character in rule name: {name}"));
    }
    Ok(())
}

fn refuse(text: &str) -> Result<(), RuleSetError> {
    Err(RuleSetError(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(name: &str, mode: RuleMode) -> Rule {
        Rule { name: Some(name.into()), rule_type: Some("CEL".into()), mode, ..Rule::default() }
    }

    fn domain(rules: Vec<Rule>) -> RuleSet {
        RuleSet { domain_rules: rules, ..RuleSet::default() }
    }

    #[test]
    fn texts_of_refusals() {
        let long = "x".repeat(257);
        let two_actions = Rule { on_failure: Some("DLQ,NONE".into()), ..rule("a", RuleMode::Write) };
        let cases = [
            (domain(vec![Rule { name: None, ..rule("a", RuleMode::Write) }]), "Missing rule name"),
            (domain(vec![rule("", RuleMode::Write)]), "Empty rule name"),
            (domain(vec![rule(&long, RuleMode::Write)]), "Rule name too long"),
            (domain(vec![rule("1a", RuleMode::Write)]), "Illegal initial character in rule name: 1a"),
            (domain(vec![rule("a b", RuleMode::Write)]), "Illegal character in rule name: a b"),
            (domain(vec![Rule { rule_type: None, ..rule("a", RuleMode::Write) }]), "Missing rule type"),
            (domain(vec![two_actions]), "Multiple actions only valid with WRITEREAD and UPDOWN"),
            (domain(vec![rule("a", RuleMode::Write), rule("a", RuleMode::Read)]), "Found rule with duplicate name 'a'"),
            (domain(vec![rule("a", RuleMode::UpDown)]), "Domain rules can only be WRITE, READ, WRITEREAD"),
            (
                RuleSet { migration_rules: vec![rule("a", RuleMode::WriteRead)], ..RuleSet::default() },
                "Migration rules can only be UPGRADE, DOWNGRADE, UPDOWN",
            ),
            (
                RuleSet { encoding_rules: vec![rule("a", RuleMode::Upgrade)], ..RuleSet::default() },
                "Encoding rules can only be WRITE, READ, WRITEREAD",
            ),
        ];
        for (rules, expected) in cases {
            assert_eq!(rules.validate().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn merging_is_by_name_within_a_category() {
        let left = RuleSet {
            migration_rules: vec![rule("m", RuleMode::Upgrade)],
            domain_rules: vec![rule("a", RuleMode::Read), rule("b", RuleMode::Read)],
            enable_at: Some(EnableAt::All),
            ..RuleSet::default()
        };
        let right = RuleSet {
            domain_rules: vec![rule("c", RuleMode::Write), rule("a", RuleMode::Write)],
            encoding_rules: vec![rule("b", RuleMode::Write)],
            ..RuleSet::default()
        };
        let expected = RuleSet {
            migration_rules: vec![rule("m", RuleMode::Upgrade)],
            domain_rules: vec![rule("b", RuleMode::Read), rule("c", RuleMode::Write), rule("a", RuleMode::Write)],
            encoding_rules: vec![rule("b", RuleMode::Write)],
            enable_at: Some(EnableAt::All),
        };
        assert_eq!(left.clone().merged(&right), expected);
        let client = RuleSet { enable_at: Some(EnableAt::Client), ..RuleSet::default() };
        assert_eq!(left.clone().merged(&client), RuleSet { enable_at: Some(EnableAt::Client), ..left.clone() });
        assert_eq!(left.clone().without(&["a".into(), "m".into()]).rules().count(), 1);
        assert_eq!(left.clone().without(&[]), left);
    }

    #[test]
    fn empty_sets_and_unicode_names_are_valid() {
        assert_eq!(RuleSet::default().validate(), Ok(()));
        assert_eq!(domain(vec![rule("größe-1", RuleMode::WriteRead)]).validate(), Ok(()));
    }
}
