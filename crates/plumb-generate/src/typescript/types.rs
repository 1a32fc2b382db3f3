//! Finds the parts of a module that are only needed for types.

use std::collections::HashSet;
use std::ops::Range;

use oxc_ast::ast::{
    AccessorProperty, ArrowFunctionExpression, BlockStatement, Class, Declaration, Decorator,
    ExportAllDeclaration, ExportDeclaration, ExportDefaultDeclaration,
    ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, ExportSpecifier,
    FormalParameter, Function, FunctionBody, IdentifierReference, ImportDeclaration, JSXElement,
    JSXFragment, MethodDefinition, MethodDefinitionType, Program, PropertyDefinition,
    PropertyDefinitionType, PropertyKey, Statement, TSAsExpression, TSExportAssignment,
    TSIndexSignature, TSNonNullExpression, TSSatisfiesExpression, TSTypeAnnotation,
    TSTypeAssertion, TSTypeParameterDeclaration, TSTypeParameterInstantiation, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::imports::{Import, range, with_comma};
use super::values::{Enum, Scope, is_of_types_only};
use super::{Edits, Fill, TranslationError, jsx};

/// Modifiers of class members that have no effect at run time.
const MODIFIERS: [&str; 7] =
    ["public", "private", "protected", "override", "abstract", "readonly", "declare"];

pub(super) struct Types<'s> {
    pub(super) text: &'s str,
    pub(super) edits: Edits,
    error: Option<TranslationError>,
    imports: Vec<Import>,
    /// Names of values that are used somewhere.
    used: HashSet<String>,
    /// Names that are declared as types.
    declared: HashSet<String>,
    /// Names in lists of exports: types among them are removed.
    exports: Vec<(Range<usize>, String)>,
    /// The lists of statements that are being visited.
    pub(super) scopes: Vec<Scope>,
    /// The enum whose members are being visited.
    pub(super) within_enum: Option<Enum>,
}

impl<'s> Types<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            edits: Edits::default(),
            error: None,
            imports: Vec::new(),
            used: HashSet::new(),
            declared: HashSet::new(),
            exports: Vec::new(),
            scopes: Vec::new(),
            within_enum: None,
        }
    }

    /// The text with all changes applied.
    pub(super) fn finish(mut self) -> Result<String, TranslationError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        for import in &self.imports {
            self.declared.extend(import.type_names().map(str::to_owned));
        }
        for (range, name) in self.exports {
            if self.declared.contains(&name) {
                self.edits.blank(range.start..with_comma(self.text, range.end));
            } else {
                self.used.insert(name);
            }
        }
        for import in self.imports {
            import.blank(self.text, &self.used, &mut self.edits);
        }
        Ok(self.edits.apply(self.text))
    }

    pub(super) fn refuse(&mut self, node: &impl GetSpan, what: &str, advice: &str) {
        let message = format!("{what} is not supported: {advice}");
        self.error.get_or_insert_with(|| TranslationError::new(node, message));
    }

    pub(super) fn blank(&mut self, span: Span) {
        self.edits.blank(range(span));
    }

    pub(super) fn replace(&mut self, span: Span, text: String) {
        self.edits.0.push((range(span), Fill::Text(text)));
    }

    pub(super) fn insert(&mut self, at: u32, text: String) {
        self.replace(Span::new(at, at), text);
    }

    fn blank_statement(&mut self, span: Span) {
        self.edits.0.push((range(span), Fill::Semicolon));
    }

    /// Blanks a mark, such as `?`, if it is between two places.
    fn blank_mark(&mut self, mark: char, start: u32, end: u32) {
        let start = start as usize;
        if let Some(at) = self.text[start..end as usize].find(mark) {
            self.edits.blank(start + at..start + at + 1);
        }
    }

    /// Blanks the modifiers of a member that begins at `start` and whose name begins at `name`.
    pub(super) fn blank_modifiers(&mut self, start: u32, name: u32) {
        let (start, name) = (start as usize, name as usize);
        let before = &self.text[start..name];
        let mut is_first = true;
        let mut at = 0;
        for word in before.split(|it: char| !it.is_alphanumeric()) {
            if MODIFIERS.contains(&word) {
                // Without its modifier, `['x']` would continue the previous line.
                let next = self.text[start + at + word.len()..].trim_start().chars().next();
                let fill = match next {
                    Some('[' | '*') if is_first => Fill::Semicolon,
                    _ => Fill::Space,
                };
                self.edits.0.push((start + at..start + at + word.len(), fill));
            }
            is_first &= MODIFIERS.contains(&word) || word.is_empty();
            at += word.len() + before[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        }
    }

    /// Whether a declaration only declares types. Its names are recorded, and it is removed as a
    /// whole.
    fn is_type_declaration(&mut self, declaration: &Declaration<'_>) -> bool {
        match declaration {
            Declaration::TSTypeAliasDeclaration(it) => {
                self.declared.insert(it.id.name.to_string());
                true
            }
            Declaration::TSInterfaceDeclaration(it) => {
                self.declared.insert(it.id.name.to_string());
                true
            }
            Declaration::VariableDeclaration(it) => it.declare,
            Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
            Declaration::ClassDeclaration(it) => it.declare,
            Declaration::TSEnumDeclaration(it) => it.declare,
            Declaration::TSNamespaceDeclaration(it) => it.declare || is_of_types_only(it),
            Declaration::TSImportEqualsDeclaration(it) => {
                if !it.import_kind.is_type() {
                    self.refuse(&**it, "`import … =`", "write `import … from …`");
                }
                true
            }
            Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => {
                true
            }
        }
    }

    fn key_start(&self, key: &PropertyKey<'_>, is_computed: bool) -> u32 {
        let start = key.span().start;
        if !is_computed {
            return start;
        }
        let bracket = self.text[..start as usize].rfind('[');
        bracket.and_then(|at| u32::try_from(at).ok()).unwrap_or(start)
    }
}

