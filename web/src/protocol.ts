// The messages between the page and its worker.
import type { Answer, Files, Options, SchemaLanguage, TextAnswer } from './api';

export type Job =
  | { name: 'render'; files: Files; options: Options }
  | { name: 'generate'; files: Files; options: Options }
  | { name: 'exportSchema'; files: Files; options: Options; language: SchemaLanguage }
  | { name: 'explain'; code: string }
  | { name: 'projectFile'; files: Files; options: Options };

/** Why a worker was stopped. */
export type Stop = { reason: 'time'; seconds: number } | { reason: 'depth' } | { reason: 'bug'; message: string };

export type Result = Answer | TextAnswer | string | undefined;

export type ToWorker =
  | { kind: 'start'; module: WebAssembly.Module }
  | { kind: 'generators'; module: WebAssembly.Module }
  | { kind: 'job'; id: number; job: Job }
  | { kind: 'lsp'; message: string };

export type FromWorker =
  | { kind: 'begin' }
  | { kind: 'end' }
  | { kind: 'stop'; stop: Stop }
  | { kind: 'result'; id: number; result: Result }
  | { kind: 'lsp'; message: string };
