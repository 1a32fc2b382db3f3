// Runs the engine away from the page. Each job is announced before it begins, so that the page can
// stop one that takes too long.
import { Generators, Plumb } from './api';
import type { FromWorker, Job, Result, ToWorker } from './protocol';

const post = (message: FromWorker) => self.postMessage(message);
let plumb: Plumb;
let generators: Generators;
let server: ReturnType<Plumb['languageServer']>;
let isCheckPlanned = false;

/** Runs a job. After an exception the instance is broken: the page starts another worker. */
function guarded(work: () => void): void {
  post({ kind: 'begin' });
  try {
    work();
    post({ kind: 'end' });
  } catch (error) {
    post({ kind: 'stop', stop: error instanceof RangeError ? { reason: 'depth' } : { reason: 'bug', message: String(error) } });
  }
}

function run(job: Job): Result {
  switch (job.name) {
    case 'render': return plumb.render(job.files, job.options);
    case 'generate': return generators.generate(job.files, job.options);
    case 'exportSchema': return plumb.exportSchema(job.files, job.language, job.options);
    case 'explain': return plumb.explain(job.code);
    case 'projectFile': return plumb.projectFile(job.files, job.options);
  }
}

function send(messages: string): void {
  for (const message of JSON.parse(messages)) post({ kind: 'lsp', message: JSON.stringify(message) });
}

/** Checks files once all messages that have arrived are handled. */
function planCheck(): void {
  if (isCheckPlanned || !server.hasCheck()) return;
  isCheckPlanned = true;
  setTimeout(() => {
    isCheckPlanned = false;
    guarded(() => send(server.check()));
  });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'start':
      guarded(() => {
        plumb = Plumb.load(data.module);
        server = plumb.languageServer();
      });
      break;
    case 'generators':
      guarded(() => { generators = Generators.load(data.module); });
      break;
    case 'job':
      guarded(() => post({ kind: 'result', id: data.id, result: run(data.job) }));
      break;
    case 'lsp':
      guarded(() => send(server.handle(data.message)));
      planCheck();
      break;
  }
};
