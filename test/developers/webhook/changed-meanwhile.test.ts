import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { days } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('An endpoint that is changed while attempts run', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('stays enabled if an attempt from before it was enabled ends with 410', async () => {
    const receiver = await receiverOf();
    const gate = createGate();
    gate.close();
    receiver.answer = (_, response) => void gate.pass().then(() => response.writeHead(410).end());
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Moving');
    await receiver.waitFor(1);
    platform.clock.advance(1_000);
    await svcTest.call('developers.webhook.disable', { endpointId });
    platform.clock.advance(1_000);
    await svcTest.call('developers.webhook.enable', { endpointId });
    gate.open();
    await eventually(async () => (await deliveriesOf(svcTest, endpointId, 'dead')).length === 1, 'the answer 410');
    const statusOf = async (): Promise<string> =>
      (await svcTest.call('developers.webhook.get', { endpointId })).endpoint.status;
    expect(await statusOf()).to.equal('enabled');
    // The next answer of that kind counts.
    receiver.answer = answering(410);
    await rename(svcTest, 'Moved');
    await eventually(async () => (await statusOf()) === 'disabled', 'the endpoint is disabled');
  });

  it('begins its five days again at another address', async () => {
    const [old, next] = [await receiverOf(), await receiverOf()];
    old.answer = answering(500);
    next.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, old);
    for (const name of ['One', 'Two', 'Three']) await rename(svcTest, name);
    await eventually(async () => (await deliveriesOf(svcTest, endpointId, 'failed')).length === 3, 'three failures');
    await platform.running.services.database.run('UPDATE developers_webhook SET failing_since = ? WHERE id = ?', [
      new Date(platform.clock.now().getTime() - days(6)),
      idBytes(endpointId),
    ]);
    await svcTest.call('developers.webhook.update', { endpointId, url: next.url });
    await rename(svcTest, 'Four');
    await quiet(platform);
    expect(next.received).to.have.length(1);
    expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint.status).to.equal('enabled');
  });
});
