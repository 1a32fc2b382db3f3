//! Blocks and the names bound in them.

use hashbrown::HashMap;
use plumb_source::message::{plain, term};
use plumb_source::{Message, Text, message};

use super::{Binding, BindingId, Kind, Notes, Resolved, Scope};
use crate::Environment;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, ErrorKind};
use crate::piece::Script;
use crate::spell;
use crate::syntax::ast::{Ast, FunctionId, Ident, Symbol};

/// The maximum number of errors with a suggestion. Finding a suggestion compares all names.
const MAX_GUESSES: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockId(usize);

const FILE: BlockId = BlockId(0);

/// A function, a comprehension, or the file: a place where names can be bound.
pub(super) struct Block {
    parent: Option<BlockId>,
    pub(super) function: Option<FunctionId>,
    bindings: HashMap<Symbol, BindingId>,
    children: Vec<BlockId>,
    /// Names used here (or in comprehensions here) that are resolved at the end.
    uses: Vec<(Ident, BlockId)>,
}

pub(super) struct Resolver<'a> {
    pub(super) ast: &'a Ast,
    script: &'a Script,
    environment: &'a Environment,
    blocks: Vec<Block>,
    pub(super) block: BlockId,
    globals: HashMap<Symbol, BindingId>,
    constants: HashMap<Symbol, BindingId>,
    pub(super) resolved: Resolved,
    /// The number of loops around the current statement, in the same function.
    pub(super) loops: u32,
    /// The number of enclosing loops in the same function, including comprehensions: variables that
    /// are assigned here may be assigned again.
    pub(super) repeats: u32,
    errors: Vec<Error>,
    notes: Option<Notes>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(ast: &'a Ast, script: &'a Script, environment: &'a Environment) -> Self {
        let scopes = ast.functions.iter().map(|_| Scope::default()).collect();
        let file = Block {
            parent: None,
            function: None,
            bindings: HashMap::new(),
            children: Vec::new(),
            uses: Vec::new(),
        };
        Self {
            ast,
            script,
            environment,
            blocks: vec![file],
            block: FILE,
            globals: HashMap::new(),
            constants: HashMap::new(),
            resolved: Resolved {
                bindings: Vec::new(),
                idents: vec![BindingId(u32::MAX); ast.idents as usize],
                functions: scopes,
                module_locals: Vec::new(),
                globals: Vec::new(),
                constants: Vec::new(),
            },
            loops: 0,
            repeats: 0,
            errors: Vec::new(),
            notes: None,
        }
    }

    pub(super) fn run(mut self) -> Result<Resolved, Vec<Error>> {
        self.statements(&self.ast.body);
        self.resolve_local_uses(FILE);
        self.resolve_other_uses(FILE);
        if self.errors.is_empty() { Ok(self.resolved) } else { Err(self.errors) }
    }

    /// Like [`Resolver::run`], for a program that may have errors. They are not reported: many
    /// follow from a syntax error.
    pub(super) fn run_past_errors(mut self) -> (Resolved, Notes) {
        self.notes = Some(Notes::default());
        self.statements(&self.ast.body);
        self.resolve_local_uses(FILE);
        self.resolve_other_uses(FILE);
        (self.resolved, self.notes.unwrap_or_default())
    }

    fn note_definition(&mut self, ident: Ident) {
        if let Some(notes) = &mut self.notes {
            notes.definitions.push(ident.number);
        }
    }

    pub(super) fn error(&mut self, at: u32, message: impl Into<Message>) {
        self.errors.push(Error::at(ErrorKind::Resolve, self.script.spot(at), message));
    }

    fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    pub(super) fn push_block(&mut self, function: Option<FunctionId>) {
        let id = BlockId(self.blocks.len());
        self.blocks[self.block.0].children.push(id);
        self.blocks.push(Block {
            parent: Some(self.block),
            function,
            bindings: HashMap::new(),
            children: Vec::new(),
            uses: Vec::new(),
        });
        self.block = id;
    }

    pub(super) fn pop_block(&mut self) {
        self.block = self.block(self.block).parent.unwrap_or(FILE);
    }

    /// Returns the innermost surrounding function, or the file.
    fn container(&self) -> BlockId {
        let mut id = self.block;
        while id != FILE && self.block(id).function.is_none() {
            id = self.block(id).parent.unwrap_or(FILE);
        }
        id
    }

    pub(super) fn in_function(&self) -> bool {
        self.container() != FILE
    }

    fn new_binding(&mut self, name: Symbol, kind: Kind) -> BindingId {
        let id = u32::try_from(self.resolved.bindings.len()).expect("fewer than names");
        self.resolved.bindings.push(Binding { name, kind, changes: false, assignments: 0 });
        BindingId(id)
    }

    fn count_assignment(&mut self, id: BindingId) {
        let repeats = self.repeats > 0;
        let binding = &mut self.resolved.bindings[id.0 as usize];
        binding.assignments += 1;
        binding.changes |= repeats || binding.assignments > 1;
    }

    /// Binds a name at its assignment. Returns whether it was already bound there.
    pub(super) fn bind(&mut self, ident: Ident) -> bool {
        if self.block != FILE {
            return self.bind_local(ident);
        }
        self.note_definition(ident);
        let known = self.block(FILE).bindings.get(&ident.name).copied();
        let known = known.or_else(|| self.globals.get(&ident.name).copied());
        let id = known.unwrap_or_else(|| {
            let index = u32::try_from(self.resolved.globals.len()).expect("fewer than names");
            let id = self.new_binding(ident.name, Kind::Global(index));
            self.globals.insert(ident.name, id);
            self.resolved.globals.push(id);
            id
        });
        self.count_assignment(id);
        self.resolved.idents[ident.number as usize] = id;
        known.is_some()
    }

    pub(super) fn bind_local(&mut self, ident: Ident) -> bool {
        self.note_definition(ident);
        let known = self.block(self.block).bindings.get(&ident.name).copied();
        let id = known.unwrap_or_else(|| {
            let function = self.block(self.container()).function;
            let locals = match function {
                Some(function) => &self.resolved.functions[function.0 as usize].locals,
                None => &self.resolved.module_locals,
            };
            let index = u32::try_from(locals.len()).expect("fewer than names");
            let id = self.new_binding(ident.name, Kind::Local(index));
            match function {
                Some(function) => self.resolved.functions[function.0 as usize].locals.push(id),
                None => self.resolved.module_locals.push(id),
            }
            self.blocks[self.block.0].bindings.insert(ident.name, id);
            id
        });
        self.count_assignment(id);
        self.use_name(ident);
        known.is_some()
    }

    pub(super) fn use_name(&mut self, ident: Ident) {
        if self.block == FILE {
            let id = self.find_at_top_level(ident, FILE);
            self.resolved.idents[ident.number as usize] = id;
        } else {
            let container = self.container();
            self.blocks[container.0].uses.push((ident, self.block));
        }
    }

    fn find_at_top_level(&mut self, ident: Ident, used_in: BlockId) -> BindingId {
        let name = ident.name;
        let known = self.block(FILE).bindings.get(&name).or_else(|| self.globals.get(&name));
        if let Some(&known) = known.or_else(|| self.constants.get(&name)) {
            return known;
        }
        if let Some(value) = self.environment.get(self.ast.name(name)).cloned() {
            let index = u32::try_from(self.resolved.constants.len()).expect("fewer than names");
            self.resolved.constants.push(value);
            let id = self.new_binding(name, Kind::Constant(index));
            self.constants.insert(name, id);
            return id;
        }
        let nearest = self.guess(ident, used_in);
        let hint = nearest.as_ref().map(|it| message!(": did you mean `{}`?", plain(it)));
        let words = message!("`{}` is not defined{hint}", plain(self.ast.name(name)));
        let kind = CodeErrorKind::Undefined { name: self.ast.name(name).clone(), nearest };
        let message = term(words, kind.clone());
        let error = Error::at(ErrorKind::Resolve, self.script.spot(ident.at), message);
        self.errors.push(error.with_detail(kind));
        self.new_binding(name, Kind::Undefined)
    }

    /// Returns the nearest name that is visible from a block.
    fn guess(&self, ident: Ident, used_in: BlockId) -> Option<Text> {
        if self.errors.len() > MAX_GUESSES {
            return None;
        }
        let mut names: Vec<Symbol> = self.globals.keys().copied().collect();
        let mut block = Some(used_in);
        while let Some(id) = block {
            names.extend(self.block(id).bindings.keys());
            block = self.block(id).parent;
        }
        let mut names: Vec<Text> =
            names.into_iter().map(|name| self.ast.name(name).clone()).collect();
        names.sort();
        spell::nearest(self.ast.name(ident.name), &names).cloned()
    }

    /// Resolves uses at the end of a function or the file, when everything that is bound in it is
    /// known.
    pub(super) fn resolve_local_uses(&mut self, id: BlockId) {
        let uses = std::mem::take(&mut self.blocks[id.0].uses);
        let mut others = Vec::new();
        for (ident, used_in) in uses {
            match self.find_local(ident.name, used_in) {
                Some(found) => self.resolved.idents[ident.number as usize] = found,
                None => others.push((ident, used_in)),
            }
        }
        self.blocks[id.0].uses = others;
    }

    fn find_local(&self, name: Symbol, used_in: BlockId) -> Option<BindingId> {
        let mut block = Some(used_in);
        while let Some(id) = block {
            if let Some(&found) = self.block(id).bindings.get(&name) {
                return Some(found);
            }
            if self.block(id).function.is_some() {
                return None;
            }
            block = self.block(id).parent;
        }
        None
    }

    /// Resolves the remaining uses at the end of the file: names that are not local are looked up
    /// in outer blocks.
    fn resolve_other_uses(&mut self, id: BlockId) {
        for child in std::mem::take(&mut self.blocks[id.0].children) {
            self.resolve_other_uses(child);
        }
        for (ident, used_in) in std::mem::take(&mut self.blocks[id.0].uses) {
            let found = self.find_outward(ident, used_in, used_in);
            self.resolved.idents[ident.number as usize] = found;
        }
    }

    fn find_outward(&mut self, ident: Ident, used_in: BlockId, id: BlockId) -> BindingId {
        if id == FILE {
            return self.find_at_top_level(ident, used_in);
        }
        if let Some(&found) = self.block(id).bindings.get(&ident.name) {
            return found;
        }
        let parent = self.block(id).parent.unwrap_or(FILE);
        let mut found = self.find_outward(ident, used_in, parent);
        if let Some(function) = self.block(id).function {
            found = self.capture(found, function);
        }
        // The result is stored, so that a name is captured or reported only once in each function.
        self.blocks[id.0].bindings.insert(ident.name, found);
        found
    }

    /// Returns the binding by which a function sees a variable of a surrounding function.
    fn capture(&mut self, outer: BindingId, function: FunctionId) -> BindingId {
        let Binding { name, kind, .. } = self.resolved.bindings[outer.0 as usize];
        let shared = match kind {
            Kind::Local(index) => Kind::Shared(index),
            Kind::Global(index) => Kind::SharedGlobal(index),
            other => other,
        };
        self.resolved.bindings[outer.0 as usize].kind = shared;
        if !matches!(shared, Kind::Shared(_) | Kind::Free(_)) {
            return outer;
        }
        let free = &mut self.resolved.functions[function.0 as usize].free;
        let index = u32::try_from(free.len()).expect("fewer than names");
        free.push(outer);
        let id = self.new_binding(name, Kind::Free(index));
        if let Some(notes) = &mut self.notes {
            notes.captures.push((id, outer));
        }
        id
    }
}
