// The modules that scripts of `plumb generate`, `transform` and `validate` can import, for
// TypeScript's own language server.

declare module '@jkcfg/std' {
  /** How a value is written in a file. */
  export enum Format { FromExtension, JSON, YAML, Raw, YAMLStream, JSONStream, HCL }
  /** What happens to a file that exists. */
  export enum Overwrite { Skip, Write, Err }
  /** What `read` returns. */
  export enum Encoding { Bytes, String, JSON }

  /** Standard input, as a path of `read`. */
  export const stdin: unique symbol;
  /** Standard output, as a path of `write`. */
  export const stdout: unique symbol;

  export interface WriteOptions {
    format?: Format;
    /** The number of spaces of each level. The default is 2. */
    indent?: number;
    overwrite?: Overwrite | boolean;
  }

  export interface ReadOptions {
    /** The default is `Encoding.JSON`: the value of the file. */
    encoding?: Encoding;
    format?: Format;
    module?: string;
  }

  /** Writes a value to a file below the output directory, or to standard output. */
  export function write(value: unknown, path?: string | typeof stdout, options?: WriteOptions): void;
  /** Writes a value to standard output. */
  export function print(value?: unknown, options?: WriteOptions): void;
  /** Prints a value to standard error. */
  export function log(value: unknown): void;
  /** Reads a file, or standard input. */
  export function read(
    path: string | typeof stdin | undefined,
    options: ReadOptions & { encoding: Encoding.Bytes },
  ): Promise<Uint8Array>;
  export function read(
    path: string | typeof stdin | undefined,
    options: ReadOptions & { encoding: Encoding.String },
  ): Promise<string>;
  export function read(path?: string | typeof stdin, options?: ReadOptions): Promise<any>;
  /** The value of a text. */
  export function parse(text: string, format?: Format): any;
  /** A value as text. */
  export function stringify(value: unknown, format?: Format): string;
}

declare module '@jkcfg/std/param' {
  type Parameters = { [name: string]: any };

  /** All parameters. */
  export function all(): Parameters;
  /** The boolean at a path such as `app.debug`, or the fallback if it is not given. */
  function boolean(path: string): boolean | undefined;
  function boolean(path: string, fallback: boolean): boolean;
  /** The number at a path, or the fallback. */
  function number(path: string): number | undefined;
  function number(path: string, fallback: number): number;
  /** The text at a path, or the fallback. */
  function string(path: string): string | undefined;
  function string(path: string, fallback: string): string;
  /** The object at a path, merged over the fallback. */
  function object(path: string): Parameters | undefined;
  function object<T extends object>(path: string, fallback: T): T & Parameters;

  export { boolean as Boolean, number as Number, string as String, object as Object };
  export const param: {
    all: typeof all;
    Boolean: typeof boolean;
    Number: typeof number;
    String: typeof string;
    Object: typeof object;
  };
}

declare module '@jkcfg/std/fs' {
  export class FileInfo {
    readonly name: string;
    readonly path: string;
    readonly isdir: boolean;
  }

  export class Directory {
    readonly name: string;
    readonly path: string;
    readonly files: FileInfo[];
  }

  export interface Options {
    module?: string;
  }

  export interface WalkOptions {
    /** Whether to enter a directory. */
    pre?: (directory: FileInfo) => boolean;
    /** Called after a directory was left. */
    post?: () => void;
  }

  export function info(path: string, options?: Options): FileInfo;
  export function dir(path: string, options?: Options): Directory;
  export function join(base: string, name: string): string;
  /** Every file and directory below a path, a directory before its content. */
  export function walk(path: string, options?: WalkOptions): Generator<FileInfo, void, void>;
}

declare module '@jkcfg/std/merge' {
  /** Combines two values. */
  export type Strategy = (base: any, top: any) => any;
  /** A strategy for each field, or rules for what is below it. */
  export interface Rules {
    [field: string]: Strategy | Rules;
  }

  /** Merges two values; fields without a rule are merged too, and scalars replaced. */
  export function merge<B, T>(base: B, top: T, rule?: Strategy | Rules): B & T;
  export function deep(rules?: Rules): Strategy;
  /** Keeps the first value. */
  export function first(): Strategy;
  /** Keeps the second value. */
  export function replace(): Strategy;
  /** Merges the items of two arrays that have the same value of a key. */
  export function deepWithKey(key: string, rules?: Rules): Strategy;
}

declare module '@jkcfg/std/validation' {
  export interface Finding {
    msg: string;
    /** Where in the value, such as `spec.replicas`. */
    path?: string;
    start?: { line: number; column: number };
    end?: { line: number; column: number };
  }

  export type Result = 'ok' | boolean | string | Finding | Array<string | Finding>;
  export type Validator = (value: any) => Result | Promise<Result>;

  /** The findings in a result: none for a valid value. */
  export function findings(answer: Result): Finding[];
  /** The findings of one validator about one value. */
  export function runValidator(validator: Validator, value: unknown): Promise<Finding[]>;
  /** One validator that returns the findings of all. */
  export function all(...validators: Array<Validator | Validator[]>): Validator;
}

declare module '@jkcfg/std/schema' {
  import { Finding } from '@jkcfg/std/validation';

  export function validateWithObject(value: unknown, schema: object | boolean): 'ok' | Finding[];
  export function validateWithFile(value: unknown, path: string): Promise<'ok' | Finding[]>;
  export function validateWithResource(
    value: unknown,
    path: string,
    moduleRef: string,
  ): Promise<'ok' | Finding[]>;
}

declare module '@jkcfg/std/resource' {
  import { ReadOptions } from '@jkcfg/std';
  import { Directory, FileInfo } from '@jkcfg/std/fs';

  /** Reads a file next to the module that imports this. */
  export function read(path: string, options?: ReadOptions): Promise<any>;
  export function dir(path: string): Directory;
  export function info(path: string): FileInfo;
  export function withModuleRef<T>(use: (module: string) => T): T;
}

declare module '@jkcfg/std/debug' {
  export function echo(...args: unknown[]): Promise<unknown[]>;
  export function echoSync(...args: unknown[]): unknown[];
}
