// Uses the package as its readers do: by its name.
import assert from 'node:assert/strict';
import { load } from 'plumb-config';

const plumb = await load();
const { output, report } = plumb.render({ 'a.yml': 'a: #@ 1 + 1\n' });
assert.equal(output.yaml, 'a: 2\n');
assert.equal(report.ending, 'fine');
console.log(`plumb-config ${plumb.version} renders`);
