import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, rename, useReceivers, quiet } from './support.js';

const url = 'https://127.0.0.1:1/svc';

describe('developers.webhook.enable', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('sends all waiting deliveries, oldest first, whether the receiver succeeds or fails', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    // Fail once first: deliveries to a failing endpoint are sent one at a time, so their order can be observed.
    receiver.answer = answering(500);
    await rename(svcTest, 'First');
    await receiver.waitFor(1);
    await quiet(platform);
    await svcTest.call('developers.webhook.disable', { endpointId });
    const names = Array.from({ length: 12 }, (_, index) => `Waiting ${index}`);
    for (const name of names) {
      await rename(svcTest, name);
      platform.clock.advance(1);
    }
    await quiet(platform);
    await svcTest.call('developers.webhook.enable', { endpointId });
    await receiver.waitFor(13);
    await quiet(platform);
    const ids = receiver.received.slice(1).map(({ event }) => event.id);
    expect(ids).to.have.length(12);
    expect(ids).to.deep.equal([...ids].sort());
  });

  it('keeps the order of what was already claimed when the endpoint was disabled', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    receiver.answer = answering(500);
    await rename(svcTest, 'First');
    await receiver.waitFor(1);
    await quiet(platform);
    const held: (() => void)[] = [];
    receiver.answer = (_, response) => void held.push(() => response.writeHead(500).end());
    // More than one claim: 64 rows are leased behind the hanging delivery, the others stay queued.
    await Promise.all(Array.from({ length: 80 }, (_, index) => rename(svcTest, `Claimed ${index}`)));
    await receiver.waitFor(2);
    await svcTest.call('developers.webhook.disable', { endpointId });
    platform.clock.advance(minutes(1) - 1);
    receiver.answer = answering(500);
    held.forEach((end) => end());
    await quiet(platform);
    expect(receiver.received).to.have.length(2);
    await svcTest.call('developers.webhook.enable', { endpointId });
    await receiver.waitFor(81);
    await quiet(platform);
    const ids = receiver.received.slice(2).map(({ event }) => event.id);
    expect(ids).to.deep.equal([...ids].sort());
  });

  it('writes one event; a repeat succeeds and writes only an audit record', async () => {
    const account = await platform.account();
    const { endpoint } = await account.svc.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    const idle = await account.svc.envelope('developers.webhook.enable', { endpointId });
    expect(idle.result).to.deep.equal({ endpoint });
    await account.svc.call('developers.webhook.disable', { endpointId });
    platform.clock.advance(minutes(1));
    const { activityId, result } = await account.svc.envelope('developers.webhook.enable', { endpointId });
    expect(result.endpoint).to.deep.equal({ ...endpoint, updatedAt: platform.clock.now().toISOString() });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'developers.webhook.enable',
      subjectId: endpointId,
      changes: [{ field: 'status', from: 'disabled', to: 'enabled' }],
    });
    const events = await platform.events(account.live);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'developers.webhook.created',
      'developers.webhook.disabled',
      'developers.webhook.enabled',
    ]);
    expect(events.at(-1)).to.deep.include({ subjectId: endpointId, activityId, data: result });
    const again = await account.svc.envelope('developers.webhook.enable', { endpointId });
    expect(again.result).to.deep.equal(result);
    expect(again.activityId).not.to.equal(activityId);
    expect(await auditOf(platform, again.activityId)).to.deep.include({ changes: [] });
    expect(await platform.events(account.live)).to.deep.equal(events);
    expect(await deliveriesOf(account.svc, endpointId, 'dead')).to.deep.equal([]);
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const { svc, svcTest } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    await svc.call('developers.webhook.disable', { endpointId });
    const ofNobody = await svcTest.refusal('developers.webhook.enable', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    expect(refusalBody(await svcTest.refusal('developers.webhook.enable', { endpointId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
    expect((await svc.call('developers.webhook.get', { endpointId })).endpoint.status).to.equal('disabled');
  });
});
