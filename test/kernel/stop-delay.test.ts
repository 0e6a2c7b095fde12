import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startNode, type NodeProcess } from '#test/faults/support/node.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

describe('SVC_STOP_DELAY_SECONDS', function () {
  this.timeout(60_000);
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const statusOf = async ({ address }: NodeProcess, path: string, method = 'GET'): Promise<number> =>
    (await fetch(`${address}${path}`, { method, ...(method === 'POST' && { body: '{}' }) })).status;

  it('has a server that is to stop answer calls while /readyz says 503; a second signal ends the wait', async () => {
    const { url, drop } = await createTestDatabase();
    ends.push(drop);
    const folder = await mkdtemp(join(tmpdir(), 'svc-stop-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const node = await startNode({
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_STOP_DELAY_SECONDS: '300',
    });
    ends.push(() => node.kill());
    expect(await statusOf(node, '/readyz')).to.equal(200);
    node.terminate();
    await eventually(async () => (await statusOf(node, '/readyz')) === 503, 'a server that is leaving');
    expect(await statusOf(node, '/account/get', 'POST'), 'it answers: the call has no key').to.equal(401);
    expect(await statusOf(node, '/healthz')).to.equal(200);
    expect(node.printed()).to.contain('SIGTERM: answering for another 300 s, then finishing what is running …');
    expect(await node.stop()).to.equal('0');
  });
});
