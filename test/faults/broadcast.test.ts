import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { textAt } from './support/call.js';
import { inFlight } from './support/mail-load.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';

const people = Number(process.env['SVC_TEST_BROADCAST_RECIPIENTS'] ?? 300);

describe('kill -9 during a broadcast', function () {
  this.timeout(Math.max(180_000, people * 60));
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('while its messages are made, after a step, and while they leave on two nodes: each contact gets it, counts equal rows', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db, mail, askLive: ask } = stage;
    const start = async (fault?: string): Promise<NodeProcess> => {
      // The dead process's leases would be valid for another half minute. The test expires them instead of waiting.
      for (const queue of ['email_queue', 'email_broadcast_queue'])
        await db
          .run(`UPDATE ${queue} SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1`)
          .catch(() => undefined);
      return stage.start(fault === undefined ? {} : { fault });
    };

    const first = await start('email.broadcast.messages:1');
    await ask(first, 'audience.topic.create', { key: 'news', name: 'News' });
    await ask(first, 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
    const from = textAt(await ask(first, 'email.sender.get', {}), 'ownAddress');
    const locales = { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello {{ contact.email }}' } };
    await ask(first, 'email.template.draft.save', { template: 'news', locales });
    await ask(first, 'email.template.publish', { template: 'news' });
    const consents = [{ topic: 'news', channel: 'email', source: 'form' }];
    const addresses = Array.from({ length: people }, (_, index) => `c${index}@example.com`);
    for (let at = 0; at < people; at += 10_000) {
      const contacts = addresses.slice(at, at + 10_000).map((email) => ({ email, firstName: 'Ada' }));
      await ask(first, 'audience.contact.import', { contacts, consents });
    }
    const granted = async (): Promise<number> =>
      (await db.rows("SELECT contact_id FROM audience_consent WHERE state = 'granted'")).length;
    await eventually(async () => (await granted()) === people, 'imported contacts', 60_000, 100);
    const draft = await ask(first, 'email.broadcast.create', { name: 'News', template: 'news', topic: 'news', from });
    const broadcastId = textAt(draft, 'broadcast', 'id');
    // The process may die before its answer has left.
    await ask(first, 'email.broadcast.send', { broadcastId }).catch(() => undefined);
    await first.diedAtPoint();
    expect(await db.rows('SELECT id FROM email_message'), 'the step that was under way left nothing').to.have.length(0);

    await (await start('email.broadcast.step:1')).diedAtPoint();
    const nodes = [await start(), await start()];
    const survivor = nodes[1];
    if (!survivor) throw new Error('No node was started.');
    await eventually(() => mail.received.length >= people / 3, 'a third of the mails', 60_000);
    await nodes[0]?.kill();
    await db.run(
      'UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1 AND lease_until < NOW(3) + INTERVAL 24 SECOND',
    );
    const shown = async (): Promise<unknown> =>
      at(await ask(survivor, 'email.broadcast.get', { broadcastId }), 'broadcast');
    const parts = ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'];
    await eventually(
      async () => {
        const counts = at(await shown(), 'counts');
        const sum = parts.reduce((total, part) => total + Number(at(counts, part)), 0);
        expect(sum, JSON.stringify(counts)).to.equal(at(counts, 'recipients'));
        return at(await shown(), 'status') === 'sent';
      },
      'a broadcast that is sent',
      120_000,
      100,
    );
    expect(at(await shown(), 'counts', 'sent')).to.equal(people);
    const rows = await db.rows<{ status: Buffer; contacts: number }>(
      'SELECT status, COUNT(DISTINCT contact_id) AS contacts FROM email_message GROUP BY status',
    );
    expect(rows.map(({ status, contacts }) => [status.toString(), contacts])).to.deep.equal([['sent', people]]);
    const reached = mail.received.flatMap(({ recipients }) => recipients);
    expect(new Set(reached).size, 'contacts that got it').to.equal(people);
    expect(reached.length - people, 'mails that came twice').to.be.at.most(inFlight);
    const events = await db.rows("SELECT id FROM svc_event WHERE type IN ('email.queued', 'email.sent')");
    expect(events).to.have.length(2 * people);
    const [metered] = await db.rows<{ quantity: string }>(
      "SELECT CAST(COALESCE(SUM(quantity), 0) AS CHAR) AS quantity FROM billing_usage WHERE meter = 'email.broadcast_message'",
    );
    expect(Number(metered?.quantity), 'each contact’s message is metered once').to.equal(people);
    expect(await survivor.stop(), survivor.printed()).to.equal('0');
  });
});
