//! Protobuf: text, validity, normalizing and compatibility as in Confluent's registry, which stands on Square's Wire.
//!
//! The parser is our own, in stages: `lex` reads words and strings, `parse` statements, `link` finds what names
//! mean. It keeps what the text says, which parsers that make descriptors do not, and accepts what the reference does,
//! which is laxer and stricter than `protoc`.

mod check;
mod compat;
mod default_value;
mod descriptor;
mod difference_kind;
mod findings;
mod from_descriptor;
mod from_options;
mod known;
mod lex;
mod link;
mod model;
mod normal_options;
mod normalize;
mod number;
mod oneofs;
mod option;
mod options;
mod parse;
mod path;
mod size;
mod symbols;
mod tags;
mod text;
mod to_descriptor;
mod to_options;
mod type_kind;
mod type_name;
mod wire;
mod without_extensions;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base64::Engine as _;

use crate::budget::{Budget, Exceeded};
use crate::{Difference, NamedText, SchemaError, TagEdit, TaggedEntity, difference};
use registrar_model::Reference;

use descriptor::FileDescriptor;
use link::Linker;
use model::{File, Type};

pub(crate) use difference_kind::description;

pub use compat::{MAX_OPEN, MAX_WORK};
pub use findings::{MAX_DIFFERENCE_BYTES, MAX_DIFFERENCES, Report};
pub use oneofs::Rules;
pub use parse::MAX_DEPTH;
pub use size::MAX_NAME_BYTES;
pub use text::MAX_TEXT_BYTES;
pub use wire::MAX_FIELDS;

/// What the reference names the file of a schema in its descriptor.
const DEFAULT_NAME: &str = "default";

/// A parsed Protobuf schema. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct ProtobufSchema {
    inner: Arc<Inner>,
    /// What its own references point to, by name.
    targets: Arc<HashMap<String, (String, i32)>>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    text: String,
    references: Arc<[Import]>,
}

/// A file that is referred to.
#[derive(Debug)]
struct Import {
    name: String,
    file: File,
}

impl ProtobufSchema {
    /// Reads `text`; the names of the references are import paths.
    pub(crate) fn parse(text: &str, references: &[NamedText]) -> Result<Self, SchemaError> {
        let file = read(text)?;
        let references = references
            .iter()
            .map(|reference| match read(&reference.text) {
                Ok(file) => Ok(Import { name: reference.name.clone(), file }),
                Err(error) => Err(SchemaError::new(format!("{error}, in the reference {}", reference.name))),
            })
            .collect::<Result<_, _>>()?;
        Self::of_file(file, references)
    }

    /// The names of the fields of all messages at the top, without those in oneofs.
    pub fn field_names(&self) -> Vec<String> {
        let messages = self.inner.file.types.iter().filter_map(Type::message);
        messages.flat_map(|message| message.fields.iter().map(|field| field.name.clone())).collect()
    }

    /// Every tag of the file and of its messages, fields and enums, each once.
    pub fn inline_tags(&self) -> Vec<String> {
        tags::inline(&self.inner.file)
    }

    /// Every message and field of the file that has tags, by paths such as `.Message.field`.
    ///
    /// # Errors
    /// [`SchemaError`] if there are so many tags that nobody wants them.
    pub fn tagged_entities(&self) -> Result<Vec<TaggedEntity>, SchemaError> {
        tags::entities(&self.inner.file)
    }

    /// The schema with changed tags. They are added after those that are there.
    ///
    /// # Errors
    /// [`SchemaError`] if a path leads nowhere in the file.
    pub fn with_tags(&self, edits: &[TagEdit]) -> Result<Self, SchemaError> {
        self.reread(&tags::edit(&self.inner.file, edits)?)
    }

    fn of_file(file: File, references: Arc<[Import]>) -> Result<Self, SchemaError> {
        size::check(std::iter::once(&file).chain(references.iter().map(|import| &import.file)))?;
        file.fields().try_for_each(|field| type_name::read(&field.type_name).map(|_| ()))?;
        let text = text::print(&file)?;
        Ok(Self { inner: Arc::new(Inner { file, text, references }), targets: Arc::default() })
    }

    /// The stored text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The normalized schema.
    pub fn normalized(&self) -> Result<Self, SchemaError> {
        self.reread(&normalize::normalize(&self.inner.file, &self.linker())?)
    }

    /// The schema that the text of `file` is read as, with the same references.
    fn reread(&self, file: &File) -> Result<Self, SchemaError> {
        let text = text::print(file)?;
        let file = read(&text)?;
        let inner = Arc::new(Inner { file, text, references: Arc::clone(&self.inner.references) });
        Ok(Self { inner, targets: Arc::clone(&self.targets) })
    }

