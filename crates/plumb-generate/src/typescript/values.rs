//! TypeScript constructs that are not types: enums, namespaces with values, and parameter
//! properties. They are converted to JavaScript in place. Lines are kept, but columns after them on
//! the same line are not.

use std::collections::HashSet;
use std::fmt::Write as _;

use oxc_ast::ast::{
    CallExpression, Class, ClassElement, Declaration, ExportDeclaration, Expression,
    FormalParameter, FunctionBody, IdentifierReference, MethodDefinition, MethodDefinitionKind,
    Statement, TSEnumDeclaration, TSEnumMember, TSEnumMemberName, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody, VariableDeclaration,
};
use oxc_ast_visit::Visit as _;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;

use super::types::Types;

/// The enums and namespaces of one list of statements, and the other names declared there.
#[derive(Default)]
pub(super) struct Scope {
    /// The namespace that contains it.
    namespace: Option<String>,
    /// Names that are already declared in JavaScript: functions and classes.
    taken: HashSet<String>,
    /// Members of earlier enums, and the names of string members: enums are merged.
    enums: Vec<Enum>,
    /// The exports of earlier namespaces.
    namespaces: Vec<(String, Vec<String>)>,
}

/// The part of an enum that was read so far.
#[derive(Clone, Default)]
pub(super) struct Enum {
    name: String,
    members: HashSet<String>,
    texts: HashSet<String>,
}

impl Scope {
    pub(super) fn of(statements: &[Statement<'_>]) -> Self {
        let declarations = statements.iter().filter_map(declaration_of);
        let taken = declarations.filter_map(|it| match it {
            Declaration::FunctionDeclaration(it) if it.body.is_some() => it.id.as_ref(),
            Declaration::ClassDeclaration(it) => it.id.as_ref(),
            _ => None,
        });
        Self { taken: taken.map(|it| it.name.to_string()).collect(), ..Self::default() }
    }

    /// Records a name. Returns whether it must be declared here, because nothing before declares
    /// it.
    fn declares(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }
}

/// The declaration of a statement, exported or not.
fn declaration_of<'s, 'a>(statement: &'s Statement<'a>) -> Option<&'s Declaration<'a>> {
    match statement {
        Statement::ExportDeclaration(it) => Some(&it.declaration),
        _ => statement.as_declaration(),
    }
}

/// Whether a namespace is empty at run time.
pub(super) fn is_of_types_only(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(it) => is_of_types_only(it),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
            block.body.iter().all(|statement| match declaration_of(statement) {
                Some(Declaration::TSNamespaceDeclaration(it)) => it.declare || is_of_types_only(it),
                Some(Declaration::TSEnumDeclaration(it)) => it.declare,
                Some(Declaration::VariableDeclaration(it)) => it.declare,
                Some(Declaration::FunctionDeclaration(it)) => it.declare || it.body.is_none(),
                Some(Declaration::ClassDeclaration(it)) => it.declare,
                Some(Declaration::TSImportEqualsDeclaration(it)) => it.import_kind.is_type(),
                Some(
                    Declaration::TSTypeAliasDeclaration(_)
                    | Declaration::TSInterfaceDeclaration(_)
                    | Declaration::TSExternalModuleDeclaration(_)
                    | Declaration::TSGlobalDeclaration(_),
                ) => true,
                None => matches!(statement, Statement::EmptyStatement(_)),
            })
        }
    }
}

