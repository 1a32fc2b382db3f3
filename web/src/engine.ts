// The engine as the page sees it: jobs with answers, and messages of the language server. A job that
// takes too long is stopped, together with its worker; the next one starts in a new worker.
import type { Answer, Files, Options, SchemaLanguage, TextAnswer } from './api';
import type { FromWorker, Job, Result, Stop, ToWorker } from './protocol';
import workerText from 'worker:';

/** How long a job may take. */
const TIME_LIMIT = 5_000;

/** The worker was stopped before the answer. */
export class Stopped extends Error {}

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

export class Engine {
  /** Is called when a worker was stopped. */
  onStop: (stop: Stop) => void = () => {};
  /** Receives messages of the language server. */
  onMessage: (message: string) => void = () => {};

  readonly #module: Promise<WebAssembly.Module>;
  readonly #loadGenerators: () => Promise<WebAssembly.Module>;
  #generators: Promise<WebAssembly.Module> | null = null;
  /** The worker that has generators. */
  #generating: Worker | null = null;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #timer: number | undefined;

  /** Modules are compiled once, and shared by all workers. That of generators is loaded when it is needed. */
  constructor(module: Promise<WebAssembly.Module>, loadGenerators: () => Promise<WebAssembly.Module>) {
    this.#module = module;
    this.#loadGenerators = loadGenerators;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Starts a worker, unless one is running. */
  async start(): Promise<void> {
    const module = await this.#module;
    if (this.#worker) return;
    const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#stop({ reason: 'bug', message: event.message });
    this.#worker = worker;
    this.#post({ kind: 'start', module });
  }

  render(files: Files, options: Options): Promise<Answer> {
    return this.#job({ name: 'render', files, options });
  }

  /** Runs a target that generates files. Fails if the module for it cannot be loaded. */
  async generate(files: Files, options: Options): Promise<Answer> {
    this.#generators ??= this.#loadGenerators();
    const module = await this.#generators.catch((error: unknown) => {
      this.#generators = null;
      throw error;
    });
    if (this.#generating !== this.#worker) {
      this.#generating = this.#worker;
      this.#post({ kind: 'generators', module });
    }
    return this.#job({ name: 'generate', files, options });
  }

  exportSchema(files: Files, language: SchemaLanguage, options: Options): Promise<TextAnswer> {
    return this.#job({ name: 'exportSchema', files, language, options });
  }

  explain(code: string): Promise<string | undefined> {
    return this.#job({ name: 'explain', code });
  }

  projectFile(files: Files, options: Options): Promise<string> {
    return this.#job({ name: 'projectFile', files, options });
  }

  /** Sends a message to the language server. */
  send(message: string): void {
    this.#post({ kind: 'lsp', message });
  }

  #job<T extends Result>(job: Job): Promise<T> {
    if (!this.#worker) return Promise.reject(new Stopped());
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ kind: 'job', id, job });
    });
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'begin':
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(
          () => this.#stop({ reason: 'time', seconds: TIME_LIMIT / 1_000 }), TIME_LIMIT,
        );
        break;
      case 'end':
        clearTimeout(this.#timer);
        break;
      case 'stop':
        this.#stop(message.stop);
        break;
      case 'result':
        this.#waiting.get(message.id)?.resolve(message.result as never);
        this.#waiting.delete(message.id);
        break;
      case 'lsp':
        this.onMessage(message.message);
        break;
    }
  }

  #stop(stop: Stop): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Stopped());
    this.#waiting.clear();
    this.onStop(stop);
  }
}
