import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { emitAnything } from '#test/support/emit.js';
import { coreSettings } from '#config/core.js';
import { readSettings } from '#config/read.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { erasure } from '#core/kernel/ports.js';
import { openServices } from '#core/platform/open.js';
import { newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { createTestDatabase } from '#test/support/database.js';
import { searchDatabase } from '#test/support/search-database.js';
import { startNode, type NodeProcess } from './support/node.js';

/** Crash points, one for each node in turn. The third step is in the middle of the thousand events. */
const points = ['erasure.step.after:3', 'work.claimed:1', 'erasure.finish.before:1', 'erasure.finish.after:1'];

describe('An erasure whose node is killed', function () {
  this.timeout(120_000);
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('continues where it stopped, at each crash point, and completes once', async () => {
    const { url, drop } = await createTestDatabase();
    closes.push(drop);
    const stateDir = await mkdtemp(join(tmpdir(), 'svc-erasure-'));
    closes.push(() => rm(stateDir, { recursive: true, force: true }));
    const rootKey = randomBytes(32);
    const given = {
      SVC_PORT: '0',
      SVC_STATE_DIR: stateDir,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: rootKey.toString('base64'),
      SVC_LOG_LEVEL: 'warn',
    };
    const plugins = await findPlugins();
    const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
    const settings = readSettings(coreSettings, groups, given);
    const { services, firstRun, close } = await openServices(
      { settings, plugins, databaseUrl: url, rootKey, log: silentLog },
      () => undefined,
    );
    closes.push(close);
    const { database, transaction } = services;
    const [environment] = await liveEnvironments(database, firstRun?.accountId ?? '');
    if (!environment) throw new Error('The first start did not open an account.');

    const personId = newId();
    const name = `ada${randomBytes(6).toString('hex')}`;
    await transaction('Test', async ({ actIn, emit, audit, use }) => {
      actIn(environment);
      audit({ operation: 'lab.add', summary: `Wrote down ${name}.`, personId });
      for (let index = 0; index < 1_000; index += 1)
        emitAnything({ emit }, 'account.updated', { subjectId: `${index}`, personId, data: { name } });
      await use(erasure).request({ environment, personId, email: `${name}@example.com`, phone: null });
    });
    // As if it had been requested an hour ago, so that the test need not wait for the final check.
    await database.run('UPDATE svc_erasure SET requested_at = requested_at - INTERVAL 1 HOUR');

    const left = async (table: string): Promise<number> => (await database.rows(`SELECT id FROM ${table}`)).length;
    const start = async (fault?: string): Promise<NodeProcess> => {
      const node = await startNode({ ...given, ...(fault === undefined ? {} : { SVC_FAULT: fault }) });
      closes.push(() => node.kill());
      return node;
    };
    // The work becomes due only once the node is up. Leases of a dead node are released at once instead of after half a minute.
    const due = (when: string): Promise<unknown> =>
      database.run(
        `UPDATE svc_erasure_queue SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = NOW(3) ${when}`,
      );
    for (const fault of points) {
      await due('+ INTERVAL 1 HOUR');
      const node = await start(fault);
      await due('- INTERVAL 1 SECOND');
      await node.diedAtPoint();
      const ended = fault.startsWith('erasure.finish.after');
      expect(await left('svc_erasure'), fault).to.equal(ended ? 0 : 1);
      expect(await left('svc_erasure_queue'), fault).to.equal(ended ? 0 : 1);
      expect((await searchDatabase(database, name)).length > 0, fault).to.equal(!fault.startsWith('erasure.finish'));
    }
    expect(await searchDatabase(database, name)).to.deep.equal([]);
    const redacted = await database.rows(`SELECT id FROM svc_event WHERE data = '{"erased":true}'`);
    expect(redacted).to.have.length(1_000);
  });
});
