import { expect } from 'chai';
import { emitAnything } from '#test/support/emit.js';
import { newId } from '#core/runtime/id.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('The fan-out of events', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /** Writes an event and keeps its transaction open until the gate opens. */
  const slowly = ({ test, accountId }: TestAccount, gate: ReturnType<typeof createGate>): Promise<string> =>
    platform.running.services.transaction('Test', async ({ actIn, emit, db }) => {
      actIn(test);
      const id = emitAnything({ emit }, 'account.theme.draft_saved', {
        subjectId: accountId,
        data: { order: 'began first' },
      });
      await db.rows('SELECT 1 AS one');
      await gate.pass();
      return id;
    });

  it('misses no event, even one that commits after an event with a higher id', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    await endpointAt(account.svcTest, receiver);
    const gate = createGate();
    gate.close();
    const early = slowly(account, gate);
    await gate.reached(1);
    await rename(account.svcTest, 'Began second');
    const [second] = await receiver.waitFor(1);
    await quiet(platform);
    gate.open();
    const id = await early;
    await receiver.waitFor(2);
    await quiet(platform);
    expect(receiver.received.map(({ event }) => event.id)).to.deep.equal([second?.event.id, id]);
    expect(id < (second?.event.id ?? '')).to.equal(true);
  });

  it('reads endpoints once per batch: 2,000 events for 3 endpoints create 6,000 deliveries', async () => {
    const receiver = await receiverOf();
    const { svcTest, test, accountId } = await platform.account();
    const endpoints = [];
    for (let index = 0; index < 3; index++) endpoints.push(await endpointAt(svcTest, receiver));
    for (const { endpointId } of endpoints) await svcTest.call('developers.webhook.disable', { endpointId });
    await quiet(platform);
    const { database } = platform.running.services;
    const before = await platform.count('developers_delivery');
    const id = (text: string): Buffer => Buffer.from(text.replaceAll('-', ''), 'hex');
    const rows = Array.from({ length: 2_000 }, () => [
      id(newId()),
      id(test.id),
      Buffer.from('account.theme.draft_saved'),
      Buffer.from('account'),
      Buffer.from(accountId),
      '{}',
      1,
      platform.clock.now(),
    ]);
    const [from] = await database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Com_select'");
    await database.run(
      `INSERT INTO svc_event (id, environment_id, type, subject_type, subject_id, data, pending, created_at)
       VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      rows.flat(),
    );
    await quiet(platform);
    const [to] = await database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Com_select'");
    expect((await platform.count('developers_delivery')) - before).to.equal(6_000);
    // The limit allows for polls of idle workers; one read per event or delivery would be thousands.
    expect(Number(to?.Value) - Number(from?.Value)).to.be.below(1_000);
    for (const { endpointId } of endpoints) {
      const [newest] = await deliveriesOf(svcTest, endpointId, 'queued');
      expect(newest?.eventType).to.equal('account.theme.draft_saved');
    }
  });

  it('handles each event once per endpoint, with calls on two nodes that share a database', async () => {
    const [one, two] = [await receiverOf(), await receiverOf()];
    const { svcTest, keys } = await platform.account();
    const endpoints = [await endpointAt(svcTest, one), await endpointAt(svcTest, two)];
    const node = await platform.secondNode();
    const other = node.as(keys.test.secret);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => rename(index % 2 === 0 ? svcTest : other, `Renamed ${index}`)),
    );
    await one.waitFor(60);
    await two.waitFor(60);
    await quiet(platform);
    await Promise.all(node.running.workers.map((worker) => worker.idle()));
    await quiet(platform);
    for (const [index, receiver] of [one, two].entries()) {
      const ids = receiver.received.map(({ event }) => event.id);
      expect([ids.length, new Set(ids).size]).to.deep.equal([60, 60]);
      const { health } = await svcTest.call('developers.webhook.get', {
        endpointId: endpoints[index]?.endpointId ?? '',
      });
      expect(health).to.include({ delivered: 60, failed: 0, queued: 0 });
    }
  });
});
