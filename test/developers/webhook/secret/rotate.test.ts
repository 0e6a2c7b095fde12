import { expect } from 'chai';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { newId } from '#core/runtime/id.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { forgetSecrets } from '#plugins/developers/webhooks/forget-secrets.js';
import { attemptLeased } from '#plugins/developers/operations/webhook/test.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { verifyWebhook } from '#core/surfaces/sdk/verify-webhook.js';
import type { Api } from '#test/support/api.js';
import type { WebhookReceiver } from '#test/support/webhook-receiver.js';
import {
  answering,
  deliveriesOf,
  endpointAt,
  isSignedWith,
  rename,
  signatureOf,
  useReceivers,
  quiet,
} from '../support.js';

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

  describe('with an overlap', () => {
    const rotate = async (api: Api, endpointId: string, overlapHours: number) =>
      api.call('developers.webhook.secret.rotate', { endpointId, overlapHours });

    /** Which of the secrets the latest delivery is signed with, in the order of its v1 values. */
    const signedWith = (receiver: WebhookReceiver, secrets: Record<string, string>): string[] => {
      const latest = receiver.received.at(-1);
      const [t = '', ...signatures] = String(latest?.headers['svc-signature'])
        .split(/(?:t=|,v1=)/)
        .slice(1);
      return signatures.map((v1) => {
        const headers = { 'svc-signature': `t=${t},v1=${v1}` };
        const found = Object.entries(secrets).find(
          ([, secret]) => latest && isSignedWith(secret, { headers, body: latest.body }),
        );
        return found?.[0] ?? 'unknown';
      });
    };

    it('signs with both secrets, the new one first, until it ends, and then erases the old one', async () => {
      const receiver = await receiverOf();
      const { svcTest, test } = await platform.account();
      const { endpointId, secret: first } = await endpointAt(svcTest, receiver);
      const { result, activityId } = await svcTest.envelope('developers.webhook.secret.rotate', {
        endpointId,
        overlapHours: 24,
      });
      const until = new Date(platform.clock.now().getTime() + 24 * 3_600_000).toISOString();
      expect(result.endpoint.previousSecretUntil).to.equal(until);
      expect((await auditOf(platform, activityId)).changes).to.deep.equal([
        { field: 'secret', from: '(withheld)', to: '(withheld)' },
        { field: 'previousSecretUntil', from: null, to: until },
      ]);
      const secrets = { first, second: result.secret };
      await rename(svcTest, 'Both');
      await receiver.waitFor(1);
      expect(signedWith(receiver, secrets)).to.deep.equal(['second', 'first']);
      for (const secret of Object.values(secrets)) {
        const [webhook] = receiver.received;
        const now = platform.clock.now().getTime();
        verifyWebhook(webhook?.body ?? '', String(webhook?.headers['svc-signature']), secret, { now });
      }
      await quiet(platform);
      const [delivery] = await deliveriesOf(svcTest, endpointId);
      const shown = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery?.deliveryId ?? '' });
      expect(shown.request.headers['Svc-Signature']).to.equal(receiver.received[0]?.headers['svc-signature']);
      const { endpoint } = await svcTest.call('developers.webhook.get', { endpointId });
      expect(endpoint.previousSecretUntil).to.equal(until);
      const { endpoints } = await svcTest.call('developers.webhook.list', {});
      expect(endpoints.map((each) => each.previousSecretUntil)).to.deep.equal([until]);

      platform.clock.advance(24 * 3_600_000);
      await rename(svcTest, 'One');
      await receiver.waitFor(2);
      expect(signedWith(receiver, secrets)).to.deep.equal(['second']);
      expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint.previousSecretUntil).to.equal(
        null,
      );
      for (const job of forgetSecrets(platform.running.services)) await job.run();
      expect(
        await platform.count(
          'developers_webhook',
          `environment_id = 0x${test.id.replaceAll('-', '')} AND (secret_before IS NOT NULL OR secret_before_until IS NOT NULL)`,
        ),
      ).to.equal(0);
    });

    it('ends the older secret with another rotation, and both with one without an overlap', async () => {
      const receiver = await receiverOf();
      const { svcTest } = await platform.account();
      const { endpointId, secret: first } = await endpointAt(svcTest, receiver);
      const { secret: second } = await rotate(svcTest, endpointId, 72);
      const { secret: third } = await rotate(svcTest, endpointId, 1);
      const known = { first, second, third };
      await rename(svcTest, 'Second and third');
      await receiver.waitFor(1);
      expect(signedWith(receiver, known)).to.deep.equal(['third', 'second']);
      const ended = await rotate(svcTest, endpointId, 0);
      expect(ended.endpoint.previousSecretUntil).to.equal(null);
      await rename(svcTest, 'Only the newest');
      await receiver.waitFor(2);
      expect(signedWith(receiver, { ...known, fourth: ended.secret })).to.deep.equal(['fourth']);
    });

    it('keeps neither secret readable in the database', async () => {
      const { svcTest, test } = await platform.account();
      const { endpointId, secret } = await endpointAt(svcTest, { url: 'https://127.0.0.1:1/' });
      await rotate(svcTest, endpointId, 24);
      const [row] = await platform.running.services.database.rows<{ secret_sealed: Buffer; secret_before: Buffer }>(
        'SELECT secret_sealed, secret_before FROM developers_webhook WHERE environment_id = UNHEX(?)',
        [test.id.replaceAll('-', '')],
      );
      expect(row?.secret_before.toString('latin1')).not.to.contain(secret);
      expect(row?.secret_before).not.to.deep.equal(row?.secret_sealed);
    });

    it('is refused for less than nothing, more than three days, and parts of an hour', async () => {
      const { svcTest } = await platform.account();
      const { endpointId } = await endpointAt(svcTest, { url: 'https://127.0.0.1:1/' });
      for (const overlapHours of [-1, 73, 0.5])
        expect(await svcTest.refusal('developers.webhook.secret.rotate', { endpointId, overlapHours })).to.deep.include(
          {
            code: 'invalid_input',
            details: { field: 'overlapHours' },
          },
        );
    });
  });
});
