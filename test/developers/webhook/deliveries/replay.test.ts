import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { auditOf, keyOf, refusalBody } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { fillTable } from '#test/support/many-rows.js';
import { usePlatform } from '#test/support/platform.js';
import type { Api } from '#test/support/api.js';
import { itNeeding } from '#test/support/products.js';
import type { WebhookReceiver } from '#test/support/webhook-receiver.js';
import { answering, deliveriesOf, endpointAt, rename, untilDead, useReceivers, quiet } from '../support.js';

describe('developers.webhook.deliveries.replay', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /**
   * An endpoint with three dead deliveries: account.theme.draft_saved, account.theme.reset two hours later,
   * account.theme.draft_saved again.
   */
  async function withDead(api: Api, receiver: WebhookReceiver): Promise<{ endpointId: string; since: string }> {
    receiver.answer = answering(500);
    const { endpointId } = await endpointAt(api, receiver, ['account.theme.draft_saved', 'account.theme.reset']);
    await rename(api, `First ${endpointId}`);
    await receiver.waitFor(1);
    await quiet(platform);
    platform.clock.advance(hours(2));
    const since = platform.clock.now().toISOString();
    await rename(api, `Second ${endpointId}`);
    await quiet(platform);
    platform.clock.advance(1);
    await rename(api, `Third ${endpointId}`);
    await untilDead(platform);
    await untilDead(platform);
    expect(await deliveriesOf(api, endpointId, 'dead')).to.have.length(3);
    receiver.answer = answering(204);
    receiver.received.splice(0);
    return { endpointId, since };
  }

  it('sends only dead deliveries, once each, oldest first, with one event and one audit record', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId } = await withDead(svcTest, receiver);
    const dead = (await deliveriesOf(svcTest, endpointId, 'dead')).reverse();
    const failed = await deliveriesOf(svcTest, endpointId, 'failed');
    const { activityId, result } = await svcTest.envelope('developers.webhook.deliveries.replay', { endpointId });
    expect(result).to.deep.equal({ replayed: 3 });
    await receiver.waitFor(3);
    await quiet(platform);
    const again = (await deliveriesOf(svcTest, endpointId, 'delivered')).reverse();
    expect(again.map(({ replayOf }) => replayOf)).to.deep.equal(dead.map(({ deliveryId }) => deliveryId));
    const events = receiver.received.map(({ event }) => event.id);
    expect(events).to.have.members(dead.map(({ eventId }) => eventId));
    expect(dead.map(({ eventId }) => eventId)).to.deep.equal([...events].sort());
    expect(await deliveriesOf(svcTest, endpointId, 'failed')).to.deep.equal(failed);
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.webhook.deliveries.replay',
      subjectId: endpointId,
      summary: `Replayed 3 dead deliveries to ${receiver.url}.`,
    });
    const written = (await platform.events(account.test)).filter((event) => event.activityId === activityId);
    const { endpoint } = await svcTest.call('developers.webhook.get', { endpointId });
    expect(written).to.deep.equal([
      { type: 'developers.webhook.dead_replayed', subjectId: endpointId, activityId, data: { endpoint, replayed: 3 } },
    ]);

    const repeat = await svcTest.envelope('developers.webhook.deliveries.replay', { endpointId });
    expect(repeat.result).to.deep.equal({ replayed: 0 });
    expect(await auditOf(platform, repeat.activityId)).to.include({ subjectId: endpointId });
    await quiet(platform);
    expect(receiver.received).to.have.length(3);
    const events2 = (await platform.events(account.test)).filter((event) => event.activityId === repeat.activityId);
    expect(events2).to.deep.equal([]);
  });

  it('sends nothing twice under concurrent calls, and sends again what died again', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await withDead(svcTest, receiver);
    receiver.answer = answering(500);
    const racers = await Promise.all(
      Array.from({ length: 6 }, () => svcTest.call('developers.webhook.deliveries.replay', { endpointId })),
    );
    expect(racers.map(({ replayed }) => replayed).sort()).to.deep.equal([0, 0, 0, 0, 0, 3]);
    await untilDead(platform);
    expect(await deliveriesOf(svcTest, endpointId, 'dead')).to.have.length(6);
    expect(await svcTest.call('developers.webhook.deliveries.replay', { endpointId })).to.deep.equal({ replayed: 3 });
  });

  it('replays at most 10,000 in one call, the oldest first, and the rest in the next', async () => {
    const { svcTest, test } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, await receiverOf());
    const { database } = platform.running.services;
    await fillTable(database, 'developers_delivery', {
      count: 10_003,
      owner: { environment_id: idBytes(test.id) },
      values: { endpoint_id: `UNHEX('${endpointId.replaceAll('-', '')}')`, status: "'dead'", replay_of: 'NULL' },
      at: platform.clock.now(),
    });
    const replay = () => svcTest.call('developers.webhook.deliveries.replay', { endpointId });
    const left = `status = 'dead' AND id NOT IN (SELECT replay_of FROM developers_delivery WHERE replay_of IS NOT NULL)`;
    const dead = await platform.count('developers_delivery', left);
    expect(await replay()).to.deep.equal({ replayed: 10_000 });
    expect(await platform.count('developers_delivery', left)).to.equal(dead - 10_000);
    const { replayed } = await replay();
    expect(replayed).to.be.within(1, dead - 10_000);
    expect(await replay()).to.deep.equal({ replayed: 0 });
  }).timeout(120_000);

  it('leaves out deliveries first due before `since`, even if they died later', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId, since } = await withDead(svcTest, receiver);
    const later = new Date(Date.parse(since) + 2).toISOString();
    const replay = async (from: string): Promise<number> =>
      (await svcTest.call('developers.webhook.deliveries.replay', { endpointId, since: from })).replayed;
    expect([await replay(later), await replay(since), await replay('0000-01-01T00:00:00+12:00')]).to.deep.equal([
      0, 2, 1,
    ]);
  });

  itNeeding('email')('sends only the requested types', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await withDead(svcTest, receiver);
    const replay = async (...eventTypes: string[]): Promise<number> =>
      (await svcTest.call('developers.webhook.deliveries.replay', { endpointId, eventTypes })).replayed;
    expect(await replay('email.*', 'account.theme.published')).to.equal(0);
    expect(await replay('email.sent', 'account.*')).to.equal(3);
    const input = { endpointId, eventTypes: ['account.update'] };
    const refusal = await svcTest.refusal('developers.webhook.deliveries.replay', input);
    expect(refusal).to.include({ code: 'unknown_event_type', status: 404 });
  });

  it('sends nothing for a key that may read no product', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { endpointId } = await withDead(account.svcTest, receiver);
    const permissions = ['developers:write'];
    const writer = await keyOf(platform, account, { role: 'owner', permissions, environment: account.test });
    expect(await writer.call('developers.webhook.deliveries.replay', { endpointId })).to.deep.equal({ replayed: 0 });
    await quiet(platform);
    expect(receiver.received).to.deep.equal([]);
    expect(await account.svcTest.call('developers.webhook.deliveries.replay', { endpointId })).to.deep.equal({
      replayed: 3,
    });
  });

  it('refuses a disabled endpoint, and answers not_found for unknown ids and for those of other environments', async () => {
    const receiver = await receiverOf();
    const { svc, svcTest } = await platform.account();
    const { endpointId } = await withDead(svcTest, receiver);
    const ofNobody = await svc.refusal('developers.webhook.deliveries.replay', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const elsewhere = await svc.refusal('developers.webhook.deliveries.replay', { endpointId });
    expect(refusalBody(elsewhere)).to.deep.equal(refusalBody(ofNobody));
    await svcTest.call('developers.webhook.disable', { endpointId });
    const refusal = await svcTest.refusal('developers.webhook.deliveries.replay', { endpointId });
    expect(refusal).to.include({ code: 'endpoint_disabled', status: 409 });
    await quiet(platform);
    expect(receiver.received).to.deep.equal([]);
  });
});
