import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '#test/docs/shell-blocks.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';

describe('The nginx block of docs/operating.md', function () {
  this.timeout(60_000);
  const ends: (() => Promise<unknown>)[] = [];
  before(function () {
    if (spawnSync('nginx', ['-v']).status !== 0) this.skip();
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  const listen = async (listener: RequestListener): Promise<number> => {
    const port = await freePort();
    const server = createServer(listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return port;
  };

  /** @param ports of the two nodes */
  const startNginx = async (ports: readonly number[]): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-nginx-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const document = await readFile(join(root, 'docs/operating.md'), 'utf8');
    const [, block = ''] = /```nginx\n(upstream svc [^`]*)```/.exec(document) ?? [];
    const port = await freePort();
    const server = ports
      .reduce((text, own, index) => text.replace(`10.0.0.1${index + 1}:8080`, `127.0.0.1:${own}`), block)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replaceAll(/^ *ssl_certificate.*$/gm, '');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
    const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
      http { access_log off; ${paths.join(' ')} ${server} }`;
    await writeFile(join(folder, 'nginx.conf'), config);
    const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    ends.push(async () => {
      nginx.kill('SIGTERM');
      await eventually(() => nginx.exitCode !== null || nginx.signalCode !== null, 'the end of nginx');
    });
    const address = `http://127.0.0.1:${port}`;
    const isUp = (): Promise<boolean> =>
      fetch(address).then(
        () => true,
        () => false,
      );
    await eventually(isUp, 'nginx');
    return address;
  };

  it('sends a call with an Idempotency-Key again if a node closes the connection before it answers, and no other', async () => {
    // As a node that closes an idle connection on which a request is on its way.
    const closing = await listen((request) => void request.socket.destroy());
    const answering = await listen((request, response) => void request.pipe(response));
    const address = await startNginx([closing, answering]);
    const post = async (headers: Record<string, string>): Promise<string> => {
      const answer = await fetch(`${address}/account/get`, { method: 'POST', body: '{"a":1}', headers });
      return answer.status === 200 ? await answer.text() : String(answer.status);
    };
    const several = async (headers: Record<string, string>): Promise<Set<string>> => {
      const answers = new Set<string>();
      for (let index = 0; index < 6; index += 1) answers.add(await post(headers));
      return answers;
    };
    expect([...(await several({ 'Idempotency-Key': 'order-1' }))]).to.deep.equal(['{"a":1}']);
    expect([...(await several({}))]).to.have.members(['{"a":1}', '502']);
  });
});