impl Types<'_> {
    /// An enum becomes an object: `var E; (function (E) { … })(E || (E = {}));`. So does a constant
    /// enum.
    pub(super) fn make_enum(&mut self, it: &TSEnumDeclaration<'_>, is_exported: bool) {
        let name = it.id.name.as_str();
        let (open, close) = self.wrapper(name, is_exported);
        self.replace(Span::new(it.span.start, it.body.span.start + 1), open);
        self.replace(Span::new(it.body.span.end - 1, it.body.span.end), close);
        let scope = self.scopes.last_mut().expect("a program is a scope");
        let known = scope.enums.iter().position(|it| it.name == name);
        let mut made = known.map(|at| scope.enums.swap_remove(at)).unwrap_or_default();
        name.clone_into(&mut made.name);
        made.members.extend(it.body.members.iter().map(|it| member_name(it)));
        let outer = self.within_enum.replace(made);
        let mut before: Option<String> = None;
        for (at, member) in it.body.members.iter().enumerate() {
            let quoted = quote(&member_name(member));
            self.make_member(name, member, &quoted, before.as_deref());
            before = Some(quoted);
            let end = it.body.members.get(at + 1).map_or(it.body.span.end - 1, |it| it.span.start);
            self.blank_comma(member.span.end, end);
        }
        let made = std::mem::replace(&mut self.within_enum, outer);
        let scope = self.scopes.last_mut().expect("a program is a scope");
        scope.enums.extend(made);
    }

    fn make_member(
        &mut self,
        name: &str,
        it: &TSEnumMember<'_>,
        quoted: &str,
        before: Option<&str>,
    ) {
        let Some(value) = &it.initializer else {
            let is_after_text = before.is_some_and(|before| self.is_text_member(before));
            if is_after_text {
                self.refuse(
                    it,
                    "an enum member without a value after one that is a text",
                    "give it a value",
                );
            }
            let value = before.map_or("0".to_owned(), |before| format!("{name}[{before}] + 1"));
            return self
                .replace(it.span, format!("{name}[{name}[{quoted}] = {value}] = {quoted};"));
        };
        let is_text = self.is_text(value);
        let start = Span::new(it.span.start, value.span().start);
        if is_text {
            let made = self.within_enum.as_mut().expect("members are in an enum");
            made.texts.insert(quoted.to_owned());
            self.replace(start, format!("{name}[{quoted}] = "));
            self.insert(value.span().end, ";".to_owned());
        } else {
            self.replace(start, format!("{name}[{name}[{quoted}] = ("));
            self.insert(value.span().end, format!(")] = {quoted};"));
        }
        self.visit_expression(value);
    }

    fn is_text_member(&self, quoted: &str) -> bool {
        self.within_enum.as_ref().is_some_and(|it| it.texts.contains(quoted))
    }

    /// Whether a member of an enum is a string. Strings are not mapped back to names.
    fn is_text(&self, value: &Expression<'_>) -> bool {
        match value.without_parentheses() {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
            Expression::Identifier(it) => self.is_text_member(&quote(&it.name)),
            Expression::StaticMemberExpression(it) => {
                self.is_text_member(&quote(&it.property.name))
            }
            Expression::BinaryExpression(it) => {
                it.operator == BinaryOperator::Addition
                    && (self.is_text(&it.left) || self.is_text(&it.right))
            }
            Expression::TSAsExpression(it) => self.is_text(&it.expression),
            Expression::TSSatisfiesExpression(it) => self.is_text(&it.expression),
            _ => false,
        }
    }

    /// A namespace becomes an object with its exports.
    pub(super) fn make_namespace(&mut self, it: &TSNamespaceDeclaration<'_>, is_exported: bool) {
        let mut it = it;
        let start = it.span.start;
        let (mut open, mut close) = self.wrapper(&it.id.name, is_exported);
        let mut outer = Vec::new();
        // `namespace A.B` is B, exported by A.
        let block = loop {
            match &it.body {
                TSNamespaceDeclarationBody::TSModuleBlock(block) => break block,
                TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                    let scope =
                        Scope { namespace: Some(it.id.name.to_string()), ..Scope::default() };
                    self.scopes.push(scope);
                    outer.push(it.id.name.to_string());
                    let (inner_open, inner_close) = self.wrapper(&inner.id.name, true);
                    open += &inner_open;
                    close = inner_close + &close;
                    it = inner;
                }
            }
        };
        let name = it.id.name.to_string();
        let names = exports_of(&block.body);
        let mut scope = Scope::of(&block.body);
        let declared = names_in(&block.body);
        let siblings = self.scopes.last_mut().expect("a program is a scope");
        let known = siblings.namespaces.iter().filter(|(it, _)| *it == name);
        let mut earlier: Vec<&str> = known
            .flat_map(|(_, names)| names.iter().map(String::as_str))
            .filter(|it| !declared.contains(*it))
            .collect();
        earlier.sort_unstable();
        earlier.dedup();
        if !earlier.is_empty() {
            let _ = write!(open, " const {{ {} }} = {name};", earlier.join(", "));
        }
        siblings.namespaces.push((name.clone(), names));
        self.replace(Span::new(start, block.span.start + 1), open);
        self.replace(Span::new(block.span.end - 1, block.span.end), close);
        scope.namespace = Some(name);
        self.scopes.push(scope);
        for statement in &block.body {
            self.visit_statement(statement);
        }
        self.scopes.truncate(self.scopes.len() - 1 - outer.len());
    }

    /// The code before and after the body of an enum or a namespace.
    fn wrapper(&mut self, name: &str, is_exported: bool) -> (String, String) {
        let scope = self.scopes.last_mut().expect("a program is a scope");
        let declared = if scope.declares(name) { format!("var {name}; ") } else { String::new() };
        let open = format!("{declared}(function ({name}) {{");
        let close = match &scope.namespace {
            Some(outer) if is_exported => {
                format!("}})({name} = {outer}.{name} || ({outer}.{name} = {{}}));")
            }
            Some(_) | None => format!("}})({name} || ({name} = {{}}));"),
        };
        (open, close)
    }

    /// Handles the word `export`. In a namespace it is removed, and the exports are assigned to the
    /// object. Of merged declarations, only the first one exports the name.
    pub(super) fn export(&mut self, it: &ExportDeclaration<'_>) {
        let (span, it) = (it.span, &it.declaration);
        let word = Span::new(span.start, it.span().start);
        let scope = self.scopes.last().expect("a program is a scope");
        let Some(namespace) = scope.namespace.clone() else {
            let merged = match it {
                Declaration::TSEnumDeclaration(it) => Some(&it.id.name),
                Declaration::TSNamespaceDeclaration(it) => Some(&it.id.name),
                _ => None,
            };
            if merged.is_some_and(|name| scope.taken.contains(name.as_str())) {
                self.blank(word);
            }
            return;
        };
        self.blank(word);
        let text = match it {
            Declaration::VariableDeclaration(it) => assigned(&namespace, it),
            Declaration::FunctionDeclaration(it) => it
                .id
                .as_ref()
                .map(|id| format!(" {namespace}.{0} = {0};", id.name))
                .unwrap_or_default(),
            Declaration::ClassDeclaration(it) => it
                .id
                .as_ref()
                .map(|id| format!(" {namespace}.{0} = {0};", id.name))
                .unwrap_or_default(),
            _ => String::new(),
        };
        if !text.is_empty() {
            // Without a semicolon, a declaration of variables would continue.
            self.insert(span.end, format!(";{text}"));
        }
    }

    /// Rejects a list of exports in a namespace, because it is only allowed in modules.
    pub(super) fn refuse_in_namespace(&mut self, it: &impl GetSpan) {
        if self.scopes.last().is_some_and(|it| it.namespace.is_some()) {
            self.refuse(
                it,
                "a list of exports in a namespace",
                "write `export` before each declaration",
            );
        }
    }

    /// Qualifies a member of an enum that another member refers to.
    pub(super) fn name_member(&mut self, it: &IdentifierReference<'_>) {
        let made = self.within_enum.as_ref().filter(|made| made.members.contains(it.name.as_str()));
        if let Some(made) = made {
            let text = format!("{}.", made.name);
            self.insert(it.span.start, text);
        }
    }

    /// Turns constructor parameters with modifiers into properties.
    pub(super) fn make_properties(&mut self, class: &Class<'_>) {
        let constructor = class.body.body.iter().find_map(|it| match it {
            ClassElement::MethodDefinition(it) if is_constructor(it) => Some(it),
            _ => None,
        });
        let Some(constructor) = constructor else { return };
        let Some(body) = &constructor.value.body else { return };
        let parameters = constructor.value.params.items.iter().filter(|it| is_property(it));
        let mut names = Vec::new();
        for parameter in parameters {
            self.blank_modifiers(parameter.span.start, parameter.pattern.span().start);
            match parameter.pattern.get_identifier_name() {
                Some(name) => names.push(name.to_string()),
                None => self.refuse(parameter, "a parameter property that is a pattern", "name it"),
            }
        }
        if names.is_empty() {
            return;
        }
        let place = match (&class.heritage, after_super(body)) {
            (None, _) => body.directives.last().map_or(body.span.start + 1, |it| it.span.end),
            (Some(_), Some(place)) => place,
            (Some(_), None) => {
                return self.refuse(
                    &**constructor,
                    "a parameter property without a call of `super` among the constructor's own statements",
                    "call it there",
                );
            }
        };
        let mut assigned = String::from(";");
        let mut fields = String::new();
        for name in names {
            let _ = write!(fields, " {name};");
            let _ = write!(assigned, " this.{name} = {name};");
        }
        self.insert(class.body.span.start + 1, fields);
        self.insert(place, assigned);
    }

    /// Blanks the comma between two places. Commas in comments are skipped.
    fn blank_comma(&mut self, start: u32, end: u32) {
        let bytes = &self.text.as_bytes()[start as usize..end as usize];
        let mut at = 0;
        while at < bytes.len() {
            match &bytes[at..] {
                [b'/', b'/', ..] => {
                    at +=
                        bytes[at..].iter().position(|it| *it == b'\n').unwrap_or(bytes.len() - at);
                }
                [b'/', b'*', rest @ ..] => {
                    let end =
                        rest.windows(2).position(|it| it == b"*/").map_or(rest.len(), |it| it + 2);
                    at += 2 + end;
                }
                [b',', ..] => {
                    return self.edits.blank(start as usize + at..start as usize + at + 1);
                }
                _ => at += 1,
            }
        }
    }
}

