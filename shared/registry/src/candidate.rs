//! A schema on its way in: posted, resolved, parsed and hashed.

use crate::error::Posted;
use crate::references::{Resolved, Unresolved};
use crate::{InvalidSchema, Limit, Registry, RegistryError, SchemaRequest};
use registrar_formats::{NamedText, Schema, Strictness, content_hash, equality_hash, extent, guid};
use registrar_model::{ContextName, Reference, SchemaContent, SchemaType, Subject, VersionMark};
use registrar_store::ContentKeys;

/// A request's schema with its references resolved, not yet parsed.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    subject: Subject,
    request: SchemaRequest,
    pub(crate) schema_type: SchemaType,
    text: String,
    pub(crate) resolved: Resolved,
}

/// A parsed schema with all that is registered with it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) schema: Schema,
    pub(crate) content: SchemaContent,
    pub(crate) keys: ContentKeys,
}

/// How often references to latest versions are resolved anew before they count as missing.
const FLOATING_ATTEMPTS: u32 = 3;

impl Registry {
    /// Resolves the references of a request. `text` stands in for a request without one.
    pub(crate) async fn draft(&self, subject: &Subject, request: &SchemaRequest) -> Result<Draft, RegistryError> {
        let schema_type = self.schema_type(request.schema_type.as_deref())?;
        let text = request.schema.clone().unwrap_or_default();
        if text.len() > self.settings.max_schema_bytes {
            return Err(Limit::SchemaBytes(self.settings.max_schema_bytes).into());
        }
        if request.references.len() > self.settings.max_references {
            return Err(Limit::References(self.settings.max_references).into());
        }
        let mut draft = Draft {
            subject: subject.clone(),
            request: request.clone(),
            schema_type,
            text,
            resolved: Resolved::default(),
        };
        // A latest version that is deleted between finding its number and reading it is not missing: it is another one.
        let floating = request.references.iter().any(|reference| reference.version == Some(-1));
        let mut race = self.store.race();
        loop {
            match self.resolve(subject.context(), &request.references).await {
                Ok(resolved) => {
                    draft.resolved = resolved;
                    self.check_extent(&draft)?;
                    self.before_work(draft.bytes()).await;
                    return Ok(draft);
                }
                Err(Unresolved::Missing(_)) if floating && race.attempts() < FLOATING_ATTEMPTS => {
                    race.lost("resolve the latest version").await?;
                }
                Err(unresolved) => return Err(Self::unresolved(unresolved, &draft)),
            }
        }
    }

    /// Before anything is made of the texts: whether they nest, and hold, no more than the settings allow.
    fn check_extent(&self, draft: &Draft) -> Result<(), RegistryError> {
        let (nesting, values) = (self.settings.max_nesting, self.settings.max_values);
        if draft.bytes() <= nesting.min(values) {
            return Ok(());
        }
        let own = extent(draft.schema_type, &draft.text);
        if own.nesting > nesting {
            return Err(Limit::Nesting(nesting).into());
        }
        // Their nesting was looked at when they were registered.
        let others = draft.resolved.texts.iter().map(|other| extent(draft.schema_type, &other.text).values);
        if own.values + others.sum::<usize>() > values {
            return Err(Limit::Values(values).into());
        }
        Ok(())
    }

    fn unresolved(unresolved: Unresolved, draft: &Draft) -> RegistryError {
        match unresolved {
            Unresolved::Missing(details) => draft.unparsable(details),
            Unresolved::OverLimit(limit) => limit.into(),
            Unresolved::Failed(error) => error,
        }
    }

    /// `AVRO` where a request names no type; a type that this server does not offer is as good as unknown.
    pub(crate) fn schema_type(&self, name: Option<&str>) -> Result<SchemaType, RegistryError> {
        let Some(name) = name else { return Ok(SchemaType::Avro) };
        let known = SchemaType::parse(name).filter(|known| self.settings.schema_types.contains(known));
        known.ok_or_else(|| InvalidSchema::UnknownType(name.to_owned()).into())
    }

    /// Parses a stored content, to compare with it. Also how many bytes were read for that.
    pub(crate) async fn stored_schema(
        &self,
        context: &ContextName,
        content: &SchemaContent,
    ) -> Result<(Schema, usize), RegistryError> {
        let broken = |details: String| {
            let draft = Draft::of_stored(context, content);
            draft.unparsable(details)
        };
        let texts = match self.texts_of(context, &content.references).await {
            Ok(texts) => texts,
            Err(Unresolved::Missing(details)) => return Err(broken(details)),
            Err(Unresolved::OverLimit(limit)) => return Err(limit.into()),
            Err(Unresolved::Failed(error)) => return Err(error),
        };
        let bytes = bytes(&content.text, &texts);
        self.before_work(bytes).await;
        registrar_formats::parse(content.schema_type, &content.text, &texts, Strictness::Existing)
            .map(|schema| (schema, bytes))
            .map_err(|error| broken(error.to_string()))
    }
}

