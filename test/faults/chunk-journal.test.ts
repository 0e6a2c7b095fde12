import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import { chunkJournal } from '#plugins/email/tables/chunk-journal.js';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { endLeases } from './support/leases.js';
import { openStage, type Stage } from './support/stage.js';

const people = 200;
const queues = ['email_chunk', 'email_queue', 'email_broadcast_queue'];

describe('kill -9 after answers of a broadcast were stored, and before they were recorded', function () {
  this.timeout(120_000);
  needProducts('audience', 'email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  /** A broadcast whose worker has died when it had stored the first answers. */
  const interrupted = async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db, askLive: ask, mail } = stage;
    const calls = await stage.start({ settings: { SVC_ROLE: 'api' } });
    const worker = await stage.start({ settings: { SVC_ROLE: 'worker' }, fault: 'email.outcomes.stored:1' });
    await ask(calls, 'audience.topic.create', { key: 'news', name: 'News' });
    await ask(calls, 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
    const locales = { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello {{ contact.email }}' } };
    await ask(calls, 'email.template.draft.save', { template: 'news', locales });
    await ask(calls, 'email.template.publish', { template: 'news' });
    const contacts = Array.from({ length: people }, (_, index) => ({
      email: `c${index}@example.com`,
      firstName: `Ada ${index}`,
    }));
    const consents = [{ topic: 'news', channel: 'email', source: 'form' }];
    await ask(calls, 'audience.contact.import', { contacts, consents });
    const granted = async (): Promise<number> =>
      (await db.rows("SELECT contact_id FROM audience_consent WHERE state = 'granted'")).length;
    await eventually(async () => (await granted()) === people, 'imported contacts', 60_000, 100);
    const from = textAt(await ask(calls, 'email.sender.get', {}), 'ownAddress');
    const given = { name: 'News', template: 'news', topic: 'news', from };
    const broadcastId = textAt(await ask(calls, 'email.broadcast.create', given), 'broadcast', 'id');
    await ask(calls, 'email.broadcast.send', { broadcastId });
    await worker.diedAtPoint();
    const rows = await db.rows<object>(`SELECT ${chunkJournal.columnList()} FROM email_chunk_journal`);
    const stored = rows.map(chunkJournal.decode).flatMap(({ answers }) => answers.map(({ id }) => id));
    expect(stored, 'answers that are stored').to.have.length.above(0);
    const statusesOf = async (ids: readonly string[]): Promise<Map<string, [string, string | null]>> => {
      const found = await db.rows<{ id: Buffer; status: Buffer; subject: string | null }>(
        `SELECT m.id, m.status, m.subject FROM email_message m WHERE broadcast_id IS NOT NULL`,
      );
      const all = new Map(
        found.map((row): [string, [string, string | null]] => [idText(row.id), [row.status.toString(), row.subject]]),
      );
      return new Map(ids.map((id) => [id, all.get(id) ?? ['', null]]));
    };
    const addressesOf = async (ids: readonly string[]): Promise<string[]> => {
      const found = await db.rows<{ message_id: Buffer; address: string }>(
        'SELECT message_id, address FROM email_recipient',
      );
      return found.flatMap((row) => (ids.includes(idText(row.message_id)) ? [row.address] : []));
    };
    const arrived = (): string[] => mail.received.flatMap(({ recipients }) => recipients);
    return { stage, db, ask, calls, broadcastId, stored, statusesOf, addressesOf, arrived };
  };

  it('records them, and sends none of them again', async () => {
    const { stage, db, ask, calls, broadcastId, stored, statusesOf, addressesOf, arrived } = await interrupted();
    const before = arrived().length;
    expect([...(await statusesOf(stored)).values()].every(([status]) => status === 'queued')).to.equal(true);
    const worker = await stage.start({ settings: { SVC_ROLE: 'worker' } });
    const shown = async (): Promise<unknown> =>
      at(await ask(calls, 'email.broadcast.get', { broadcastId }), 'broadcast');
    await eventually(
      async () => {
        await endLeases(db, queues, 'lease_until < NOW(3) + INTERVAL 20 SECOND');
        return at(await shown(), 'status') === 'sent';
      },
      'a broadcast that is sent',
      60_000,
      200,
    );
    expect(at(await shown(), 'counts', 'sent')).to.equal(people);
    const reached = arrived();
    expect(new Set(reached).size).to.equal(people);
    const again = await addressesOf(stored);
    expect(again).to.have.length(stored.length);
    expect(again.filter((address) => reached.filter((each) => each === address).length !== 1)).to.deep.equal([]);
    expect(reached.length - people).to.be.at.most(before - stored.length);
    for (const [status, subject] of (await statusesOf(stored)).values()) {
      expect(status).to.equal('sent');
      expect(subject).to.match(/^News for Ada \d+$/);
    }
    expect(await db.rows('SELECT 1 FROM email_chunk_journal')).to.deep.equal([]);
    const events = await db.rows("SELECT id FROM svc_event WHERE type = 'email.sent'");
    expect(events).to.have.length(people);
    expect([await worker.stop(), await calls.stop()]).to.deep.equal(['0', '0']);
  });

  it('shows them as sent although the broadcast was cancelled meanwhile', async () => {
    const { stage, db, ask, calls, broadcastId, stored, statusesOf, arrived } = await interrupted();
    const before = arrived().length;
    await ask(calls, 'email.broadcast.cancel', { broadcastId });
    const worker = await stage.start({ settings: { SVC_ROLE: 'worker' } });
    const counts = async (): Promise<unknown> =>
      at(await ask(calls, 'email.broadcast.get', { broadcastId }), 'broadcast', 'counts');
    const queued = async (): Promise<number> =>
      (await db.rows("SELECT id FROM email_message WHERE status = 'queued'")).length;
    await eventually(
      async () => {
        await endLeases(db, queues, 'lease_until < NOW(3) + INTERVAL 20 SECOND');
        return (await queued()) === 0;
      },
      'messages that have all ended',
      60_000,
      200,
    );
    expect([...(await statusesOf(stored)).values()].every(([status]) => status === 'sent')).to.equal(true);
    const shown = await counts();
    expect([at(shown, 'sent'), at(shown, 'cancelled')]).to.deep.equal([stored.length, people - stored.length]);
    expect(arrived()).to.have.length(before);
    expect(await db.rows('SELECT 1 FROM email_chunk_journal')).to.deep.equal([]);
    expect([await worker.stop(), await calls.stop()]).to.deep.equal(['0', '0']);
  });
});
