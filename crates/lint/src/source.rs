//! What is analysed, and with which options.

use formicary_model::review::Category;
use formicary_syntax::Dialect;

/// One file to analyse.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Relative to the project, with forward slashes.
    pub path: String,
    /// Its text.
    pub text: String,
    /// How to read it; by its name and first line where nothing is said.
    pub dialect: Option<Dialect>,
}

impl SourceFile {
    /// A file whose dialect follows from its name and first line.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), dialect: None }
    }

    /// The dialect in which it is read; none when it is no source of a known language.
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect.or_else(|| Dialect::of_file(&self.path, &self.text))
    }
}

/// What is looked for, and from where on something is too much.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The categories that are looked for; none means all.
    pub categories: Option<Vec<Category>>,
    /// Rules that are not run, by name.
    pub disabled: Vec<String>,
    /// Limits of the smells.
    pub limits: Limits,
    /// Bounds of the parser.
    pub bounds: formicary_syntax::Bounds,
}

impl Options {
    /// Whether a rule is run.
    pub fn wants(&self, name: &str, category: Category) -> bool {
        self.categories.as_ref().is_none_or(|wanted| wanted.contains(&category))
            && !self.disabled.iter().any(|disabled| disabled == name)
    }
}

/// From where on something is too much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Cyclomatic complexity of a function.
    pub cyclomatic: u32,
    /// Cognitive complexity of a function.
    pub cognitive: u32,
    /// Source lines of a function.
    pub function_lines: u32,
    /// Parameters of a function.
    pub parameters: u32,
    /// Nested control structures.
    pub nesting: u32,
    /// Methods of a class.
    pub methods: u32,
    /// Source lines of a class.
    pub class_lines: u32,
    /// Functions and classes of a module.
    pub module_definitions: u32,
    /// Source lines of a module.
    pub module_lines: u32,
    /// Attribute steps and calls in one chain.
    pub chain: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cyclomatic: 15,
            cognitive: 25,
            function_lines: 80,
            parameters: 7,
            nesting: 5,
            methods: 30,
            class_lines: 500,
            module_definitions: 60,
            module_lines: 1_500,
            chain: 6,
        }
    }
}
