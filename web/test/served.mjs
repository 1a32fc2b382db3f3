// Starts `plumb website`, for tests.
import { spawn } from 'node:child_process';

/** Resolves once the program listens, with its address and a function that ends it with a signal. */
export function serve(program, flags) {
  const child = spawn(program, ['website', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => { child.on('exit', (code) => resolve(code)); });
  const end = (signal) => {
    child.kill(signal);
    return ended;
  };
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const address = /^Listening on (http:\/\/\S+)$/m.exec(text)?.[1];
      if (address) resolve({ address, end });
    });
    ended.then((code) => reject(new Error(`the program ended with ${code} before it listened`)));
  });
}
