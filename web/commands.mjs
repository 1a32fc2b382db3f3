// The commands of consoles that the playground can run, as targets. The page uses it too.

/** Flags of one letter, and what they are in a target. */
const LETTERS = { f: 'file', v: 'data-value', o: 'output', s: 'strict', W: 'deny-warnings' };
const SWITCHES = ['strict', 'ignore-unknown-comments', 'keep-comments', 'data-value-schema-disable-validation', 'dangerous-allow-all-symlink-destinations', 'implicit-map-key-overrides',
  'dangerous-data-values-disable-validation', 'output-disable-validation'];
/** Flags that are about the terminal, or that ask for something other than rendered files. */
const OTHERS = ['output', 'output-files', 'report', 'deny-warnings', 'show-values', 'watch', 'data-values-inspect', 'data-values-schema-inspect',
  'files-inspect', 'bulk-in', 'bulk-out', 'debug', 'dangerous-emptied-output-directory', 'help', 'version', 'quiet'];
/** Flags of `plumb generate` that a target has. */
const OF_GENERATORS = {
  p: 'parameter', parameter: 'parameter', f: 'parameters', parameters: 'parameters', o: 'output-directory', 'output-directory': 'output-directory',
  validate: 'validate', schema: 'schema', lib: 'lib',
};
/** Flags of `plumb generate` that are about the terminal. */
const OF_TERMINALS = ['stdout', 'v', 'verbose'];

/** The keys of a target that does what a line of a console does. Returns nothing if it cannot be run, or has words of the shell. */
export function targetOf(command) {
  if (!/^\$ plumb (check )?(-f|--file|vm check|generate) /.test(command)) return undefined;
  const words = command.slice('$ plumb '.length).match(/'[^']*'|"[^"]*"|\S+/g).map((it) => it.replace(/^(['"])(.*)\1$/, '$2'));
  return words.some((it) => it === '-' || /[|<>$`;&*]/.test(it)) ? undefined : targetOfWords(words);
}

/** The keys of a target that does what these arguments do. Returns nothing if there is none. */
export function targetOfWords(given) {
  const words = [...given];
  if (words[0] === 'generate') return targetOfGenerator(words.slice(1));
  if (words[0] === 'check') words.shift();
  const isMachines = words[0] === 'vm';
  if (isMachines) words.splice(0, 2);
  const target = {};
  const plain = [];
  while (words.length > 0) {
    const word = words.shift();
    const [, long, letter, joined] = /^(?:--([\w-]+)|-(\w))(?:=([\s\S]*))?$/.exec(word) ?? [];
    const key = long ?? LETTERS[letter];
    if (!key) { plain.push(word); continue; }
    if (OTHERS.includes(key)) return undefined;
    if (SWITCHES.includes(key)) { target[key] = (joined ?? 'true') === 'true'; continue; }
    (target[key] ??= []).push(joined ?? words.shift() ?? '');
  }
  if (isMachines) return { 'vm-check': { machines: plain, templates: target.template ?? [] } };
  return plain.length === 0 && target.file ? target : undefined;
}

function targetOfGenerator(words) {
  const target = {};
  while (words.length > 0) {
    const word = words.shift();
    const [, name, joined] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (!name && !target.generate) target.generate = word;
    else if (['schema', 'output-directory'].includes(OF_GENERATORS[name])) target[OF_GENERATORS[name]] = joined ?? words.shift() ?? '';
    else if (OF_GENERATORS[name]) (target[OF_GENERATORS[name]] ??= []).push(joined ?? words.shift() ?? '');
    else if (!OF_TERMINALS.includes(name)) return undefined;
  }
  return target.generate ? target : undefined;
}

/** The files that a target reads, or that are below a directory that it reads. All of them if that is not known. */
export function usedBy(target, files) {
  // Modules import each other.
  if (target.generate) return files;
  const named = Object.values(target).flatMap((it) => (Array.isArray(it) ? it : Object.values(it).flat())).filter((it) => typeof it === 'string');
  const paths = named.map((it) => it.replace(/^[^=]*=/, ''));
  const used = Object.entries(files).filter(([path]) => paths.some((it) => path === it || path.startsWith(`${it}/`) || it === '.'));
  return used.length > 0 ? Object.fromEntries(used) : files;
}
