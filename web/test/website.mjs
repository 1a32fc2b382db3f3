// `plumb website` as a process: it serves the files of dist/, and ends on a signal.
// Usage: node test/website.mjs PLUMB, which was built with the page
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { serve } from './served.mjs';

const [program] = process.argv.slice(2);
const dist = join(import.meta.dirname, '../dist');
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (it) => it };
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', txt: 'text/plain' };

const served = await serve(program, ['--listen-addr', '127.0.0.1:0']);
const { address } = served;

/** Asks for a path, which is sent as it is. */
function ask(path, { method = 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const asking = request(address, { path, method, headers }, (response) => {
      const parts = [];
      response.on('data', (it) => parts.push(it)).on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    asking.on('error', reject).end();
  });
}

let n = 0;
const step = async (what, check) => {
  await check();
  n += 1;
  console.log(`ok ${what}`);
};

try {
  const names = readdirSync(dist).filter((it) => !/\.(br|gz)$/.test(it));
  await step('each file has its type, and the same bytes in each encoding', async () => {
    for (const name of names) {
      for (const [encoding, decode] of Object.entries(DECODE)) {
        const { status, headers, body } = await ask(`/${name}`, { headers: { 'accept-encoding': encoding } });
        assert.equal(status, 200, name);
        assert.equal(headers['content-encoding'] ?? 'identity', encoding);
        assert.equal(Number(headers['content-length']), body.length);
        assert.ok(headers['content-type'].startsWith(TYPES[name.split('.').at(-1)]), headers['content-type']);
        assert.ok(decode(body).equals(readFileSync(join(dist, name))), name);
      }
    }
    assert.deepEqual((await ask('/')).body, (await ask('/index.html')).body);
  });
  await step('every answer has a policy that allows only the files of the page', async () => {
    for (const path of ['/', '/app.js', '/no']) {
      const policy = (await ask(path)).headers['content-security-policy'];
      assert.match(policy, /^default-src 'none'; .*; frame-ancestors 'none'$/);
      assert.ok(!/unsafe-inline|unsafe-eval'(?<!'wasm-unsafe-eval')|https?:|\*/.test(policy), policy);
    }
  });
  await step('a file that is known is not sent again', async () => {
    const br = { 'accept-encoding': 'br' };
    const { headers: { etag } } = await ask('/engine.wasm', { headers: br });
    const again = await ask('/engine.wasm', { headers: { ...br, 'if-none-match': etag } });
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
    const other = await ask('/engine.wasm', { headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } });
    assert.equal(other.status, 200);
  });
  await step('HEAD has no body, other methods are refused', async () => {
    const head = await ask('/app.js', { method: 'HEAD' });
    assert.equal(head.body.length, 0);
    assert.ok(Number(head.headers['content-length']) > 0);
    const post = await ask('/', { method: 'POST' });
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
  });
  await step('no path leads out of the page', async () => {
    for (const path of ['/../Cargo.toml', '/%2e%2e/Cargo.toml', '//etc/passwd', '/app.js/../../Cargo.toml', '/dist', '/app.js.br']) {
      assert.equal((await ask(path)).status, 404, path);
    }
    const { hostname, port } = new URL(address);
    const raw = await new Promise((resolve) => {
      let text = '';
      connect(Number(port), hostname).on('data', (it) => { text += it; }).on('end', () => resolve(text)).end('GET ../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    assert.match(raw, /^HTTP\/1\.1 400 /);
  });
  await step('a port in use is an error that names it', () => {
    const listen = new URL(address).host;
    const { status, stderr } = spawnSync(program, ['website', '--listen-addr', listen], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.ok(stderr.startsWith(`error[website/not-served]: cannot listen on ${listen}: `), stderr);
  });
  await step('called as ytt, it says the same', async () => {
    const other = await serve(program, ['--compat', 'ytt', '--listen-addr=localhost:0', '--redirect-to-https=false']);
    assert.match(other.address, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await other.end('SIGTERM'), 0);
  });
  await step('it ends on Ctrl-C', async () => assert.equal(await served.end('SIGINT'), 0));
  console.log(`${n} steps`);
} finally {
  await served.end('SIGKILL');
}
