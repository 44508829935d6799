//! The one error of the library: a rule of the standard that something broke, and where.

use std::borrow::Cow;
use std::fmt;

use strictarray_standard::Rule;

/// A refusal. Its text names the function and the argument, what was got, what is required and what to write instead;
/// the binding turns it into a Python exception in one place.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    rule: &'static Rule,
    function: Option<Cow<'static, str>>,
    argument: Option<Cow<'static, str>>,
    got: Cow<'static, str>,
    requires: Option<Cow<'static, str>>,
    section: Option<Cow<'static, str>>,
}

/// A result whose error is a refusal.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A broken rule and what was got.
    #[cold]
    pub fn new(rule: &'static Rule, got: impl Into<Cow<'static, str>>) -> Error {
        Error(Box::new(Inner { rule, function: None, argument: None, got: got.into(), requires: None, section: None }))
    }

    /// Names the argument, unless it is named already: the innermost name is the most precise.
    #[must_use]
    pub fn argument(mut self, name: impl Into<Cow<'static, str>>) -> Error {
        self.0.argument.get_or_insert_with(|| name.into());
        self
    }

    /// Names the function, unless it is named already.
    #[must_use]
    pub fn function(mut self, name: impl Into<Cow<'static, str>>) -> Error {
        self.0.function.get_or_insert_with(|| name.into());
        self
    }

    /// Says more exactly than the rule does what is required.
    #[must_use]
    pub fn requires(mut self, text: impl Into<Cow<'static, str>>) -> Error {
        self.0.requires = Some(text.into());
        self
    }

    /// The section of the standard, where it is more exact than the rule's.
    #[must_use]
    pub fn section_of(mut self, text: impl Into<Cow<'static, str>>) -> Error {
        self.0.section.get_or_insert_with(|| text.into());
        self
    }

    /// The rule.
    pub fn rule(&self) -> &'static Rule {
        self.0.rule
    }

    /// The argument, if one is to blame.
    pub fn argument_name(&self) -> Option<&str> {
        self.0.argument.as_deref()
    }

    /// What was got.
    pub fn got(&self) -> &str {
        &self.0.got
    }

    /// The section of the standard.
    pub fn section(&self) -> &str {
        self.0.section.as_deref().unwrap_or(self.0.rule.section)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { rule, function, argument, got, requires, .. } = &*self.0;
        if let Some(function) = function {
            write!(f, "{function}: ")?;
        }
        if let Some(argument) = argument {
            write!(f, "argument {argument}: ")?;
        }
        let requires = requires.as_deref().unwrap_or(rule.requires);
        // Without brackets: suites match a text that they caught as a regular expression.
        write!(f, "{got}; {requires}. {} – rule {}; {}", rule.instead, rule.id, self.section())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use strictarray_standard::rule;

    #[test]
    fn the_text_names_everything_and_inner_names_win() {
        let error = Error::new(&rule::NOT_AN_INT, "got True (bool)")
            .argument("shape")
            .function("zeros")
            .argument("x")
            .function("ones");
        assert_eq!(error.argument_name(), Some("shape"));
        let text = error.to_string();
        for part in [
            "zeros: ",
            "argument shape: ",
            "got True (bool); ",
            rule::NOT_AN_INT.requires,
            rule::NOT_AN_INT.instead,
            "not-an-int",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let error = error.requires("k must be an int");
        assert!(error.to_string().contains("; k must be an int. "));
    }
}
