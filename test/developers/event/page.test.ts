import { expect } from 'chai';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { eventPage } from '#plugins/developers/events/page.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform } from '#test/support/platform.js';

describe('A page of the event log', () => {
  const platform = usePlatform();

  it('filtered by subject or types reads few more rows than it returns, however long the log is', async () => {
    const { live } = await platform.account();
    const [rare, common] = [newId(), newId()];
    await platform.running.services.database.transaction(async (db) => {
      await db.run(
        insertInto(
          'svc_event',
          Array.from({ length: 3_000 }, (_, index) => ({
            id: idBytes(newId()),
            environment_id: idBytes(live.id),
            type: Buffer.from('email.sent'),
            subject_type: Buffer.from('message'),
            subject_id: Buffer.from(index === 0 ? rare : common),
            data: '{}',
            position: index + 1,
            created_at: platform.clock.now(),
          })),
        ),
      );
      for (const [subjectId, found] of [
        [rare, 1],
        [common, 11],
        [newId(), 0],
      ] as const) {
        for (const types of [[], ['email.sent']]) {
          const reads = await handlerReads(db);
          expect((await eventPage(db, live, { subjectId, types }, 11)).rows).to.have.length(found);
          expect((await handlerReads(db)) - reads).to.be.lessThan(200);
        }
      }
      const reads = await handlerReads(db);
      const types = ['account.updated', 'email.failed', 'email.sent'];
      expect((await eventPage(db, live, { types }, 11)).rows).to.have.length(11);
      expect((await handlerReads(db)) - reads).to.be.lessThan(200);
    });
  });
});
