import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { activityPage } from '#plugins/account/rules/activity/page.js';
import { usePlatform } from '#test/support/platform.js';

/** Rows of an environment's log, as many as it takes to tell a page from a walk. */
async function fill(
  db: Session,
  environment: Environment,
  rows: number,
  accountWide: boolean,
  at: Date,
): Promise<void> {
  const { sql, parameters } = insertInto(
    'svc_activity',
    Array.from({ length: rows }, () => ({
      id: idBytes(newId()),
      environment_id: idBytes(environment.id),
      account_id: idBytes(environment.accountId),
      account_wide: accountWide ? 1 : 0,
      operation: Buffer.from('email.send'),
      actor_kind: Buffer.from('key'),
      actor_id: Buffer.from('k'),
      actor_label: 'k',
      summary: 's',
      changes: '[]',
      request_id: idBytes(newId()),
      ip: '',
      created_at: at,
    })),
  );
  await db.run(sql, parameters);
}

const handlerReads = async (db: Session): Promise<number> =>
  (await db.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'")).reduce(
    (sum, { Value }) => sum + Number(Value),
    0,
  );

describe('A page of the audit log', () => {
  const platform = usePlatform();

  it('reads little more than it shows, however long the log is', async () => {
    const { live, test } = await platform.account();
    const { services } = platform.running;
    const { session, release } = await services.database.lease();
    try {
      const at = platform.clock.now();
      await fill(session, test, 3_000, true, at);
      await fill(session, live, 3_000, false, at);
      await fill(session, test, 3_000, false, at);
      const [{ id: middle } = { id: Buffer.alloc(16) }] = await session.rows<{ id: Buffer }>(
        'SELECT id FROM svc_activity WHERE environment_id = ? ORDER BY id LIMIT 1 OFFSET 1500',
        [idBytes(live.id)],
      );
      const hex = middle.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const filter of [{}, { before: hex }, { operation: 'email.send' }, { until: at.toISOString() }]) {
        const before = await handlerReads(session);
        const rows = await activityPage(session, live, filter, 11, at);
        expect(rows, JSON.stringify(filter)).to.have.length(11);
        expect((await handlerReads(session)) - before, JSON.stringify(filter)).to.be.lessThan(200);
      }
    } finally {
      await release();
    }
  });

  it('reads nothing of what lies outside of the span asked for', async () => {
    const { live } = await platform.account();
    const { session, release } = await platform.running.services.database.lease();
    try {
      const now = platform.clock.now();
      await fill(session, live, 3_000, false, now);
      const weekAgo = new Date(now.getTime() - 7 * 86_400_000).toISOString();
      const before = await handlerReads(session);
      expect(await activityPage(session, live, { until: weekAgo }, 11, now)).to.deep.equal([]);
      const nextWeek = new Date(now.getTime() + 7 * 86_400_000).toISOString();
      expect(await activityPage(session, live, { since: nextWeek }, 11, now)).to.deep.equal([]);
      expect((await handlerReads(session)) - before).to.be.lessThan(200);
    } finally {
      await release();
    }
  });
});
