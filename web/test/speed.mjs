// CPU time to render examples/harbor: the native program, and the engine in Node.js. Both are means of many runs; the
// program is started for each, the engine is warm. Usage: node test/speed.mjs PLUMB
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { load } from '../dist-package/node.js';
import { examples } from '../examples.mjs';

const RUNS = 100;
const WARM_UP = 30;
const MAX_RATIO = 4;
const [program] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const { files, target } = examples(root).find((it) => it.id === 'harbor');
const plumb = await load();

/** The CPU time of the children so far, in milliseconds. */
const native = `for i in $(seq ${RUNS}); do "$0" -f schema.yml -f config --data-values-file values.yml >/dev/null; done; times`;
const { stdout } = spawnSync('bash', ['-c', native, program], { cwd: join(root, 'examples/harbor'), encoding: 'utf8' });
const [, user, system] = /\n(\S+) (\S+)\n$/.exec(stdout);
const milliseconds = (text) => {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text);
  return (Number(minutes) * 60 + Number(seconds)) * 1_000;
};
const nativeMs = (milliseconds(user) + milliseconds(system)) / RUNS;

for (let i = 0; i < WARM_UP; i += 1) plumb.render(files, { target });
const before = process.cpuUsage();
for (let i = 0; i < RUNS; i += 1) plumb.render(files, { target });
const used = process.cpuUsage(before);
const engineMs = (used.user + used.system) / 1_000 / RUNS;

const ratio = engineMs / nativeMs;
console.log(`native ${nativeMs.toFixed(2)} ms, engine ${engineMs.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`);
process.exitCode = ratio <= MAX_RATIO ? 0 : 1;
