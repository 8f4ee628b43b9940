//! Rule sets on the wire (rest-api.md §3.6).

use super::metadata::{Names, Texts};
use super::read::{Members, Mismatch, boolean, constant, list, map, set, string};
use registrar_formats::json_text::Value;
use registrar_model::{EnableAt, Rule, RuleKind, RuleMode, RuleSet};
use serde::Serialize;

/// Reads a rule set; missing lists are empty.
pub(crate) fn read(value: Value<'_>) -> Result<Option<RuleSet>, Mismatch> {
    let members = Members::of(value, "RuleSet")?;
    let rules = |name| Ok(members.get(name, |value| list(value, rule))?.unwrap_or_default());
    let places = EnableAt::ALL.map(|place| (place.name(), place));
    Ok(Some(RuleSet {
        migration_rules: rules("migrationRules")?,
        domain_rules: rules("domainRules")?,
        encoding_rules: rules("encodingRules")?,
        enable_at: members.get("enableAt", |value| constant(value, "EnableAt", &places))?,
    }))
}

fn rule(value: Value<'_>) -> Result<Option<Rule>, Mismatch> {
    if value.kind() == registrar_formats::json_text::Kind::Null {
        return Ok(None);
    }
    let members = Members::of(value, "Rule")?;
    let kinds = RuleKind::ALL.map(|kind| (kind.name(), kind));
    let modes = RuleMode::ALL.map(|mode| (mode.name(), mode));
    Ok(Some(Rule {
        name: members.get("name", string)?,
        doc: members.get("doc", string)?,
        kind: members.get("kind", |value| constant(value, "RuleKind", &kinds))?.unwrap_or_default(),
        mode: members.get("mode", |value| constant(value, "RuleMode", &modes))?.unwrap_or_default(),
        rule_type: members.get("type", string)?,
        tags: members.get("tags", set)?,
        params: members.get("params", |value| map(value, string))?,
        expr: members.get("expr", string)?,
        on_success: members.get("onSuccess", string)?,
        on_failure: members.get("onFailure", string)?,
        disabled: members.get("disabled", boolean)?.unwrap_or_default(),
    }))
}

/// Writes a rule set.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RuleSetDto<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    migration_rules: Vec<RuleDto<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    domain_rules: Vec<RuleDto<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    encoding_rules: Vec<RuleDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_at: Option<&'static str>,
}

/// Kind, mode and `disabled` are always there; the rest where it is not empty.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleDto<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    kind: &'static str,
    mode: &'static str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    rule_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Names<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Texts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expr: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_success: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'a str>,
    disabled: bool,
}

impl<'a> From<&'a RuleSet> for RuleSetDto<'a> {
    fn from(rules: &'a RuleSet) -> Self {
        let dtos = |rules: &'a [Rule]| rules.iter().map(RuleDto::from).collect();
        Self {
            migration_rules: dtos(&rules.migration_rules),
            domain_rules: dtos(&rules.domain_rules),
            encoding_rules: dtos(&rules.encoding_rules),
            enable_at: rules.enable_at.map(EnableAt::name),
        }
    }
}

impl<'a> From<&'a Rule> for RuleDto<'a> {
    fn from(rule: &'a Rule) -> Self {
        let text = |value: &'a Option<String>| value.as_deref().filter(|text| !text.is_empty());
        Self {
            name: text(&rule.name),
            doc: text(&rule.doc),
            kind: rule.kind.name(),
            mode: rule.mode.name(),
            rule_type: text(&rule.rule_type),
            tags: rule.tags.as_ref().filter(|tags| !tags.is_empty()).map(Names),
            params: rule.params.as_ref().filter(|params| !params.is_empty()).map(Texts),
            expr: text(&rule.expr),
            on_success: text(&rule.on_success),
            on_failure: text(&rule.on_failure),
            disabled: rule.disabled,
        }
    }
}
