import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { endLeases } from './support/leases.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';
import { endWaits, startTexts } from './support/texts.js';

const number = (last: number): string => `+491512345000${last}`;

describe('A node that is killed before it records that Twilio has taken a text', function () {
  this.timeout(180_000);
  needProducts('audience', 'sms');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  /** A stage whose first node is killed once Twilio has taken the texts that `send` sends. */
  async function interrupted(count: number, send: (stage: Stage, node: NodeProcess) => Promise<void>) {
    const stage = await openStage();
    stages.push(stage);
    const { twilio, settings } = await startTexts(stage);
    const node = await stage.start({ settings });
    twilio.answerTexts(false);
    await send(stage, node);
    await twilio.waitForTexts((texts) => texts.length >= count);
    await node.kill();
    twilio.answerTexts(true);
    return { stage, twilio, settings };
  }

  async function sendBroadcast({ askLive }: Stage, node: NodeProcess, phone: string): Promise<string> {
    const topic = `t${phone.slice(-4)}`;
    await askLive(node, 'audience.topic.create', { key: topic, name: 'News' });
    const consents = [{ topic, channel: 'sms', source: 'form' }];
    await askLive(node, 'audience.contact.upsert', { phone, consents });
    const created = await askLive(node, 'sms.broadcast.create', { name: topic, template: 'news', topic });
    const broadcastId = textAt(created, 'broadcast', 'id');
    await askLive(node, 'sms.broadcast.send', { broadcastId });
    return broadcastId;
  }

  /** The statuses of all texts, by number. */
  async function statuses({ db }: Stage): Promise<Record<string, string>> {
    const rows = await db.rows<{ id: Buffer; to_number: string; status: Buffer }>(
      'SELECT id, to_number, status FROM sms_message ORDER BY to_number',
    );
    return Object.fromEntries(rows.map(({ to_number: to, status }) => [to, status.toString()]));
  }

  async function ended(stage: Stage): Promise<void> {
    await eventually(
      async () => {
        await endWaits(stage.db);
        return Object.values(await statuses(stage)).every((status) => status !== 'queued');
      },
      'the end of all texts',
      60_000,
    );
  }

  it('looks for it at the number that it was sent from, although it must not be sent any more: it counts as sent', async () => {
    const broadcasts: string[] = [];
    const { stage, twilio, settings } = await interrupted(3, async (stage, node) => {
      await stage.askLive(node, 'sms.template.draft.save', { template: 'news', locales: { en: { body: 'News' } } });
      await stage.askLive(node, 'sms.template.publish', { template: 'news' });
      for (const last of [1, 2, 3]) broadcasts.push(await sendBroadcast(stage, node, number(last)));
    });
    // Meanwhile the operator has another number and no longer allows the country.
    const changed = { SVC_SMS_FROM: '+12125550199', SVC_SMS_ALLOWED_COUNTRIES: 'US' };
    const node = await stage.start({ settings: { ...settings, ...changed } });
    await stage.askLive(node, 'audience.suppression.add', { phone: number(1), note: 'wrote STOP' });
    await stage.askLive(node, 'sms.broadcast.cancel', { broadcastId: broadcasts[1] });
    await endLeases(stage.db, ['sms_queue']);
    await ended(stage);
    expect(await statuses(stage)).to.deep.equal({ [number(1)]: 'sent', [number(2)]: 'sent', [number(3)]: 'sent' });
    expect(twilio.texts).to.have.length(3);
    const senders = await stage.db.rows<{ from_number: Buffer }>('SELECT DISTINCT from_number FROM sms_message');
    expect(senders.map((row) => row.from_number.toString())).to.deep.equal([settings['SVC_SMS_FROM']]);
  });

  it('looks for the words that it was sent with, although the contact has another name by then', async () => {
    const { stage, twilio, settings } = await interrupted(1, async (stage, node) => {
      await stage.askLive(node, 'audience.contact.upsert', { phone: number(1), firstName: 'Ada' });
      const body = 'Hi {{ contact.firstName }}';
      await stage.askLive(node, 'sms.template.draft.save', { template: 'news', locales: { en: { body } } });
      await stage.askLive(node, 'sms.template.publish', { template: 'news' });
      await sendBroadcast(stage, node, number(1));
    });
    const node = await stage.start({ settings });
    await stage.askLive(node, 'audience.contact.upsert', { phone: number(1), firstName: 'Augusta' });
    await endLeases(stage.db, ['sms_queue']);
    await ended(stage);
    expect(await statuses(stage)).to.deep.equal({ [number(1)]: 'sent' });
    expect(twilio.texts).to.have.length(1);
    const stored = await stage.db.rows('SELECT body, segments FROM sms_message');
    expect(stored).to.deep.equal([{ body: twilio.texts[0]?.body, segments: 1 }]);
  });

  it('refuses to cancel it, and remembers the kill after an attempt in which svc itself failed', async () => {
    const { stage, twilio, settings } = await interrupted(1, async (stage, node) => {
      await stage.askLive(node, 'sms.send', { to: number(1), body: 'Hello' });
    });
    const { db } = stage;
    const [queued] = await db.rows<{ id: Buffer }>('SELECT id FROM sms_queue');
    if (!queued) throw new Error('No text is queued.');
    await db.run('UPDATE sms_queue SET lease_until = NOW(3) + INTERVAL 1 HOUR');
    const node = await stage.start({ settings });
    // An error of svc itself in each attempt.
    await db.run('RENAME TABLE sms_report TO sms_report_away');
    await endLeases(db, ['sms_queue']);
    await eventually(
      async () =>
        (await db.rows('SELECT attempt FROM sms_attempt')).length > 0 &&
        (await db.rows('SELECT id FROM sms_queue WHERE leased = 0')).length > 0,
      'a failed attempt',
      30_000,
    );
    const cancel = stage.askLive(node, 'sms.message.cancel', { messageId: idText(queued.id) });
    expect(String(await cancel.catch((error: unknown) => error))).to.include('message_not_cancellable');
    await db.run('RENAME TABLE sms_report_away TO sms_report');
    await ended(stage);
    expect(await statuses(stage)).to.deep.equal({ [number(1)]: 'sent' });
    expect(twilio.texts).to.have.length(1);
  });
});
