import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { activityPage } from '#plugins/account/activities/page.js';
import { days } from '#test/support/clock.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform } from '#test/support/platform.js';

/** Rows of an environment's log, enough to tell an index range from a full scan. */
async function fill(
  db: Session,
  environment: Environment,
  rows: number,
  accountWide: boolean,
  at: Date,
): Promise<void> {
  await db.run(
    insertInto(
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
    ),
  );
}

describe('A page of the audit log', () => {
  const platform = usePlatform();

  it('reads few more rows than it shows, however long the log is', async () => {
    const { live, test } = await platform.account();
    const at = platform.clock.now();
    await platform.running.services.database.transaction(async (db) => {
      await fill(db, test, 3_000, true, at);
      await fill(db, live, 3_000, false, at);
      await fill(db, test, 3_000, false, at);
      const [middle] = await db.rows<{ id: Buffer }>(
        'SELECT id FROM svc_activity WHERE environment_id = ? ORDER BY id LIMIT 1 OFFSET 1500',
        [idBytes(live.id)],
      );
      const before = middle && idText(middle.id);
      for (const filter of [{}, { before }, { operation: 'email.send' }, { until: shift(at, 1).toISOString() }]) {
        const reads = await handlerReads(db);
        expect(
          (await activityPage(db, { kind: 'key', environment: live }, filter, 11, at)).rows,
          JSON.stringify(filter),
        ).to.have.length(11);
        // Two logs, the first hundred of each, whatever the filter.
        expect((await handlerReads(db)) - reads, JSON.stringify(filter)).to.be.lessThan(500);
      }
    });
  });

  it('reads no rows outside of the requested period', async () => {
    const { live } = await platform.account();
    const now = platform.clock.now();
    await platform.running.services.database.transaction(async (db) => {
      await fill(db, live, 3_000, false, now);
      const reads = await handlerReads(db);
      const until = new Date(now.getTime() - days(7)).toISOString();
      expect((await activityPage(db, { kind: 'key', environment: live }, { until }, 11, now)).rows).to.deep.equal([]);
      const since = new Date(now.getTime() + days(7)).toISOString();
      expect((await activityPage(db, { kind: 'key', environment: live }, { since }, 11, now)).rows).to.deep.equal([]);
      expect((await handlerReads(db)) - reads).to.be.lessThan(200);
    });
  });
});
