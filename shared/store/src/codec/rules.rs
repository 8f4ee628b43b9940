//! Rule sets as bytes.

use super::{Reader, Writer};
use crate::StoreError;
use registrar_model::{EnableAt, Rule, RuleKind, RuleMode, RuleSet};

pub(crate) fn write_rule_set(w: &mut Writer, rules: &RuleSet) {
    for category in [&rules.migration_rules, &rules.domain_rules, &rules.encoding_rules] {
        w.list(category.iter(), write_rule);
    }
    w.optional(rules.enable_at, |w, place| w.byte(index(&EnableAt::ALL, &place)));
}

pub(crate) fn read_rule_set(r: &mut Reader<'_>) -> Result<RuleSet, StoreError> {
    Ok(RuleSet {
        migration_rules: r.list(read_rule)?,
        domain_rules: r.list(read_rule)?,
        encoding_rules: r.list(read_rule)?,
        enable_at: r.optional(|r| r.choice(&EnableAt::ALL))?,
    })
}

fn write_rule(w: &mut Writer, rule: &Rule) {
    let text = |w: &mut Writer, value: &Option<String>| w.optional(value.as_deref(), Writer::text);
    text(w, &rule.name);
    text(w, &rule.doc);
    w.byte(index(&RuleKind::ALL, &rule.kind));
    w.byte(index(&RuleMode::ALL, &rule.mode));
    text(w, &rule.rule_type);
    w.optional(rule.tags.as_ref(), |w, tags| w.list(tags.iter(), |w, tag| w.text(tag.as_str())));
    w.optional(rule.params.as_ref(), |w, params| {
        w.list(params.iter(), |w, (name, value)| {
            w.text(name.as_str());
            w.text(value);
        });
    });
    text(w, &rule.expr);
    text(w, &rule.on_success);
    text(w, &rule.on_failure);
    w.flag(rule.disabled);
}

fn read_rule(r: &mut Reader<'_>) -> Result<Rule, StoreError> {
    Ok(Rule {
        name: r.optional(Reader::text)?,
        doc: r.optional(Reader::text)?,
        kind: r.choice(&RuleKind::ALL)?,
        mode: r.choice(&RuleMode::ALL)?,
        rule_type: r.optional(Reader::text)?,
        tags: r.optional(|r| r.list(Reader::java))?,
        params: r.optional(|r| r.list(|r| Ok((r.java()?, r.text()?))))?,
        expr: r.optional(Reader::text)?,
        on_success: r.optional(Reader::text)?,
        on_failure: r.optional(Reader::text)?,
        disabled: r.flag()?,
    })
}

/// The byte that stands for one of a handful of values.
pub(crate) fn index<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|other| other == value).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}
