//! The writes under test: what is there before, what is asked, and what may be answered.

use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_model::{ConfigUpdate, Level, Metadata, Subject, Update, VersionSpec};
use registrar_registry::{
    AssociationFilter, AssociationOp, AssociationRequest, InvalidSchema, RegisterOptions, Registered, RegistryError,
    SchemaRequest, TagRequest, VersionFilter, VersionOptions,
};

use registrar_harness::schemas::{
    associate, association, number, own_subject, record, referring, register, request, subject,
};

/// One write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    RegisterFirst,
    RegisterInContext,
    RegisterNext,
    RegisterContentKnownElsewhere,
    RegisterAgain,
    RegisterAgainAfterDelete,
    RegisterReferring,
    RegisterWithDefaults,
    RegisterNumbered,
    TagVersion,
    DeleteVersion,
    DeleteVersionForGood,
    DeleteSubject,
    DeleteSubjectForGood,
    DeleteReferringForGood,
    SetConfig,
    SetSubjectConfig,
    DeleteContext,
    DescribeContext,
    Associate,
    AssociateWithSchema,
    UpdateAssociation,
    DeleteAssociation,
    DeleteAssociationAndSubject,
}

/// What the operation is on; the audit looks at all of them.
const SUBJECTS: [&str; 5] = ["s", "t", "holder", ":.ctx:s", ":.c:x-value"];

