import { expect } from 'chai';
import { insertSubscribers } from '#test/support/contact-rows.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { at } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';

/** Contacts in one batch of the fan-out (core/messaging/broadcasts/fan-out.ts). */
const batch = 5_000;
const people = 5.5 * batch;

describe('kill -9 while the messages of a large broadcast are made', function () {
  this.timeout(300_000);
  needProducts('audience', 'billing', 'email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('goes on after the last batch that was committed: each contact gets one message, nobody two and nobody none', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db, mail, askLive: ask } = stage;
    // No mail is accepted, so that all messages are there to be counted.
    const gate = createGate();
    gate.close();
    stage.onClose(() => {
      gate.open();
      return Promise.resolve();
    });
    mail.onMessage = async () => {
      await gate.pass();
      return null;
    };
    const start = async (fault?: string): Promise<NodeProcess> => {
      await db
        .run('UPDATE email_broadcast_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1')
        .catch(() => undefined);
      return stage.start(fault === undefined ? {} : { fault });
    };
    const made = async (): Promise<number> => {
      const [row] = await db.rows<{ found: number }>('SELECT COUNT(*) AS found FROM email_message');
      return row?.found ?? 0;
    };

    const first = await start('email.broadcast.messages:3');
    await ask(first, 'audience.topic.create', { key: 'news', name: 'News' });
    await ask(first, 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
    const locales = { en: { subject: 'News', text: 'Hello {{ contact.email }}' } };
    await ask(first, 'email.template.draft.save', { template: 'news', locales });
    await ask(first, 'email.template.publish', { template: 'news' });
    const environment = "(SELECT id FROM svc_environment WHERE kind = 'live' ORDER BY id LIMIT 1)";
    await insertSubscribers(db, environment, { count: people, topic: 'news', domain: 'example.com' });
    const from = textAt(await ask(first, 'email.sender.get', {}), 'ownAddress');
    const draft = { name: 'News', template: 'news', topic: 'news', from };
    const broadcastId = textAt(await ask(first, 'email.broadcast.create', draft), 'broadcast', 'id');
    await ask(first, 'email.broadcast.send', { broadcastId }).catch(() => undefined);
    await first.diedAtPoint();
    expect(await made(), 'the third batch left nothing').to.equal(2 * batch);

    const second = await start('email.broadcast.batch:2');
    await second.diedAtPoint();
    expect(await made(), 'two more batches').to.equal(4 * batch);

    const third = await start();
    await eventually(async () => (await made()) > 4 * batch, 'a further batch', 30_000);
    await third.kill();

    const last = await start();
    const isMade = async (): Promise<boolean> =>
      (await db.rows('SELECT id FROM email_broadcast WHERE fanned_out_at IS NOT NULL')).length === 1;
    await eventually(isMade, 'all messages are made', 60_000, 50);
    const [rows] = await db.rows<Record<string, unknown>>(
      `SELECT COUNT(*) AS messages, COUNT(DISTINCT contact_id) AS contacts,
         (SELECT COUNT(*) FROM audience_contact c WHERE NOT EXISTS (SELECT 1 FROM email_message o WHERE o.contact_id = c.id)) AS without_message,
         (SELECT COUNT(*) FROM email_recipient) AS recipients, (SELECT COUNT(*) FROM email_message m JOIN email_chunk k ON m.id BETWEEN k.id AND k.last_id) AS queued,
         (SELECT COUNT(*) FROM svc_event WHERE type = 'email.queued') AS events,
         (SELECT CAST(SUM(quantity) AS SIGNED) FROM billing_usage WHERE meter = 'email.broadcast_message') AS metered
       FROM email_message`,
    );
    expect(rows).to.deep.equal({
      messages: people,
      contacts: people,
      without_message: 0,
      recipients: people,
      queued: people,
      events: people,
      metered: people,
    });
    const { broadcast } = await ask(last, 'email.broadcast.get', { broadcastId });
    expect(at(broadcast, 'counts', 'recipients')).to.equal(people);
    expect(Number(at(broadcast, 'counts', 'queued')) + Number(at(broadcast, 'counts', 'sending'))).to.equal(people);
  });
});