    /// The text in another format (`format=`, any case); the stored text if the format is not known.
    pub fn formatted(&self, format: &str) -> String {
        let text = match format.to_ascii_lowercase().as_str() {
            "ignore_extensions" => text::print(&without_extensions::without_extensions(&self.inner.file)).ok(),
            "serialized" => Some(self.serialized()),
            _ => None,
        };
        text.unwrap_or_else(|| self.text().to_owned())
    }

    /// Base64 of the `FileDescriptorProto`, which is named "default".
    fn serialized(&self) -> String {
        let descriptor =
            to_descriptor::build(DEFAULT_NAME, &self.inner.file, &self.linker(), |path| self.import(path).is_some());
        base64::engine::general_purpose::STANDARD.encode(descriptor.encode())
    }

    /// The file that an import path leads to.
    fn import(&self, path: &str) -> Option<&File> {
        let reference = self.inner.references.iter().rev().find(|import| import.name == path);
        reference.map(|import| &import.file).or_else(|| known::file(path))
    }

    /// Checks what reading does not: that every type is known, that the stored text is read back as the same and, if
    /// `strict`, that descriptors can be built.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self, strict: bool) -> Result<(), SchemaError> {
        self.normalized()?;
        self.check_text()?;
        if !strict {
            return Ok(());
        }
        let invalid = |error| SchemaError::new(format!("Invalid protobuf schema definition: {error}"));
        check::check(&self.descriptors()).map_err(invalid)
    }

    /// Names of a descriptor may be anything, and some defaults are printed without quotation marks, so a text may say more
    /// than the schema does.
    fn check_text(&self) -> Result<(), SchemaError> {
        // A normalized text has places of what is left out, which the file that is read from it lacks.
        let text = text::print(&self.inner.file)?;
        if text::print(&read(&text)?)? == text {
            return Ok(());
        }
        Err(SchemaError::new("a name or a default would be read back from the text of the schema as something else"))
    }

    /// The descriptors of the file, which comes first, and of everything that it imports.
    fn descriptors(&self) -> Vec<FileDescriptor> {
        let linker = self.linker();
        let build =
            |name: &str, file: &File| to_descriptor::build(name, file, &linker, |path| self.import(path).is_some());
        let mut descriptors = vec![build(DEFAULT_NAME, &self.inner.file)];
        let mut seen = HashSet::new();
        let mut next = 0;
        while let Some(descriptor) = descriptors.get(next) {
            next += 1;
            let paths: Vec<String> =
                descriptor.dependencies.iter().filter(|path| seen.insert((*path).clone())).cloned().collect();
            descriptors.extend(paths.iter().filter_map(|path| self.import(path).map(|file| build(path, file))));
        }
        descriptors
    }

    /// The same schema, knowing which subjects and versions its references are. Types of one version of one subject are
    /// not compared with themselves; without this they are, which changes the work but not the verdict.
    pub(crate) fn with_references(mut self, references: &[Reference]) -> Self {
        let targets = references.iter().map(|one| (one.name.clone(), (one.subject.clone(), one.version)));
        self.targets = Arc::new(targets.collect());
        self
    }

    /// The differences from what `writer` wrote, by the rules for oneofs of a release.
    pub fn differences_from(&self, writer: &Self, rules: Rules, report: Report) -> Vec<Difference> {
        let found = self.differences_within(writer, rules, report, &mut Budget::default());
        found.unwrap_or_else(difference::exceeded)
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`Exceeded`] if that takes too much.
    pub(crate) fn differences_within(
        &self,
        writer: &Self,
        rules: Rules,
        report: Report,
        budget: &mut Budget,
    ) -> Result<Vec<Difference>, Exceeded> {
        compat::compare(&self.side(), &writer.side(), rules, report, budget)
    }

    fn side(&self) -> compat::Side<'_> {
        let target =
            |import: &Import| self.targets.get(&import.name).map(|(subject, version)| (subject.as_str(), *version));
        let targets = self.inner.references.iter().map(target).collect();
        compat::Side { file: &self.inner.file, linker: self.linker(), targets }
    }

    fn linker(&self) -> Linker<'_> {
        let Inner { file, references, .. } = &*self.inner;
        Linker::new(file, references.iter().map(|import| (import.name.as_str(), &import.file)))
    }
}

/// Reads a file given as text or, only if it is no text of one, as base64 of its descriptor.
fn read(text: &str) -> Result<File, SchemaError> {
    let error = match parse::read(text) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    // What is wrong with it as text is the better message.
    from_descriptor::read(text).map_err(|_| SchemaError::new(format!("Could not parse Protobuf - {error}")))
}
