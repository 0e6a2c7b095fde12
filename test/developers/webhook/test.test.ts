import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, endpointAt, isSignedWith, typesOf, useReceivers, written, quiet } from './support.js';

describe('developers.webhook.test', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('sends a signed event to that endpoint only, whatever its filter, and returns the outcome', async () => {
    const [receiver, everything] = [await receiverOf(), await receiverOf()];
    const account = await platform.account();
    const { svcTest } = account;
    await endpointAt(svcTest, everything, []);
    const { endpointId, secret } = await endpointAt(svcTest, receiver, ['account.theme.draft_saved']);
    await quiet(platform);
    const known = typesOf(everything);
    const { activityId, result } = await svcTest.envelope('developers.webhook.test', { endpointId });
    expect(result.delivery).to.deep.include({
      endpointId,
      eventType: 'developers.webhook.test',
      status: 'delivered',
      attempt: 1,
      responseStatus: 204,
      error: null,
    });
    await quiet(platform);
    expect(typesOf(receiver)).to.deep.equal(['developers.webhook.test']);
    expect(typesOf(everything)).to.deep.equal(known);
    const [webhook] = receiver.received;
    expect(webhook && isSignedWith(secret, webhook)).to.equal(true);
    expect(webhook?.headers['svc-delivery-id']).to.equal(result.delivery.deliveryId);
    expect(webhook?.event).to.deep.include({ id: result.delivery.eventId, activityId });
    expect(webhook?.event.data).to.deep.nested.include({ 'endpoint.endpointId': endpointId, sample: null });
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.webhook.test',
      subjectId: endpointId,
      summary: `Sent a test event to ${receiver.url}.`,
    });
    const [event] = (await platform.events(account.test)).slice(-1);
    expect(event).to.include({ type: 'developers.webhook.test', subjectId: endpointId, activityId });
  });

  it('includes a sample of any event type', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const { events } = platform.running.services.deployment;
    for (const [eventType, { data }] of events) {
      await svcTest.call('developers.webhook.test', { endpointId, eventType });
      const sample: unknown = receiver.received.at(-1)?.event.data['sample'];
      expect(sample).to.deep.include({ type: eventType });
      const properties: unknown = data['properties'];
      const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
      const shown: unknown = typeof sample === 'object' && sample !== null ? Reflect.get(sample, 'data') : undefined;
      const required: unknown = data['required'];
      expect(shown, eventType)
        .to.be.an('object')
        .that.includes.all.keys(Array.isArray(required) ? required : []);
      expect(fields, eventType).to.include.members(Object.keys(shown ?? {}));
    }
  });

  it('makes one attempt, which does not count towards the endpoint’s health', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const { delivery } = await svcTest.call('developers.webhook.test', { endpointId });
    expect(delivery).to.include({ status: 'failed', error: 'answered 500', nextAttemptAt: null });
    platform.clock.advance(days(6));
    await svcTest.call('developers.webhook.test', { endpointId });
    await quiet(platform);
    expect(receiver.received).to.have.length(2);
    const { endpoint, health } = await svcTest.call('developers.webhook.get', { endpointId });
    expect(endpoint.status).to.equal('enabled');
    expect(health).to.include({ delivered: 0, failed: 0, dead: 0, queued: 0, lastFailedAt: null });
  });

  it('returns the same outcome to a repeat with the same Idempotency-Key, and sends nothing more', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const idempotencyKey = newId();
    const first = await svcTest.call('developers.webhook.test', { endpointId }, { idempotencyKey });
    expect(await svcTest.call('developers.webhook.test', { endpointId }, { idempotencyKey })).to.deep.equal(first);
    await quiet(platform);
    expect(receiver.received).to.have.length(1);
  });

  it('refuses a disabled endpoint, an unknown event type and an unknown endpoint, and sends nothing', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { svc, svcTest } = account;
    const { endpointId } = await endpointAt(svcTest, receiver);
    await quiet(platform);
    const before = await written(platform, account);
    const unknown = await svcTest.refusal('developers.webhook.test', { endpointId, eventType: 'account.update' });
    expect(unknown).to.include({ code: 'unknown_event_type', status: 404 });
    expect(unknown.fix).to.contain('Did you mean account.updated?');
    const every = await svcTest.refusal('developers.webhook.test', { endpointId, eventType: 'account.*' });
    expect(every.code, 'a sample is of one event').to.equal('unknown_event_type');
    expect(every.fix)
      .to.match(/^Name the events instead: account\./)
      .and.not.to.contain('wildcard');
    const ofNobody = await svc.refusal('developers.webhook.test', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    expect(refusalBody(await svc.refusal('developers.webhook.test', { endpointId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
    expect(await written(platform, account)).to.deep.equal(before);
    await svcTest.call('developers.webhook.disable', { endpointId });
    const disabled = await svcTest.refusal('developers.webhook.test', { endpointId });
    expect(disabled).to.include({ code: 'endpoint_disabled', status: 409 });
    expect(disabled.fix).to.contain('developers.webhook.enable');
    await quiet(platform);
    expect(receiver.received).to.deep.equal([]);
  });
});
