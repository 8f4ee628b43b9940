//! What one route takes and answers.

use super::shape::{Shape, Type};
use crate::ErrorCode;

/// One method of one path.
pub(crate) struct Operation {
    /// Unique; names the call in generated clients.
    pub(crate) id: &'static str,
    /// The heading it stands under.
    pub(crate) group: &'static str,
    /// What it does, in a few words.
    pub(crate) summary: &'static str,
    /// What else one has to know.
    pub(crate) details: &'static str,
    /// The query parameters. Others never reach the handler.
    pub(crate) query: &'static [&'static Parameter],
    pub(crate) body: Option<Body>,
    pub(crate) answer: Answer,
    /// The errors of its own, besides those that follow from the rest.
    pub(crate) errors: &'static [ErrorCode],
    /// Whether it reads or writes the table, which may fail.
    pub(crate) uses_table: bool,
}

/// A query parameter.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// What it means, and what its absence means.
    pub(crate) meaning: &'static str,
}

/// What a request must or may carry.
pub(crate) struct Body {
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    /// JSON text.
    pub(crate) example: &'static str,
}

/// What a success carries.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content: Content,
    pub(crate) meaning: &'static str,
}

/// The body of an answer.
pub(crate) enum Content {
    /// None.
    Nothing,
    /// The text of a schema as it is, under a JSON media type. Only Avro and JSON Schema make that JSON.
    SchemaText,
    /// JSON.
    Json(Shape),
}

impl Operation {
    /// An operation that takes nothing and answers 200.
    pub(crate) const fn new(
        id: &'static str,
        group: &'static str,
        summary: &'static str,
        meaning: &'static str,
        shape: Shape,
    ) -> Self {
        let answer = Answer { status: 200, content: Content::Json(shape), meaning };
        Self { id, group, summary, details: "", query: &[], body: None, answer, errors: &[], uses_table: true }
    }

    /// Answers with the text of a schema instead.
    pub(crate) const fn answers_text(self) -> Self {
        let answer = Answer { status: 200, content: Content::SchemaText, meaning: "The text as it is." };
        Self { answer, ..self }
    }

    /// Answers 204 without a body instead.
    pub(crate) const fn answers_nothing(self) -> Self {
        Self { answer: Answer { status: 204, content: Content::Nothing, meaning: self.answer.meaning }, ..self }
    }

    /// Answers 207 instead: each part of the answer has a success or an error of its own.
    pub(crate) const fn answers_each(self) -> Self {
        Self { answer: Answer { status: 207, ..self.answer }, ..self }
    }

    pub(crate) const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    pub(crate) const fn query(self, query: &'static [&'static Parameter]) -> Self {
        Self { query, ..self }
    }

    /// With a body, without which there is no answer.
    pub(crate) const fn body(self, of: &'static Type, example: &'static str) -> Self {
        Self { body: Some(Body { shape: Shape::Object(of), required: true, example }), ..self }
    }

    pub(crate) const fn errors(self, errors: &'static [ErrorCode]) -> Self {
        Self { errors, ..self }
    }

    /// What the server knows without looking.
    pub(crate) const fn without_table(self) -> Self {
        Self { uses_table: false, ..self }
    }

    /// Whether a handler may read this query parameter.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.query.iter().any(|parameter| parameter.name == name)
    }
}
