// The engine with types. Everything is computed in WebAssembly; nothing is read or sent.
import { generate, initSync as startGenerators } from '../build/generators.js';
import { initSync, LanguageServer, check, explain, format, print, projectFile, render, version } from '../build/engine.js';

/** The texts of files by their paths. */
export type Files = Record<string, string>;

/** The keys of a target in plumb.yml: long names of flags, such as `file` or `data-values-file`. */
export type Target = Record<string, unknown>;

/** A data value that a flag sets, after those of the target. */
export interface SetValue {
  flag: 'data-value' | 'data-value-yaml';
  path: string;
  value: string;
}

export interface Options {
  /** A target of plumb.yml by its name, or one by its keys. Without it: the first, or all files. */
  target?: string | Target | null;
  values?: SetValue[];
  /** What a target by its keys reads if it names `-`. */
  stdin?: string | null;
}

/** A range of a file; lines and columns are counted from 1. */
export interface Place {
  file?: string;
  /** The name of a text that is not a file, such as a flag. */
  text?: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  message?: string;
}

export interface Finding {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  places: Place[];
  notes: string[];
  help: string[];
  subject?: { file?: string; path?: string; required?: string; found?: string };
}

/** What `plumb --report=json` writes. */
export interface Report {
  ending: 'fine' | 'findings' | 'misuse' | 'bug';
  summary: { errors: number; warnings: number };
  findings: Finding[];
}

/** First and last line of an item of the output, and the file and line that it comes from. */
export type MapEntry = [first: number, last: number, file: string, line: number];

export interface Output {
  yaml: string;
  /** Missing if a document cannot be written as JSON. */
  json: string | null;
  /** Each file of the output. Texts have a map of their own lines. */
  files: { path: string; text: string; map?: MapEntry[] }[];
  map: MapEntry[];
}

export interface FormField {
  path: string;
  name: string;
  type: string;
  input: 'text' | 'number' | 'switch' | 'yaml' | 'secret';
  flag: SetValue['flag'];
  title: string;
  description: string;
  deprecation: string | null;
  rules: string[];
  value: string | null;
}

export interface Form {
  title: string;
  description: string;
  sections: { heading: string; description: string; fields: FormField[] }[];
}

export interface Verdict {
  isAccepted: boolean;
  summary: string;
  broken: { machine: string; rule: string; message: string; isWarning: boolean }[];
}

/** What a run made and found. Parts are missing if there is a mistake before them. */
export interface Answer {
  /** What is wrong with the request itself. */
  misuse?: string;
  report: Report;
  targets?: string[];
  target?: string;
  output?: Output | null;
  values?: string | null;
  form?: Form | null;
  printed?: string[];
  /** Only of a target that checks virtual machines. */
  verdict?: Verdict | null;
}

export type SchemaLanguage = 'openapi-v3' | 'json-schema' | 'crd';

/** What `print` can print besides the schema of the data values. */
export type Printed = 'output' | 'data-values' | 'files';

export interface TextAnswer {
  /** What is wrong with the request itself. */
  misuse?: string;
  text: string | null;
  report: Report;
}

/**
 * Plumb. A method throws only because of a bug of ours; load it in a new worker then, because this
 * instance cannot be used any longer.
 */
export class Plumb {
  private constructor() {}

  /** Starts the engine from its compiled module, or from the bytes of `engine.wasm`. */
  static load(module: WebAssembly.Module | BufferSource): Plumb {
    initSync({ module });
    return new Plumb();
  }

  get version(): string {
    return version();
  }

  render(files: Files, options: Options = {}): Answer {
    return JSON.parse(render(request(files, options)));
  }

  check(files: Files, options: Options = {}): Report {
    return JSON.parse(check(request(files, options))).report;
  }

  /** Checks virtual machines against the rules of templates; both are paths of files or directories. */
  vmCheck(files: Files, machines: string[], templates: string[] = []): Answer {
    return this.render(files, { target: { 'vm-check': { machines, templates } } });
  }

  exportSchema(files: Files, language: SchemaLanguage, options: Options = {}): TextAnswer {
    return this.print(files, language, 'yaml', options);
  }

  /** What a target reads or makes, as the flags for output and inspection print it. */
  print(files: Files, what: Printed | SchemaLanguage, format: 'yaml' | 'json' | 'pos', options: Options = {}): TextAnswer {
    return JSON.parse(print(request(files, options), what, format));
  }

  /** A YAML file in the usual layout. */
  format(path: string, text: string): TextAnswer {
    return JSON.parse(format(path, text));
  }

  /** The page of the manual about a code, in Markdown. */
  explain(code: string): string | undefined {
    return explain(code);
  }

  /** The project file that describes a target, for the language server. */
  projectFile(files: Files, options: Options = {}): string {
    return projectFile(request(files, options));
  }

  /** A language server; all files are opened in it as `file:///work/PATH`. */
  languageServer(): LanguageServer {
    return new LanguageServer();
  }
}

/**
 * Generators: scripts in JavaScript and TypeScript. They are a module of their own, because it contains an engine for
 * JavaScript, which has no access to anything outside the files. What is said about exceptions of `Plumb` is true here too.
 */
export class Generators {
  private constructor() {}

  /** Starts the module from its compiled form, or from the bytes of `generators.wasm`. */
  static load(module: WebAssembly.Module | BufferSource): Generators {
    startGenerators({ module });
    return new Generators();
  }

  /**
   * Runs a target that generates files, such as `{ generate: 'site.ts', parameter: ['replicas=3'] }`. The answer to one
   * that does not has only the names of the targets.
   */
  generate(files: Files, options: Options = {}): Answer {
    return JSON.parse(generate(request(files, options)));
  }
}

function request(files: Files, { target = null, values = [], stdin = null }: Options): string {
  return JSON.stringify({ files, target, values, stdin });
}