impl Draft {
    fn of_stored(context: &ContextName, content: &SchemaContent) -> Self {
        Self {
            subject: Subject::new(context.clone(), ""),
            request: SchemaRequest {
                metadata: content.metadata.clone(),
                rule_set: content.rule_set.clone(),
                ..SchemaRequest::default()
            },
            schema_type: content.schema_type,
            text: content.text.clone(),
            resolved: Resolved { references: content.references.clone(), ..Resolved::default() },
        }
    }

    /// How long all texts are together.
    pub(crate) fn bytes(&self) -> usize {
        bytes(&self.text, &self.resolved.texts)
    }

    /// The same with another text.
    pub(crate) fn with_text(self, text: &str) -> Self {
        Self { text: text.to_owned(), ..self }
    }

    /// Whether there is no text to speak of.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Parses and hashes.
    pub(crate) fn parse(&self, strictness: Strictness) -> Result<Candidate, RegistryError> {
        let schema = registrar_formats::parse(self.schema_type, &self.text, &self.resolved.texts, strictness)
            .map_err(|error| self.unparsable(error.to_string()))?;
        self.candidate(schema, self.resolved.references.clone())
    }

    /// Checks what parsing does not (rest-api.md §6.1 C6): that types resolve, and with `strict` that the schema is one
    /// in every respect.
    pub(crate) fn validate(&self, candidate: &Candidate, strict: bool) -> Result<(), RegistryError> {
        candidate.schema.validate(strict).map_err(|error| self.unsound(error.to_string()))
    }

    /// What an import is held to as well: nothing it refers to may have to be fetched.
    pub(crate) fn check_remote(&self, candidate: &Candidate) -> Result<(), RegistryError> {
        candidate.schema.check_remote().map_err(|error| self.unparsable(error.to_string()))
    }

    /// The same schema normalised: its text, and its references sorted and without repeats.
    pub(crate) fn normalize(&self, candidate: &Candidate) -> Result<Candidate, RegistryError> {
        let schema = candidate.schema.normalized().map_err(|error| self.unsound(error.to_string()))?;
        let mut references = candidate.content.references.clone();
        references.sort_by(|a, b| (&a.subject, a.version).cmp(&(&b.subject, b.version)));
        references.dedup();
        self.candidate(schema, references)
    }

    /// A Protobuf text may be nothing but comments, and what is left when it is normalised may be nothing: an answer has no
    /// member for that, and sent back it would be no schema.
    fn candidate(&self, schema: Schema, references: Vec<Reference>) -> Result<Candidate, RegistryError> {
        if schema.text().trim().is_empty() {
            return Err(InvalidSchema::Empty.into());
        }
        let content = SchemaContent {
            schema_type: self.schema_type,
            text: schema.text().to_owned(),
            references,
            metadata: self.request.metadata.clone(),
            rule_set: self.request.rule_set.clone(),
        };
        Ok(Candidate::new(schema, content))
    }

    /// The refusal of a text that does not parse, which repeats what was posted.
    pub(crate) fn unparsable(&self, details: String) -> RegistryError {
        InvalidSchema::Unparsable { request: self.posted(), details }.into()
    }

    /// The refusal of a schema that parses and is none all the same, which repeats it, too.
    fn unsound(&self, details: String) -> RegistryError {
        InvalidSchema::Unsound { request: self.posted(), details }.into()
    }

    fn posted(&self) -> Box<Posted> {
        let content = SchemaContent {
            schema_type: self.schema_type,
            text: self.text.clone(),
            references: if self.resolved.references.is_empty() {
                self.posted_references()
            } else {
                self.resolved.references.clone()
            },
            metadata: self.request.metadata.clone(),
            rule_set: self.request.rule_set.clone(),
        };
        Box::new(Posted { subject: self.subject.clone(), version: self.request.version, id: self.request.id, content })
    }

    /// For the message alone, which has "null" for a text that is absent.
    fn posted_references(&self) -> Vec<Reference> {
        let posted = self.request.references.iter();
        let printed = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
        posted
            .map(|reference| Reference {
                name: printed(&reference.name),
                subject: printed(&reference.subject),
                version: reference.version.unwrap_or_default(),
            })
            .collect()
    }
}

impl Candidate {
    /// Hashes.
    pub(crate) fn new(schema: Schema, content: SchemaContent) -> Self {
        let keys = content_keys(&schema, &content);
        Self { schema, content, keys }
    }
}

/// How long a text and those it refers to are together.
pub(crate) fn bytes(text: &str, others: &[NamedText]) -> usize {
    text.len() + others.iter().map(|other| other.text.len()).sum::<usize>()
}

fn content_keys(schema: &Schema, content: &SchemaContent) -> ContentKeys {
    let text = schema.equality_text();
    let equality = |references: &[Reference]| {
        equality_hash(content.schema_type, &text, references, content.metadata.as_ref(), content.rule_set.as_ref())
    };
    ContentKeys {
        hash: content_hash(content),
        equality: equality(&content.references),
        mark: VersionMark::of(content.metadata.as_ref()),
        inlined: (!content.references.is_empty()).then(|| equality(&[])),
        guid: guid(content),
    }
}