pub(super) fn is_property(it: &FormalParameter<'_>) -> bool {
    it.accessibility.is_some() || it.readonly || it.r#override
}

fn is_constructor(it: &MethodDefinition<'_>) -> bool {
    it.kind == MethodDefinitionKind::Constructor && it.value.body.is_some()
}

/// The end of the statement that calls `super`.
fn after_super(body: &FunctionBody<'_>) -> Option<u32> {
    body.statements.iter().find_map(|it| match it {
        Statement::ExpressionStatement(it) => match it.expression.without_parentheses() {
            Expression::CallExpression(call) if is_super(call) => Some(it.span.end),
            _ => None,
        },
        _ => None,
    })
}

fn is_super(call: &CallExpression<'_>) -> bool {
    matches!(call.callee, Expression::Super(_))
}

/// The statements that assign the variables of a declaration to an object. Variables that can
/// change are looked up each time.
fn assigned(namespace: &str, it: &VariableDeclaration<'_>) -> String {
    let names = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
    let is_constant = it.kind.is_const();
    let texts = names.map(|id| {
        let name = id.name.as_str();
        if is_constant {
            return format!(" {namespace}.{name} = {name};");
        }
        format!(
            " Object.defineProperty({namespace}, \"{name}\", {{ enumerable: true, configurable: true, \
             get: () => {name}, set: (value) => {{ {name} = value; }} }});"
        )
    });
    texts.collect()
}

