import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { createTestDatabase } from '#test/support/database.js';
import { call, readAnswer, textAt, type Outcome } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A product that makes an external call after its COMMIT; the carrier refuses it if the input requests that. */
const parcel = `
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';

const send = defineOperation({
  name: 'parcel.send',
  summary: 'Commit, then hand the parcel to the carrier.',
  access: 'secret',
  input: object({ refused: boolean() }),
  output: object({ state: text() }),
  errors: ['name_taken'],
  example: { input: { refused: false }, output: { state: 'sent' } },
  handle: async ({ refused }) => ({ state: refused ? 'refused' : 'queued' }),
  async finish({ state }, { refuse }) {
    return state === 'refused' ? refuse.name_taken({ thing: 'parcel', name: 'parcel' }) : { state: 'sent' };
  },
});

export default definePlugin({ name: 'parcel', summary: 'Parcels.', tables: [], operations: [send], events: {}, errors: {} });
`;

/**
 * Where the node dies: between COMMIT and finish, before its answer is stored, and before its refusal frees the key.
 */
const deaths = [
  { point: 'commit.after:1', refused: false },
  { point: 'finish.store.before:1', refused: false },
  { point: 'finish.failed:1', refused: true },
];

describe('A node that is killed while an operation finishes', function () {
  this.timeout(240_000);
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('keeps what was committed: a repeat gets it once the lease has run out, and writes nothing', async () => {
    const { url, drop } = await createTestDatabase();
    closes.push(drop);
    const db = await connectDatabase({ url, poolSize: 1 });
    closes.push(() => db.close());
    const folder = await mkdtemp(join(tmpdir(), 'svc-finish-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    for (const name of ['config', 'core', 'migrations', 'plugins', 'scripts', 'package.json', 'tsconfig.json'])
      await cp(join(root, name), join(folder, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'plugins/parcel'));
    await writeFile(join(folder, 'plugins/parcel/index.ts'), parcel);

    const settings = {
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_LOG_LEVEL: 'warn',
    };
    const start = async (fault?: string): Promise<NodeProcess> => {
      const node = await startNode({ ...settings, ...(fault === undefined ? {} : { SVC_FAULT: fault }) }, folder);
      closes.push(() => node.kill());
      return node;
    };
    const send = async ({ address }: NodeProcess, refused: boolean, idempotencyKey: string): Promise<Outcome> => {
      const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      const input = { operation: 'parcel.send', input: { refused }, idempotencyKey };
      return call(address, textAt(facts, 'keys', 'test', 'secret'), input);
    };
    const records = async (): Promise<number> =>
      (await db.rows("SELECT id FROM svc_activity WHERE operation = 'parcel.send'")).length;

    let node = await start(deaths[0]?.point);
    for (const [index, { point, refused }] of deaths.entries()) {
      expect(await send(node, refused, point)).to.deep.equal({ kind: 'open', why: 'broken' });
      await node.diedAtPoint();
      // The next node dies at the next point, which no repeat of this call reaches.
      node = await start(deaths[index + 1]?.point);
      expect(await records(), point).to.equal(index + 1);
      expect(await send(node, refused, point), point).to.deep.equal({ kind: 'open', why: 'in progress' });
      await db.run('UPDATE svc_idempotency SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE lease_until IS NOT NULL');
      const repeat = await send(node, refused, point);
      const result = repeat.kind === 'answered' ? readAnswer(repeat.text).result : undefined;
      expect(result, point).to.deep.equal({ state: refused ? 'refused' : 'queued' });
      expect(await records(), point).to.equal(index + 1);
    }
  });
});