impl Operation {
    pub(crate) const ALL: [Self; 24] = [
        Self::RegisterFirst,
        Self::RegisterInContext,
        Self::RegisterNext,
        Self::RegisterContentKnownElsewhere,
        Self::RegisterAgain,
        Self::RegisterAgainAfterDelete,
        Self::RegisterReferring,
        Self::RegisterWithDefaults,
        Self::RegisterNumbered,
        Self::TagVersion,
        Self::DeleteVersion,
        Self::DeleteVersionForGood,
        Self::DeleteSubject,
        Self::DeleteSubjectForGood,
        Self::DeleteReferringForGood,
        Self::SetConfig,
        Self::SetSubjectConfig,
        Self::DeleteContext,
        Self::DescribeContext,
        Self::Associate,
        Self::AssociateWithSchema,
        Self::UpdateAssociation,
        Self::DeleteAssociation,
        Self::DeleteAssociationAndSubject,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::RegisterFirst => "register the first version",
            Self::RegisterInContext => "register the first version, in a context",
            Self::RegisterNext => "register the next version",
            Self::RegisterContentKnownElsewhere => "register a content known elsewhere",
            Self::RegisterAgain => "register again",
            Self::RegisterAgainAfterDelete => "register again after a soft delete",
            Self::RegisterReferring => "register with a reference",
            Self::RegisterWithDefaults => "register with metadata by configuration",
            Self::RegisterNumbered => "register a version that is asked for",
            Self::TagVersion => "tag a version",
            Self::DeleteVersion => "delete a version",
            Self::DeleteVersionForGood => "delete a version for good",
            Self::DeleteSubject => "delete a subject",
            Self::DeleteSubjectForGood => "delete a subject for good",
            Self::DeleteReferringForGood => "delete a referring subject for good",
            Self::SetConfig => "set the top level's config",
            Self::SetSubjectConfig => "set a subject's config",
            Self::DeleteContext => "delete a context",
            Self::DescribeContext => "describe a context",
            Self::Associate => "associate a topic with a subject",
            Self::AssociateWithSchema => "associate a topic with its first schema",
            Self::UpdateAssociation => "give a topic another schema",
            Self::DeleteAssociation => "delete an association",
            Self::DeleteAssociationAndSubject => "delete an association and its subject",
        }
    }

    /// A registry with what the operation needs.
    pub(crate) async fn prepare(self) -> InMemory {
        let at = in_memory_registry(instant_runtime(1)).await;
        let registry = &at.registry;
        register(registry, "t", record(0)).await.unwrap();
        if !matches!(self, Self::RegisterFirst | Self::RegisterContentKnownElsewhere) {
            register(registry, "s", record(1)).await.unwrap();
            register(registry, "s", record(2)).await.unwrap();
        }
        if matches!(self, Self::DeleteVersionForGood | Self::RegisterAgainAfterDelete) {
            registry.delete_version(&subject("s"), number(2), false).await.unwrap();
        }
        if self == Self::RegisterWithDefaults {
            let metadata = Metadata { properties: [("k".into(), "v".to_owned())].into(), ..Metadata::default() };
            let update = ConfigUpdate { default_metadata: Update::Set(metadata), ..ConfigUpdate::default() };
            registry.set_config(Some(&subject("s")), update).await.unwrap();
        }
        if self == Self::DeleteSubjectForGood {
            registry.delete_subject(&subject("s"), false).await.unwrap();
        }
        if self == Self::DeleteReferringForGood {
            registry.register(&subject("holder"), referring("t"), &RegisterOptions::default()).await.unwrap();
            registry.delete_subject(&subject("holder"), false).await.unwrap();
        }
        if self == Self::DeleteContext {
            register(registry, ":.ctx:s", record(1)).await.unwrap();
            registry.delete_subject(&subject(":.ctx:s"), false).await.unwrap();
            registry.delete_subject(&subject(":.ctx:s"), true).await.unwrap();
        }
        if self == Self::DeleteAssociation {
            associate(registry, &weak()).await.unwrap();
        }
        if matches!(self, Self::UpdateAssociation | Self::DeleteAssociationAndSubject) {
            associate(registry, &strong()).await.unwrap();
        }
        at.faults.reset();
        at
    }

    /// Asks for it once. The answer is given in words, for comparing.
    pub(crate) async fn run(self, at: &InMemory) -> Result<String, RegistryError> {
        let registry = &at.registry;
        let target = subject("s");
        let answer = match self {
            Self::RegisterFirst | Self::RegisterNext | Self::RegisterWithDefaults => {
                told(&register(registry, "s", record(3)).await?)
            }
            Self::RegisterInContext => told(&register(registry, ":.ctx:s", record(3)).await?),
            Self::RegisterContentKnownElsewhere => told(&register(registry, "s", record(0)).await?),
            Self::RegisterAgain | Self::RegisterAgainAfterDelete => told(&register(registry, "s", record(2)).await?),
            Self::RegisterReferring => {
                let options = RegisterOptions::default();
                told(&registry.register(&subject("holder"), referring("t"), &options).await?)
            }
            Self::RegisterNumbered => {
                let asked = SchemaRequest { version: 3, ..request(record(2)) };
                told(&registry.register(&target, asked, &RegisterOptions::default()).await?)
            }
            Self::TagVersion => {
                let asked = TagRequest { new_version: 3, ..TagRequest::default() };
                told(&registry.tag_version(&target, number(1), asked).await?)
            }
            Self::DeleteVersion => registry.delete_version(&target, number(2), false).await?.to_string(),
            Self::DeleteVersionForGood => registry.delete_version(&target, number(2), true).await?.to_string(),
            Self::DeleteSubject => format!("{:?}", registry.delete_subject(&target, false).await?),
            Self::DeleteSubjectForGood => format!("{:?}", registry.delete_subject(&target, true).await?),
            Self::DeleteReferringForGood => {
                format!("{:?}", registry.delete_subject(&subject("holder"), true).await?)
            }
            Self::SetConfig => format!("{:?}", registry.set_config(None, full()).await?.level),
            Self::SetSubjectConfig => format!("{:?}", registry.set_config(Some(&target), full()).await?.level),
            Self::DeleteContext => {
                registry.delete_context(subject(":.ctx:s").context()).await?;
                "deleted".to_owned()
            }
            Self::DescribeContext => {
                let description = Update::Set("for tests".to_owned());
                format!("{:?}", registry.create_context(subject(":.ctx:s").context(), description).await?)
            }
            // What came of it is seen afterwards: a repeated request has nothing new to tell.
            Self::Associate => format!("{:?}", associate(registry, &weak()).await?),
            Self::AssociateWithSchema => format!("{:?}", associate(registry, &strong()).await?),
            Self::UpdateAssociation => format!("{:?}", associate(registry, &another_schema()).await?),
            Self::DeleteAssociation => {
                format!("{:?}", Box::pin(registry.delete_associations("x", &[], None, false, false)).await?)
            }
            Self::DeleteAssociationAndSubject => {
                match Box::pin(registry.delete_associations("x", &[], None, true, false)).await {
                    // The request that is repeated does not know the subject; whoever next writes to it sweeps.
                    Ok(()) | Err(RegistryError::AssociationNotFound(_)) => {}
                    Err(error) => return Err(error),
                }
                match registry.delete_subject(&subject(&own_subject("x")), false).await {
                    Err(RegistryError::SubjectNotFound(_)) => "gone".to_owned(),
                    other => format!("{:?}", other?),
                }
            }
        };
        Ok(answer)
    }

    /// What the client sees in the end, whichever of its attempts did it.
    pub(crate) async fn seen_after(self, at: &InMemory) -> String {
        let registry = &at.registry;
        let mut seen = Vec::new();
        for name in SUBJECTS {
            let filter = VersionFilter { deleted: true, deleted_as_negative: true, ..Default::default() };
            let versions = registry.versions(&subject(name), filter).await.unwrap_or_default();
            let latest = registry.version(&subject(name), VersionSpec::Latest, &VersionOptions::default()).await;
            seen.push(format!("{name} {versions:?} {}", latest.map_or_else(|_| "-".into(), |it| it.content.text)));
        }
        let config = registry.config(None, false).await.map(|config| config.level);
        let own = registry.config(Some(&subject("s")), false).await.map(|config| config.level);
        seen.push(format!("{:?} {:?}", config.ok(), own.ok()));
        // A registration that failed may leave its context behind, and one that is repeated makes it again.
        if matches!(self, Self::DeleteContext | Self::DescribeContext) {
            let contexts = registry.contexts().await.unwrap();
            let described = registry.context(subject(":.ctx:s").context()).await.map(|it| it.description);
            seen.push(format!("{contexts:?} {described:?}"));
        }
        let associations = registry.associations_by_name("-", "-", &AssociationFilter::default()).await.unwrap();
        for found in associations {
            let (resource, it) = (found.resource, found.association);
            seen.push(format!("{resource:?} {:?} {} {:?}", it.association_type, it.subject, it.lifecycle));
        }
        seen.join("; ")
    }

    /// Whether this error is a right answer to a repeated request: the first did it, and its answer was lost.
    pub(crate) fn is_done_already(self, error: &RegistryError) -> bool {
        match self {
            Self::RegisterNumbered | Self::TagVersion => {
                matches!(error, RegistryError::InvalidSchema(InvalidSchema::WrongVersion))
            }
            Self::DeleteAssociation => matches!(error, RegistryError::AssociationNotFound(_)),
            Self::DeleteVersion => matches!(error, RegistryError::VersionSoftDeleted(..)),
            Self::DeleteVersionForGood => matches!(error, RegistryError::VersionNotFound(_)),
            Self::DeleteSubject => matches!(error, RegistryError::SubjectSoftDeleted(_)),
            Self::DeleteSubjectForGood | Self::DeleteReferringForGood => {
                matches!(error, RegistryError::SubjectNotFound(_))
            }
            _ => false,
        }
    }
}

fn told(registered: &Registered) -> String {
    // The id may leave a gap behind after a crash, so it is left to the audit.
    format!("version {}", registered.version)
}

fn weak() -> AssociationRequest {
    association("x", "key", Some("s"), None)
}

fn strong() -> AssociationRequest {
    association("x", "value", Some(&own_subject("x")), Some(record(4)))
}

fn another_schema() -> AssociationRequest {
    let request = association("x", "value", None, Some(record(5)));
    let upsert = |op| if let AssociationOp::Create(info) = op { AssociationOp::Upsert(info) } else { op };
    AssociationRequest { ops: request.ops.into_iter().map(upsert).collect(), ..request }
}

fn full() -> ConfigUpdate {
    ConfigUpdate { level: Update::Set(Level::Full), ..ConfigUpdate::default() }
}

pub(crate) fn subjects() -> Vec<Subject> {
    SUBJECTS.map(subject).to_vec()
}

/// The calls of the operation when nothing goes wrong.
pub(crate) async fn calls(operation: Operation) -> Vec<String> {
    let at = operation.prepare().await;
    operation.run(&at).await.unwrap();
    at.faults.reset()
}
