//! Other spellings of one request target, which must mean the same.

/// A path and a query as they are sent.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) path: String,
    pub(crate) query: Option<String>,
}

impl Target {
    /// As in a request line.
    pub(crate) fn text(&self) -> String {
        self.query.as_ref().map_or_else(|| self.path.clone(), |query| format!("{}?{query}", self.path))
    }

    fn at(&self, path: String) -> Self {
        Self { path, query: self.query.clone() }
    }

    /// All the spellings that are known to be the same; none where it cannot be decoded.
    pub(crate) fn spellings(&self) -> Vec<Self> {
        let Some(path) = encoded(&self.path, "/") else { return Vec::new() };
        let query = self.query.as_deref().unwrap_or_default();
        let Some(query) = encoded(query, "&=") else { return Vec::new() };
        let further = if query.is_empty() { "zz9=1".to_owned() } else { format!("{query}&zz9=%20") };
        let mut all = vec![
            Self { path, query: Some(further) },
            self.at(format!("/{}", self.path)),
            self.at(format!("/contexts/.{}", self.path)),
            self.at(format!("/contexts/x/contexts/%3A.%3A{}", self.path)),
        ];
        if !self.path.ends_with('/') {
            all.push(self.at(format!("{}/", self.path)));
        }
        all
    }

    /// The same under a context in front and with the context in the subject's name, where that is the whole difference.
    pub(crate) fn in_a_context(&self) -> Option<[Self; 2]> {
        let rest = self.path.strip_prefix("/subjects/").filter(|_| !self.spellings().is_empty())?;
        let (name, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let qualified = name.starts_with(':') || name.starts_with('%');
        let again = ["subjects", "deks", "%"].iter().any(|word| after.contains(word));
        if name.is_empty() || qualified || again {
            return None;
        }
        let named = self.at(format!("/subjects/%3A.q9%3A{rest}"));
        Some([self.at(format!("/contexts/q9{}", self.path)), named])
    }
}

/// Every byte but those of `kept` as an escape, and the digits of escapes in the other case; a plus sign, which in a query
/// is a space, as `%20` there. `None` where an escape is broken, or what is escaped is no text: such a part is told as it was sent.
fn encoded(text: &str, kept: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(bytes.len() * 3);
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte != b'%' {
            decoded.push(byte);
        }
        match byte {
            b'%' => {
                let digits = text.get(at..at + 2).filter(|two| two.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
                decoded.push(u8::from_str_radix(digits, 16).ok()?);
                out.push('%');
                out.extend(digits.chars().map(other_case));
                at += 2;
            }
            b'+' if kept.contains('=') => out.push_str("%20"),
            byte if kept.as_bytes().contains(&byte) => out.push(char::from(byte)),
            byte => out.extend(escape(byte)),
        }
    }
    String::from_utf8(decoded).ok().map(|_| out)
}

fn escape(byte: u8) -> [char; 3] {
    let digit = |value| char::from_digit(u32::from(value), 16).unwrap_or('0');
    ['%', digit(byte >> 4), digit(byte & 15)]
}

fn other_case(digit: char) -> char {
    if digit.is_ascii_lowercase() { digit.to_ascii_uppercase() } else { digit.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_escaped() {
        assert_eq!(encoded("/a%2F+b", "/").as_deref(), Some("/%61%2f%2b%62"));
        assert_eq!(encoded("a=+&%2b", "&=").as_deref(), Some("%61=%20&%2B"));
        assert_eq!(encoded("/a%2", "/"), None);
        assert_eq!(encoded("/a%ff", "/"), None);
        let target = Target { path: "/subjects/s/versions".to_owned(), query: Some("deleted=true".to_owned()) };
        assert_eq!(target.spellings().len(), 5);
        let [before, named] = target.in_a_context().unwrap();
        assert_eq!(before.text(), "/contexts/q9/subjects/s/versions?deleted=true");
        assert_eq!(named.text(), "/subjects/%3A.q9%3As/versions?deleted=true");
    }
}
