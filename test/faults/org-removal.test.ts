import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { coreSettings } from '#config/core.js';
import { readSettings } from '#config/read.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { openServices } from '#core/platform/open.js';
import { newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { deleteOrganization } from '#plugins/auth/organizations/pass-on.js';
import { removedPerStep } from '#plugins/auth/organizations/removal.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { startNode, type NodeProcess } from './support/node.js';

describe('The removal of a large organization whose node is killed', function () {
  this.timeout(120_000);
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('continues where it stopped, and completes', async () => {
    const { url, drop } = await createTestDatabase();
    closes.push(drop);
    const stateDir = await mkdtemp(join(tmpdir(), 'svc-org-removal-'));
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
    const { database, transaction, clock } = services;
    const [environment] = await liveEnvironments(database, firstRun?.accountId ?? '');
    if (!environment) throw new Error('The first start did not open an account.');

    const now = clock.now();
    const count = 6 * removedPerStep;
    const organization = {
      ...{ id: newId(), environmentId: environment.id, name: 'Engines', nameKey: 'engines', slug: 'engines' },
      ...{ logoUrl: null, metadata: '{}', requireMfa: false, memberCount: count, createdAt: now, updatedAt: now },
    };
    const members = Array.from({ length: count }, () => ({
      ...{ organizationId: organization.id, userId: newId(), environmentId: environment.id, id: newId() },
      ...{ role: 'member' as const, joinedAt: now },
    }));
    await database.insert(organizations, organization);
    const { sql, parameters } = orgMembers.insertRows(members);
    await database.run(sql, parameters);
    await transaction('Test', async (context) => {
      context.actIn(environment);
      await deleteOrganization(context, environment, organization);
    });
    const left = async (table: string): Promise<number> => (await database.rows(`SELECT 1 FROM ${table}`)).length;
    expect(await left('auth_organization')).to.equal(0);
    expect(await left('auth_org_member')).to.equal(count - removedPerStep);

    // Leases of a dead node are released at once instead of after half a minute.
    const due = (when: string): Promise<unknown> =>
      database.run(
        `UPDATE auth_org_removal_queue SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = NOW(3) ${when}`,
      );
    const start = async (fault?: string): Promise<NodeProcess> => {
      const node = await startNode({ ...given, ...(fault === undefined ? {} : { SVC_FAULT: fault }) });
      closes.push(() => node.kill());
      return node;
    };
    for (const fault of ['auth.org.removal.step:2', 'work.claimed:1']) {
      await due('+ INTERVAL 1 HOUR');
      const node = await start(fault);
      await due('- INTERVAL 1 SECOND');
      await node.diedAtPoint();
      expect(await left('auth_org_member'), fault).to.equal(count - 3 * removedPerStep);
      expect(await left('auth_org_removal_queue'), fault).to.equal(1);
    }
    await due('- INTERVAL 1 SECOND');
    await start();
    await eventually(async () => (await left('auth_org_removal_queue')) === 0, 'the end of the removal', 30_000);
    expect(await left('auth_org_member')).to.equal(0);
  });
});
