import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { takeMigratedDatabase } from '#test/support/migrated-database.js';
import { beginNode, startNode, type NodeProcess } from './support/node.js';

const count = 3;
/** A process that hangs is given up after 30 s, see scripts/processes/supervisor.ts. */
const hangMs = 60_000;

describe('Several processes', function () {
  this.timeout(180_000);
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const settings = async (): Promise<Record<string, string>> => {
    const owners = ['core', ...(await findPlugins()).map(({ name }) => name)];
    const { url, drop } = await takeMigratedDatabase(owners);
    ends.push(drop);
    const folder = await mkdtemp(join(tmpdir(), 'svc-processes-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    return {
      SVC_PORT: String(await freePort()),
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_PROCESSES: String(count),
    };
  };
  const isServing = (port: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`, { headers: { Connection: 'close' } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  /** A node whose first process serves; the others still start. */
  const servingNode = async (): Promise<NodeProcess> => {
    const given = await settings();
    const node = beginNode(given);
    ends.push(() => node.kill());
    await eventually(() => isServing(given['SVC_PORT'] ?? ''), 'the first process', 60_000);
    return node;
  };

  it('stop properly while some of them still start', async () => {
    const node = await servingNode();
    expect(await node.stop(), node.printed()).to.equal('0');
    expect(node.printed()).to.contain('SIGTERM: finishing what is running …');
  });

  it('go on if one of them dies while it starts', async () => {
    const node = await servingNode();
    await eventually(async () => (await node.children()).length === count, 'all processes', 60_000);
    const last = (await node.children()).at(-1) ?? 0;
    process.kill(last, 'SIGKILL');
    await eventually(() => node.printed().includes(' address '), 'the summary of the start', 60_000);
    await eventually(async () => {
      const now = await node.children();
      return now.length === count && !now.includes(last);
    }, 'another process');
    expect(await node.stop(), node.printed()).to.equal('0');
  });

  it('replace one that hangs, and do not wait for it when they stop', async () => {
    const node = await startNode(await settings());
    ends.push(() => node.kill());
    const [first = 0] = await node.children();
    process.kill(first, 'SIGSTOP');
    await eventually(async () => !(await node.children()).includes(first), 'the end of the one that hangs', hangMs);
    expect(node.printed()).to.contain('a process of svc does not answer and is killed');
    await eventually(async () => (await node.children()).length === count, 'another process', hangMs);
    const [second = 0] = await node.children();
    process.kill(second, 'SIGSTOP');
    expect(await node.stop(), node.printed()).to.equal('1');
    expect(node.printed()).to.contain('A process of svc ended by SIGKILL.');
  });
});
