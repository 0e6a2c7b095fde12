import { expect } from 'chai';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { newId } from '#core/runtime/id.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { attemptLeased } from '#plugins/developers/operations/webhook/test.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, endpointAt, isSignedWith, rename, signatureOf, useReceivers, quiet } from '../support.js';

describe('developers.webhook.secret.rotate', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('creates a new secret and changes nothing else, with one event and one audit record', async () => {
    const account = await platform.account();
    const made = await account.svc.call('developers.webhook.create', {
      url: 'https://127.0.0.1:1/',
      eventTypes: ['account.*'],
    });
    const { endpointId } = made.endpoint;
    platform.clock.advance(minutes(1));
    const { activityId, result } = await account.svc.envelope('developers.webhook.secret.rotate', { endpointId });
    expect(result.secret)
      .to.match(/^svc_wh_[A-Za-z0-9]{43}$/)
      .and.not.equal(made.secret);
    expect(result.endpoint).to.deep.equal({ ...made.endpoint, updatedAt: platform.clock.now().toISOString() });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'developers.webhook.secret.rotate',
      subjectId: endpointId,
      changes: [{ field: 'secret', from: '(withheld)', to: '(withheld)' }],
    });
    const events = await platform.events(account.live);
    expect(events.slice(1)).to.deep.equal([
      {
        type: 'developers.webhook.secret_rotated',
        subjectId: endpointId,
        activityId,
        data: { endpoint: result.endpoint },
      },
    ]);
  });

  it('signs queued deliveries and retries with the new secret only', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId, secret: old } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Retried');
    await receiver.waitFor(1);
    await quiet(platform);
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'Queued');
    await quiet(platform);
    const { secret } = await svcTest.call('developers.webhook.secret.rotate', { endpointId });
    receiver.answer = answering(204);
    platform.clock.advance(minutes(1));
    await svcTest.call('developers.webhook.enable', { endpointId });
    await receiver.waitFor(3);
    await quiet(platform);
    const [first, ...later] = receiver.received;
    expect(first && isSignedWith(old, first)).to.equal(true);
    expect(later).to.have.length(2);
    for (const each of later) {
      expect([isSignedWith(secret, each), isSignedWith(old, each)]).to.deep.equal([true, false]);
      expect(signatureOf(each.headers).t).to.equal(`${Math.floor(platform.clock.now().getTime() / 1000)}`);
    }
  });

  it('holds from its answer on, also for a delivery that a slow node has read before', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const { delivery } = await svcTest.call('developers.webhook.test', { endpointId });
    const { services } = platform.running;
    const gate = createGate();
    gate.close();
    const slow: WorkerServices = {
      ...services,
      database: {
        ...services.database,
        async rows<T extends object>(sql: string, parameters?: readonly SqlValue[]) {
          const rows = await services.database.rows<T>(sql, parameters);
          await gate.pass();
          return rows;
        },
      },
    };
    const sending = attemptLeased(slow, delivery.deliveryId);
    await gate.reached(1);
    const { secret } = await svcTest.call('developers.webhook.secret.rotate', { endpointId });
    gate.open();
    await sending;
    const [, sent] = await receiver.waitFor(2);
    expect(sent && isSignedWith(secret, sent)).to.equal(true);
  });

  it('signs with the new secret whichever letters the id was written in', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const { secret } = await svcTest.call('developers.webhook.secret.rotate', { endpointId: endpointId.toUpperCase() });
    await rename(svcTest, 'Renamed');
    await receiver.waitFor(1);
    const [delivered] = receiver.received;
    expect(delivered && isSignedWith(secret, delivered)).to.equal(true);
  });

  it('creates another secret at every call, and returns it again to a repeat with the same Idempotency-Key', async () => {
    const { svc } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', { url: 'https://127.0.0.1:1/' });
    const input = { endpointId: endpoint.endpointId };
    const idempotencyKey = newId();
    const first = await svc.call('developers.webhook.secret.rotate', input, { idempotencyKey });
    expect(await svc.call('developers.webhook.secret.rotate', input, { idempotencyKey })).to.deep.equal(first);
    expect((await svc.call('developers.webhook.secret.rotate', input)).secret).not.to.equal(first.secret);
  });

  it('also rotates the secret of a disabled endpoint, which stays disabled', async () => {
    const { svc } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', { url: 'https://127.0.0.1:1/' });
    const { endpointId } = endpoint;
    await svc.call('developers.webhook.disable', { endpointId });
    expect((await svc.call('developers.webhook.secret.rotate', { endpointId })).endpoint.status).to.equal('disabled');
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const receiver = await receiverOf();
    const { svc, svcTest } = await platform.account();
    const { endpointId, secret } = await endpointAt(svcTest, receiver);
    const ofNobody = await svc.refusal('developers.webhook.secret.rotate', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    expect(refusalBody(await svc.refusal('developers.webhook.secret.rotate', { endpointId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
    await rename(svcTest, 'Still signed with the first');
    const [webhook] = await receiver.waitFor(1);
    expect(webhook && isSignedWith(secret, webhook)).to.equal(true);
  });
});