/// The exports of a namespace that cannot change.
fn exports_of(statements: &[Statement<'_>]) -> Vec<String> {
    let exported = statements.iter().filter_map(|it| match it {
        Statement::ExportDeclaration(it) => Some(&it.declaration),
        _ => None,
    });
    exported.flat_map(|it| declared_by(it, true)).collect()
}

/// All names that statements declare.
fn names_in(statements: &[Statement<'_>]) -> HashSet<String> {
    statements.iter().filter_map(declaration_of).flat_map(|it| declared_by(it, false)).collect()
}

fn declared_by(declaration: &Declaration<'_>, only_constant: bool) -> Vec<String> {
    let named = |name: &str| vec![name.to_owned()];
    match declaration {
        Declaration::VariableDeclaration(it)
            if it.declare || (only_constant && !it.kind.is_const()) =>
        {
            Vec::new()
        }
        Declaration::VariableDeclaration(it) => {
            let names = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
            names.map(|id| id.name.to_string()).collect()
        }
        Declaration::FunctionDeclaration(it) if it.body.is_some() => {
            it.id.iter().map(|id| id.name.to_string()).collect()
        }
        Declaration::ClassDeclaration(it) if !it.declare => {
            it.id.iter().map(|id| id.name.to_string()).collect()
        }
        Declaration::TSEnumDeclaration(it) if !it.declare => named(&it.id.name),
        Declaration::TSNamespaceDeclaration(it) if !it.declare && !is_of_types_only(it) => {
            named(&it.id.name)
        }
        _ => Vec::new(),
    }
}

fn member_name(member: &TSEnumMember<'_>) -> String {
    match &member.id {
        TSEnumMemberName::Identifier(it) => it.name.to_string(),
        TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => it.value.to_string(),
        TSEnumMemberName::ComputedTemplateString(it) => {
            it.quasis.first().map(|it| it.value.raw.to_string()).unwrap_or_default()
        }
    }
}

fn quote(name: &str) -> String {
    serde_json::to_string(name).expect("a string is always JSON")
}
