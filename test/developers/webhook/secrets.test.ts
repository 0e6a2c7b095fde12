import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('A signing secret', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /** The contents of every table, as in a stolen database. */
  async function stolen(): Promise<string> {
    const { database } = platform.running.services;
    const tables = await database.rows<{ name: string }>(
      'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      for (const row of await database.rows<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
        for (const value of Object.values(row)) {
          texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value));
        }
      }
    }
    return texts.join('\n');
  }

  it('is shown once and never stored in plain text: not in rows, events, audit records, deliveries or log lines', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId, secret: first } = await endpointAt(svcTest, receiver, []);
    const idempotencyKey = newId();
    const made = await svcTest.call('developers.webhook.create', { url: receiver.url }, { idempotencyKey });
    const rotated = await svcTest.call('developers.webhook.secret.rotate', { endpointId }, { idempotencyKey: newId() });
    await rename(svcTest, 'Delivered');
    await svcTest.call('developers.webhook.test', { endpointId });
    await quiet(platform);
    const [delivery] = await deliveriesOf(svcTest, endpointId);
    const shown = JSON.stringify([
      await svcTest.call('developers.webhook.list', {}),
      await svcTest.call('developers.webhook.get', { endpointId }),
      await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery?.deliveryId ?? '' }),
      await svcTest.call('developers.event.list', {}),
      await svcTest.call('account.activity.list', {}),
      receiver.received,
    ]);
    const database = await stolen();
    expect(database, 'the search finds what is there').to.contain(receiver.url);
    for (const secret of [first, made.secret, rotated.secret]) {
      const random = secret.replace('svc_wh_', '');
      for (const text of [shown, database, platform.logLines.join('\n')]) {
        expect(text.includes(random)).to.equal(false);
        expect(text.includes(Buffer.from(secret).toString('base64').slice(4, 40))).to.equal(false);
        expect(text.includes(Buffer.from(secret).toString('hex'))).to.equal(false);
      }
    }
  });

  it('can only be decrypted for its own endpoint: another endpoint’s encrypted secret signs nothing', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const one = await endpointAt(svcTest, receiver);
    const other = await endpointAt(svcTest, receiver, ['account.*']);
    const { database } = platform.running.services;
    const bytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
    const [row] = await database.rows<{ sealed: Buffer }>(
      'SELECT secret_sealed AS sealed FROM developers_webhook WHERE id = ?',
      [bytes(one.endpointId)],
    );
    await database.run('UPDATE developers_webhook SET secret_sealed = ? WHERE id = ?', [
      row?.sealed ?? null,
      bytes(other.endpointId),
    ]);
    const refusal = await svcTest.raw('/developers/webhook/test', JSON.stringify({ endpointId: other.endpointId }));
    expect(refusal.status).not.to.equal(200);
    expect(receiver.received).to.deep.equal([]);
  });
});
