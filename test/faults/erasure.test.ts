import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { emitAnything } from '#test/support/emit.js';
import { searchDatabase } from '#test/support/search-database.js';
import { openBackgroundWork, type BackgroundWork } from './support/background-work.js';

/** Crash points, one for each node in turn. The third step is in the middle of the thousand events. */
const points = ['erasure.step.after:3', 'work.claimed:1', 'erasure.finish.before:1', 'erasure.finish.after:1'];

describe('An erasure whose node is killed', function () {
  this.timeout(120_000);
  let work: BackgroundWork | undefined;
  after(() => work?.close());

  it('continues where it stopped, at each crash point, and completes once', async () => {
    work = await openBackgroundWork('svc_erasure_queue');
    const { services, environment, start, rowsOf } = work;
    const { database, transaction } = services;
    const personId = newId();
    const name = `ada${randomBytes(6).toString('hex')}`;
    await transaction('Test', async ({ actIn, emit, audit, use }) => {
      actIn(environment);
      audit({ operation: 'lab.add', summary: `Wrote down ${name}.`, personId });
      for (let index = 0; index < 1_000; index += 1)
        emitAnything({ emit }, 'account.updated', { subjectId: `${index}`, personId, data: { name } });
      await use(erasure).request({ environment, personId, email: `${name}@example.com`, phone: null });
    });
    // As if it had been requested an hour ago, so that the test does not have to wait for the final check.
    await database.run('UPDATE svc_erasure SET requested_at = requested_at - INTERVAL 1 HOUR');

    for (const fault of points) {
      const node = await start(fault);
      await node.diedAtPoint();
      const ended = fault.startsWith('erasure.finish.after');
      expect(await rowsOf('svc_erasure'), fault).to.equal(ended ? 0 : 1);
      expect(await rowsOf('svc_erasure_queue'), fault).to.equal(ended ? 0 : 1);
      expect((await searchDatabase(database, name)).length > 0, fault).to.equal(!fault.startsWith('erasure.finish'));
    }
    expect(await searchDatabase(database, name)).to.deep.equal([]);
    const redacted = await database.rows(`SELECT id FROM svc_event WHERE data = '{"erased":true}'`);
    expect(redacted).to.have.length(1_000);
  });
});
