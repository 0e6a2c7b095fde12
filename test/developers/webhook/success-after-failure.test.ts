import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { eventually } from '#test/support/eventually.js';
import { days, minutes } from '#test/support/clock.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('A delivery that succeeds after another of its endpoint failed', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('ends the failing, also if it began before: a single later failure does not disable the endpoint', async () => {
    const receiver = await receiverOf();
    const gate = createGate();
    gate.close();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    // The one that begins first waits for its answer while the other one fails.
    receiver.answer = ({ body }, response) => {
      if (body.includes('Slow')) void gate.pass().then(() => response.writeHead(204).end());
      else response.writeHead(500).end();
    };
    await rename(svcTest, 'Slow');
    await receiver.waitFor(1);
    await rename(svcTest, 'Failing');
    await eventually(async () => (await deliveriesOf(svcTest, endpointId, 'failed')).length === 1, 'the failure');
    const healthOf = async (): Promise<string | null> =>
      (await svcTest.call('developers.webhook.get', { endpointId })).health.failingSince;
    expect(await healthOf()).not.to.equal(null);
    platform.clock.advance(1_000);
    gate.open();
    await eventually(async () => (await deliveriesOf(svcTest, endpointId, 'delivered')).length === 1, 'the success');
    expect(await healthOf()).to.equal(null);
    expect(await platform.count('developers_webhook', 'failing_since IS NOT NULL')).to.equal(0);
  });

  it('counts although a call held the row of the endpoint when it was recorded', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const get = async (): Promise<{ status: string; failingSince: string | null }> => {
      const { endpoint, health } = await svcTest.call('developers.webhook.get', { endpointId });
      return { status: endpoint.status, failingSince: health.failingSince };
    };
    await rename(svcTest, 'Failing');
    await quiet(platform);
    expect((await get()).failingSince).not.to.equal(null);
    platform.clock.advance(minutes(1) - 1);
    receiver.answer = answering(204);
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.rows('SELECT id FROM developers_webhook WHERE id = ? FOR UPDATE', [idBytes(endpointId)]);
      await rename(svcTest, 'Well');
      await eventually(async () => (await deliveriesOf(svcTest, endpointId, 'delivered')).length === 1, 'the success');
    });
    expect(await get()).to.deep.equal({ status: 'enabled', failingSince: null });
    // The retry of the first event and a new one, days later.
    platform.clock.advance(days(6));
    receiver.answer = answering(500);
    await rename(svcTest, 'Failing again');
    await quiet(platform);
    const { status, failingSince } = await get();
    expect({ status, failingSince }).to.deep.equal({
      status: 'enabled',
      failingSince: platform.clock.now().toISOString(),
    });
  });

  it('a single failure does not disable an endpoint, however long its row says that it has been failing', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const since = new Date(platform.clock.now().getTime() - days(9));
    await platform.running.services.database.run('UPDATE developers_webhook SET failing_since = ? WHERE id = ?', [
      since,
      idBytes(endpointId),
    ]);
    await rename(svcTest, 'Failing');
    await quiet(platform);
    expect((await deliveriesOf(svcTest, endpointId, 'failed')).length).to.equal(1);
    expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint.status).to.equal('enabled');
  });
});