impl<'a> Visit<'a> for Types<'_> {
    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_index_signature(&mut self, it: &TSIndexSignature<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(Span::new(it.expression.span().end, it.span.end));
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(Span::new(it.expression.span().end, it.span.end));
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_mark('!', it.expression.span().end, it.span.end);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.blank(Span::new(it.span.start, it.expression.span().start));
        self.visit_expression(&it.expression);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.refuse(it, "`export =`", "write `export default`");
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(it, "a decorator", "call the function on the class");
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.refuse(it, "an `accessor` field", "write `get` and `set`");
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.error.get_or_insert_with(|| TranslationError::new(it, jsx::REFUSED));
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.error.get_or_insert_with(|| TranslationError::new(it, jsx::REFUSED));
    }

    fn visit_program(&mut self, it: &Program<'a>) {
        self.scopes.push(Scope::of(&it.body));
        walk::walk_program(self, it);
        self.scopes.pop();
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        self.scopes.push(Scope::of(&it.statements));
        walk::walk_function_body(self, it);
        self.scopes.pop();
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.scopes.push(Scope::of(&it.body));
        walk::walk_block_statement(self, it);
        self.scopes.pop();
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.used.insert(it.name.to_string());
        self.name_member(it);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        let is_type = it.as_declaration().is_some_and(|it| self.is_type_declaration(it));
        match it {
            _ if is_type => self.blank_statement(it.span()),
            Statement::TSNamespaceExportDeclaration(_) => self.blank_statement(it.span()),
            Statement::TSEnumDeclaration(it) => self.make_enum(it, false),
            Statement::TSNamespaceDeclaration(it) => self.make_namespace(it, false),
            _ => walk::walk_statement(self, it),
        }
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        if self.is_type_declaration(&it.declaration) {
            return self.blank_statement(it.span);
        }
        self.export(it);
        match &it.declaration {
            Declaration::TSEnumDeclaration(it) => self.make_enum(it, true),
            Declaration::TSNamespaceDeclaration(it) => self.make_namespace(it, true),
            declaration => self.visit_declaration(declaration),
        }
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let is_type = match &it.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.body.is_none(),
            _ => false,
        };
        if is_type {
            self.blank_statement(it.span);
        } else {
            walk::walk_export_default_declaration(self, it);
        }
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        if it.export_kind.is_type() {
            return self.blank_statement(it.span);
        }
        self.refuse_in_namespace(it);
        for specifier in &it.specifiers {
            if specifier.export_kind.is_type() {
                self.blank_specifier(specifier);
            } else {
                self.exports.push((range(specifier.span), specifier.local.name().to_string()));
            }
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        if it.export_kind.is_type() {
            return self.blank_statement(it.span);
        }
        for specifier in it.specifiers.iter().filter(|it| it.export_kind.is_type()) {
            self.blank_specifier(specifier);
        }
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        if it.export_kind.is_type() {
            self.blank_statement(it.span);
        }
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.imports.push(Import::new(it));
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            let end = it.type_annotation.as_ref().map_or(it.span.end, |it| it.span.start);
            self.blank_mark('!', it.id.span().end, end);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if it.optional {
            let end = it.type_annotation.as_ref().map_or(it.span.end, |it| it.span.start);
            self.blank_mark('?', it.pattern.span().end, end);
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if let Some(this) = &it.this_param {
            let end = with_comma(self.text, this.span.end as usize);
            self.edits.blank(this.span.start as usize..end);
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(annotation) = &it.return_type {
            let span = range(annotation.span);
            if self.text[span.clone()].contains('\n') {
                let parenthesis = self.text[..span.start].rfind(')').unwrap_or(span.start);
                self.edits.0.push((parenthesis..span.end, Fill::Parenthesis));
            }
        }
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if it.r#abstract {
            self.blank_modifiers(it.span.start, it.body.span.start);
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let before = &self.text[..first.span.start as usize];
            let start = before.rfind("implements").unwrap_or(before.len());
            self.edits.blank(start..last.span.end as usize);
        }
        self.make_properties(it);
        walk::walk_class(self, it);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        let is_abstract = it.r#type == MethodDefinitionType::TSAbstractMethodDefinition;
        if is_abstract || it.value.body.is_none() {
            return self.blank(it.span);
        }
        self.blank_modifiers(it.span.start, self.key_start(&it.key, it.computed));
        if it.optional {
            self.blank_mark('?', it.key.span().end, it.value.params.span.start);
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let is_abstract = it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition;
        if is_abstract || it.declare {
            return self.blank(it.span);
        }
        self.blank_modifiers(it.span.start, self.key_start(&it.key, it.computed));
        let value = it.value.as_ref().map_or(it.span.end, |it| it.span().start);
        let end = it.type_annotation.as_ref().map_or(value, |it| it.span.start);
        if it.optional {
            self.blank_mark('?', it.key.span().end, end);
        }
        if it.definite {
            self.blank_mark('!', it.key.span().end, end);
        }
        walk::walk_property_definition(self, it);
    }
}

impl Types<'_> {
    fn blank_specifier(&mut self, specifier: &ExportSpecifier<'_>) {
        let range = range(specifier.span);
        self.edits.blank(range.start..with_comma(self.text, range.end));
    }
}
