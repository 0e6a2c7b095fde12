import { expect } from 'chai';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { nameId } from '#plugins/audience/contacts/value-key.js';
import { refusalBody } from '#test/account/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { auditCount, auditOf, contactOf, eventsOf, concurrently } from '../support.js';

describe('audience.event.record', () => {
  const platform = usePlatform();

  /** A contact's recorded events, oldest first. */
  async function recorded(contactId: string): Promise<{ name: string; properties: unknown; at: string }[]> {
    const rows = await platform.running.services.database.rows<{
      name: Buffer;
      properties: string;
      occurred_at: Date;
    }>('SELECT name, properties, occurred_at FROM audience_event WHERE contact_id = ? ORDER BY id', [
      idBytes(contactId),
    ]);
    return rows.map((row) => {
      const properties: unknown = JSON.parse(row.properties);
      return { name: row.name.toString(), properties, at: row.occurred_at.toISOString() };
    });
  }

  /** A contact's tally of one event name. */
  async function tally(
    { live }: TestAccount,
    contactId: string,
    name: string,
  ): Promise<{ count: number; last: string }> {
    const [row] = await platform.running.services.database.rows<{ count: number; last_at: Date }>(
      'SELECT `count`, last_at FROM audience_event_tally WHERE contact_id = ? AND name_id = ?',
      [idBytes(contactId), nameId(live.id, name)],
    );
    return { count: row?.count ?? 0, last: row?.last_at.toISOString() ?? '' };
  }

  it('records an event of a contact, however the contact is named, and counts it', async () => {
    const account = await platform.account();
    const { svc } = account;
    const selector = { email: 'ada@example.com', phone: '+4915123456789', externalId: 'c-1' };
    const { id: contactId } = await contactOf(svc, selector);
    const named = [
      { contactId },
      { email: 'ADA@Example.com' },
      { phone: '+49 1512 3456789' },
      { externalId: selector.externalId },
    ];
    for (const [index, each] of named.entries()) {
      platform.clock.advance(minutes(1));
      const properties = { total: 49.9, items: [{ sku: 'a' }], index };
      const input = { ...each, name: 'order.placed', properties };
      expect(await svc.call('audience.event.record', input)).to.deep.equal({ recorded: true, enrolled: [] });
      const now = platform.clock.now().toISOString();
      expect((await recorded(contactId)).at(-1)).to.deep.equal({ name: 'order.placed', properties, at: now });
      expect(await tally(account, contactId, 'order.placed')).to.deep.equal({ count: index + 1, last: now });
    }
    await svc.call('audience.event.record', { contactId, name: 'order.returned' });
    expect((await recorded(contactId)).at(-1)).to.deep.include({ name: 'order.returned', properties: {} });
    expect(await tally(account, contactId, 'order.returned')).to.include({ count: 1 });
  });

  it('writes an audit record that the person’s erasure finds, and no event of svc', async () => {
    const { svc, live } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const before = await eventsOf(platform, live, '');
    const { activityId } = await svc.envelope('audience.event.record', {
      email: 'ada@example.com',
      name: 'order.placed',
      properties: { to: 'Ada Lovelace' },
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.event.record',
      subject: `contact ${contactId}`,
      personId: contactId,
      summary: 'Recorded order.placed.',
      changes: [{ field: 'event.order.placed', from: null, to: platform.clock.now().toISOString() }],
    });
    expect(await eventsOf(platform, live, '')).to.deep.equal(before);
  });

  it('stores the given time; the tally keeps the latest, in any order', async () => {
    const account = await platform.account();
    const { id: contactId } = await contactOf(account.svc);
    const now = platform.clock.now().getTime();
    for (const ago of [hours(2), hours(1), hours(3)]) {
      const occurredAt = new Date(now - ago).toISOString();
      await account.svc.call('audience.event.record', { contactId, name: 'visit', occurredAt });
      expect((await recorded(contactId)).at(-1)?.at).to.equal(occurredAt);
    }
    expect(await tally(account, contactId, 'visit')).to.deep.equal({
      count: 3,
      last: new Date(now - hours(1)).toISOString(),
    });
  });

  it('takes times up to five minutes in the future as now, and refuses later ones', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const now = platform.clock.now();
    const ahead = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    await svc.call('audience.event.record', { contactId, name: 'visit', occurredAt: ahead(minutes(5)) });
    expect((await recorded(contactId)).at(-1)?.at).to.equal(now.toISOString());
    for (const occurredAt of [ahead(minutes(5) + 1), '1899-12-31T23:59:59Z', '0000-01-01T00:00:00+05:00', 'today']) {
      const refused = await svc.refusal('audience.event.record', { contactId, name: 'visit', occurredAt });
      expect(refused, occurredAt).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'occurredAt' });
    }
    expect(await recorded(contactId)).to.have.length(1);
  });

  it('records once per eventId: a repeat writes only its own audit record', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { id: contactId } = await contactOf(svc);
    const input = { contactId, name: 'order.placed', eventId: 'order-1' };
    expect((await svc.call('audience.event.record', input)).recorded).to.equal(true);
    platform.clock.advance(hours(1));
    const before = await tally(account, contactId, 'order.placed');
    const again = await svc.envelope('audience.event.record', { ...input, properties: { other: true } });
    expect(again.result).to.deep.equal({ recorded: false, enrolled: [] });
    expect(await auditOf(platform, again.activityId)).to.include({
      subject: `contact ${contactId}`,
      personId: contactId,
      summary: 'Nothing changed: order.placed was already recorded.',
    });
    // The id belongs to the environment and the event name, whichever contact it is recorded for.
    const { id: bob } = await contactOf(svc, { email: 'bob@example.com' });
    expect((await svc.call('audience.event.record', { ...input, contactId: bob })).recorded).to.equal(false);
    expect(await tally(account, contactId, 'order.placed')).to.deep.equal(before);
    expect(await tally(account, bob, 'order.placed')).to.include({ count: 0 });
    expect(await recorded(contactId)).to.have.length(1);
    expect(await auditCount(platform, live, 'audience.event.record')).to.equal(3);
    // Event ids are compared exactly, including case and spaces.
    for (const eventId of ['Order-1', 'order-1 ', 'ordér-1'])
      expect((await svc.call('audience.event.record', { ...input, eventId })).recorded, eventId).to.equal(true);
  });

  it('keeps event ids of each event name apart', async () => {
    const account = await platform.account();
    const { id: contactId } = await contactOf(account.svc);
    for (const name of ['order.placed', 'order.paid']) {
      const input = { contactId, name, eventId: '1024' };
      expect((await account.svc.call('audience.event.record', input)).recorded, name).to.equal(true);
      expect((await account.svc.call('audience.event.record', input)).recorded, name).to.equal(false);
      expect(await tally(account, contactId, name)).to.include({ count: 1 });
    }
  });

  it('keeps event ids of each environment apart', async () => {
    const { svc, svcTest } = await platform.account();
    for (const api of [svc, svcTest]) {
      await contactOf(api);
      const input = { email: 'ada@example.com', name: 'order.placed', eventId: 'order-1' };
      expect((await api.call('audience.event.record', input)).recorded).to.equal(true);
    }
  });

  it('records one of twenty concurrent events with the same eventId, on two nodes', async () => {
    const account = await platform.account();
    const { svc, keys } = account;
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { id: contactId } = await contactOf(svc);
    const { id: bob } = await contactOf(svc, { email: 'bob@example.com' });
    const answers = await concurrently((index) =>
      (index % 2 ? svc : other).call('audience.event.record', {
        contactId: index % 4 < 2 ? contactId : bob,
        name: 'order.placed',
        eventId: 'order-1',
      }),
    );
    expect(answers.filter(({ recorded: isNew }) => isNew)).to.have.length(1);
    const counts = [await tally(account, contactId, 'order.placed'), await tally(account, bob, 'order.placed')];
    expect(counts.map(({ count }) => count).sort()).to.deep.equal([0, 1]);
  });

  it('counts each of twenty different concurrent events', async () => {
    const account = await platform.account();
    const { id: contactId } = await contactOf(account.svc);
    await concurrently((index) =>
      account.svc.call('audience.event.record', { contactId, name: 'visit', eventId: `visit-${index}` }),
    );
    expect(await tally(account, contactId, 'visit')).to.include({ count: 20 });
    expect(await recorded(contactId)).to.have.length(20);
  });

  it('waits for a running erasure, and then does not find the contact', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const { database } = platform.running.services;
    const recording = await database.transaction(async (db) => {
      await db.run('DELETE FROM audience_contact WHERE id = ?', [idBytes(contactId)]);
      const answer = svc.raw('/audience/event/record', JSON.stringify({ contactId, name: 'visit' }));
      await Promise.race([answer, untilWaiting(platform, 1, 'the call at the contact’s row')]);
      return { answer };
    });
    expect((await recording.answer).status).to.equal(404);
    expect(await recorded(contactId)).to.deep.equal([]);
  });

  it('accepts 32 KiB of properties as JSON, and refuses more', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    // {"a":"…"} is 8 characters around the text; ö is two bytes.
    const most = { a: `${'ö'.repeat(16_379)}aa` };
    expect(Buffer.byteLength(JSON.stringify(most))).to.equal(32 * 1024);
    await svc.call('audience.event.record', { contactId, name: 'visit', properties: most });
    expect((await recorded(contactId))[0]?.properties).to.deep.equal(most);
    const refused = await svc.refusal('audience.event.record', {
      contactId,
      name: 'visit',
      properties: { a: `${most.a}a` },
    });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.contain('32769').and.to.contain('32768');
    expect(refused.details).to.deep.equal({ field: 'properties' });
    expect(await recorded(contactId)).to.have.length(1);
  });

  it('requires exactly one way of naming the contact, and a valid event', async () => {
    const { svc } = await platform.account();
    await contactOf(svc, { email: 'ada@example.com', externalId: 'c-1' });
    const selector = { email: 'ada@example.com' };
    const wrong = [
      { name: 'visit' },
      { ...selector, externalId: 'c-1', name: 'visit' },
      selector,
      ...['', 'Visit', '.visit', 'a visit', 'n'.repeat(101)].map((name) => ({ ...selector, name })),
      ...[[], 'text', null].map((properties) => ({ ...selector, name: 'visit', properties })),
      ...['', 'e'.repeat(201), 7].map((eventId) => ({ ...selector, name: 'visit', eventId })),
      { ...selector, name: 'visit', at: 'now' },
    ];
    for (const input of wrong)
      expect(await svc.refusal('audience.event.record', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
    expect(
      (await svc.call('audience.event.record', { ...selector, name: '0._-', eventId: '€'.repeat(200) })).recorded,
    ).to.equal(true);
  });

  it('answers alike for another environment’s contact and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.event.record', { contactId: newId(), name: 'visit' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    const selector = { email: 'ada@example.com', phone: '+4915123456789', externalId: 'c-1' };
    const { id: contactId } = await contactOf(svcTest, selector);
    const { email, phone, externalId } = selector;
    for (const each of [{ contactId }, { email }, { phone }, { externalId }])
      expect(refusalBody(await svc.refusal('audience.event.record', { ...each, name: 'visit' }))).to.deep.equal(
        unknown,
      );
  });

  it('matches an external id exactly', async () => {
    const { svc } = await platform.account();
    const { id: first } = await contactOf(svc, { externalId: 'c-1' });
    const { id: second } = await contactOf(svc, { externalId: 'C-1' });
    await svc.call('audience.event.record', { externalId: 'C-1', name: 'visit' });
    expect(await recorded(first)).to.have.length(0);
    expect(await recorded(second)).to.have.length(1);
    const [row] = await platform.running.services.database.rows<{ contact_id: Buffer }>(
      'SELECT contact_id FROM audience_event WHERE contact_id IN (?)',
      [[idBytes(first), idBytes(second)]],
    );
    expect(row && idText(row.contact_id)).to.equal(second);
  });
});
