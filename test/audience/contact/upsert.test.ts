import { expect } from 'chai';
import { auditCount, auditOf, eventsOf, topicOf } from '#test/audience/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('audience.contact.upsert', () => {
  const platform = usePlatform();
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();

  it('creates a contact with all its fields, an event and an audit record', async () => {
    const { svc, live } = await platform.account();
    const input = {
      externalId: 'c-1',
      email: 'ada@example.com',
      phone: '+4915123456789',
      firstName: 'Ada',
      lastName: 'Lovelace',
      locale: 'en-GB',
      timeZone: 'Europe/London',
      properties: { plan: 'pro', orders: 3, vip: true, since: '2026-01-01T00:00:00Z' },
    };
    const { activityId, result } = await svc.envelope('audience.contact.upsert', input);
    const now = platform.clock.now().toISOString();
    expect(result.created).to.equal(true);
    const { contact } = result;
    expect(contact).to.deep.equal({ id: contact.id, ...input, createdAt: now, updatedAt: now });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.contact.upsert',
      subject: `contact ${contact.id}`,
      personId: contact.id,
      summary: 'Created a contact.',
      changes: (['externalId', 'email', 'phone', 'firstName', 'lastName', 'locale', 'timeZone', 'properties'] as const)
        .map((field) => ({ field, from: null, to: contact[field] }))
        .filter(({ to }) => to !== null),
    });
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([
      { type: 'audience.contact.created', subjectId: contact.id, personId: contact.id, activityId, data: { contact } },
    ]);
  });

  it('updates only given fields, and lists the changes in the audit log', async () => {
    const { svc, live } = await platform.account();
    const first = await svc.call('audience.contact.upsert', { email: 'ada@example.com', firstName: 'Ada' });
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.contact.upsert', {
      email: 'ada@example.com',
      lastName: 'Byron',
      phone: '+4915123456789',
    });
    expect(result.created).to.equal(false);
    const { contact } = result;
    expect(contact).to.deep.equal({
      ...first.contact,
      lastName: 'Byron',
      phone: '+4915123456789',
      updatedAt: platform.clock.now().toISOString(),
    });
    const audit = await auditOf(platform, activityId);
    expect(audit).to.include({ personId: contact.id, summary: 'Changed a contact.' });
    expect(audit.changes).to.deep.equal([
      { field: 'phone', from: null, to: '+4915123456789' },
      { field: 'lastName', from: null, to: 'Byron' },
    ]);
    expect((await eventsOf(platform, live, 'audience.')).at(-1)).to.deep.equal({
      type: 'audience.contact.updated',
      subjectId: contact.id,
      personId: contact.id,
      activityId,
      data: { contact },
    });
  });

  it('answers a repeat as done: no event, no second consent record, its own audit record', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const input = {
      email: 'ada@example.com',
      properties: { plan: 'pro' },
      consents: [{ topic: 'news', channel: 'email' as const, source: 'form' }],
    };
    const first = await svc.call('audience.contact.upsert', input);
    const before = (await eventsOf(platform, live, 'audience.')).length;
    platform.clock.advance(hours(1));
    const again = await svc.envelope('audience.contact.upsert', input);
    expect(again.result).to.deep.equal({ contact: first.contact, created: false });
    expect(await auditOf(platform, again.activityId)).to.deep.include({ changes: [], personId: first.contact.id });
    expect(await eventsOf(platform, live, 'audience.')).to.have.length(before);
    expect(await auditCount(platform, live, 'audience.contact.upsert')).to.equal(2);
    expect((await svc.call('audience.consent.list', {})).consents).to.have.length(1);
  });

  it('normalizes identifiers, so that different spellings match one contact', async () => {
    const { svc } = await platform.account();
    const spellings = [
      [{ email: 'Ada@Bücher.EXAMPLE' }, { email: 'ADA@xn--bcher-kva.example' }],
      [{ phone: '+49 (1512) 345-6789' }, { phone: '+4915123456789' }],
      // é as one character, and as e with a combining accent.
      [{ externalId: 'Ren\u00e9' }, { externalId: 'Rene\u0301' }],
    ];
    for (const [one = {}, other = {}] of spellings) {
      const first = await svc.call('audience.contact.upsert', one);
      const second = await svc.call('audience.contact.upsert', other);
      expect(second.created, JSON.stringify(other)).to.equal(false);
      expect(second.contact.id).to.equal(first.contact.id);
    }
    const { contact } = await svc.call('audience.contact.upsert', {
      externalId: 'forms',
      email: 'Grace@Bücher.EXAMPLE',
      firstName: 'Rene\u0301',
      locale: 'pt-br',
    });
    expect(contact).to.include({ email: 'Grace@xn--bcher-kva.example', firstName: 'Ren\u00e9', locale: 'pt-BR' });
  });

  it('tells external ids apart that differ in case, accent or blanks', async () => {
    const { svc } = await platform.account();
    const ids = ['key', 'KEY', 'kéy', 'key ', ' key'];
    for (const externalId of ids)
      expect((await svc.call('audience.contact.upsert', { externalId })).created, externalId).to.equal(true);
  });

  it('matches by external id, then email, then phone, and adds missing identifiers', async () => {
    const { svc } = await platform.account();
    const { contact } = await svc.call('audience.contact.upsert', { phone: '+4915123456789' });
    const byPhone = await svc.call('audience.contact.upsert', { phone: '+4915123456789', email: 'ada@example.com' });
    const byEmail = await svc.call('audience.contact.upsert', { email: 'ada@example.com', externalId: 'ada' });
    const byId = await svc.call('audience.contact.upsert', { externalId: 'ada', email: 'new@example.com' });
    for (const each of [byPhone, byEmail, byId]) expect(each).to.deep.include({ created: false });
    expect(byId.contact).to.include({ id: contact.id, externalId: 'ada', email: 'new@example.com' });
    expect(byId.contact.phone).to.equal('+4915123456789');
  });

  it('refuses identifiers of different contacts, naming them, and changes neither', async () => {
    const { svc, live } = await platform.account();
    await svc.call('audience.contact.upsert', { externalId: 'one', email: 'one@example.com' });
    await svc.call('audience.contact.upsert', { email: 'two@example.com', phone: '+4915123456789' });
    const before = (await eventsOf(platform, live, 'audience.')).length;
    const clashes: [object, string[]][] = [
      [{ externalId: 'one', email: 'two@example.com' }, ['externalId', 'email']],
      [{ email: 'one@example.com', phone: '+4915123456789' }, ['email', 'phone']],
      [{ externalId: 'one', phone: '+4915123456789' }, ['externalId', 'phone']],
      // The address belongs to a contact with another external id: they are two customers.
      [{ externalId: 'three', email: 'one@example.com' }, ['externalId', 'email']],
    ];
    for (const [input, fields] of clashes) {
      const refused = await svc.refusal('audience.contact.upsert', { ...input, firstName: 'Nobody' });
      expect(refused, JSON.stringify(input)).to.include({ status: 409, code: 'contact_conflict' });
      expect(refused.details).to.deep.equal({ fields });
      expect(refused.message).not.to.include('@');
    }
    expect(await eventsOf(platform, live, 'audience.')).to.have.length(before);
    expect((await svc.call('audience.contact.get', { externalId: 'one' })).contact.firstName).to.equal(null);
  });

  it('names the external id of the contact that has the address, and the way to change it', async () => {
    const { svc } = await platform.account();
    await svc.call('audience.contact.upsert', { externalId: 'one', email: 'one@example.com' });
    const refused = await svc.refusal('audience.contact.upsert', { externalId: 'three', email: 'one@example.com' });
    expect(refused.message).to.contain('email has the external id “one”').and.contain('audience.contact.update');
  });

  it('merges properties key by key; null removes a key', async () => {
    const { svc } = await platform.account();
    const who = { email: 'ada@example.com' };
    const set = async (properties: Record<string, string | number | boolean | null>) =>
      (await svc.call('audience.contact.upsert', { ...who, properties })).contact.properties;
    expect(await set({ plan: 'pro', orders: 3, vip: true })).to.deep.equal({ plan: 'pro', orders: 3, vip: true });
    expect(await set({ orders: 4, city: 'Zürich' })).to.deep.equal({
      plan: 'pro',
      orders: 4,
      vip: true,
      city: 'Zürich',
    });
    expect(await set({ vip: null, never: null })).to.deep.equal({ plan: 'pro', orders: 4, city: 'Zürich' });
    expect(await set({ orders: '4', plan: false })).to.deep.equal({ plan: false, orders: '4', city: 'Zürich' });
    expect(await set({})).to.deep.equal({ plan: false, orders: '4', city: 'Zürich' });
    // The property index of segments has exactly these.
    const { contact } = await svc.call('audience.contact.get', who);
    const indexed = `contact_id = UNHEX('${contact.id.replaceAll('-', '')}')`;
    expect(await platform.count('audience_property', indexed)).to.equal(3);
  });

  it('keeps at most 200 properties, counted after the merge', async () => {
    const { svc } = await platform.account();
    const email = 'ada@example.com';
    const some = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${from + index}`, index]));
    await svc.call('audience.contact.upsert', { email, properties: some(200) });
    const over = await svc.refusal('audience.contact.upsert', { email, properties: some(1, 200) });
    expect(over).to.include({ status: 400, code: 'invalid_input' });
    expect(over.details).to.deep.equal({ field: 'properties' });
    const swapped = await svc.call('audience.contact.upsert', { email, properties: { ...some(1, 200), p0: null } });
    expect(Object.keys(swapped.contact.properties)).to.have.length(200);
    expect(await svc.refusal('audience.contact.upsert', { email, properties: some(201) })).to.include({
      code: 'invalid_input',
    });
  });

  it('grants consents with their source and time, in the transaction that writes the contact', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const givenAt = ago(hours(5));
    const { activityId, result } = await svc.envelope('audience.contact.upsert', {
      email: 'ada@example.com',
      consents: [
        { topic: 'news', channel: 'email', source: 'form', wording: 'Yes.', givenAt },
        { topic: 'news', channel: 'sms', source: 'till' },
      ],
    });
    const { id } = result.contact;
    const events = await eventsOf(platform, live, 'audience.consent.');
    expect(events.map(({ type, personId, activityId: by }) => [type, personId, by])).to.deep.equal([
      ['audience.consent.granted', id, activityId],
      ['audience.consent.granted', id, activityId],
    ]);
    const { consents } = await svc.call('audience.contact.get', { contactId: id });
    expect(consents).to.deep.equal([
      { topic: 'news', channel: 'email', state: 'granted', since: givenAt, source: 'form' },
      { topic: 'news', channel: 'sms', state: 'granted', since: platform.clock.now().toISOString(), source: 'till' },
    ]);
  });

  it('writes no contact with a consent that cannot be granted', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    await topicOf(svc, { key: 'gone' });
    await svc.call('audience.topic.archive', { topic: 'gone' });
    const refusal = (consent: object) =>
      svc.refusal('audience.contact.upsert', {
        email: 'ada@example.com',
        consents: [{ topic: 'news', channel: 'email', source: 'form', ...consent }],
      });
    expect(await refusal({ topic: 'gone' })).to.include({ status: 409, code: 'topic_archived' });
    expect(await refusal({ topic: 'never-was' })).to.include({
      status: 404,
      code: 'not_found',
      message: 'There is no such topic “never-was” in this environment.',
      fix: 'Check the id or name that you sent; audience.topic.create adds a topic, and audience.topic.list shows what exists.',
    });
    expect((await refusal({ givenAt: ago(-hours(1)) })).details).to.deep.equal({ field: 'consents[0].givenAt' });
    expect((await refusal({ channel: 'post' })).details).to.deep.equal({ field: 'consents[0].channel' });
    expect(await eventsOf(platform, live, 'audience.contact.')).to.deep.equal([]);
  });

  it('does not subscribe again on evidence older than an opt-out', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const email = 'ada@example.com';
    const grant = (givenAt: string) =>
      svc.call('audience.contact.upsert', {
        email,
        consents: [{ topic: 'news', channel: 'email', source: 'form', givenAt }],
      });
    await grant(ago(hours(2)));
    await svc.call('audience.consent.revoke', { email, channel: 'email', source: 'call' });
    platform.clock.advance(hours(2));
    const state = async () => (await svc.call('audience.contact.get', { email })).consents[0]?.state;
    await grant(ago(hours(3)));
    expect(await state()).to.equal('revoked');
    await grant(ago(hours(1)));
    expect(await state()).to.equal('granted');
  });

  it('refuses invalid identifiers, locales, time zones and properties, naming the field', async () => {
    const { svc } = await platform.account();
    const email = 'ada@example.com';
    const wrong: [object, string][] = [
      [{}, 'email'],
      [{ firstName: 'Ada' }, 'email'],
      [{ email: 'ada' }, 'email'],
      [{ email: null }, 'email'],
      [{ email: 'a@example.com, b@example.com' }, 'email'],
      [{ phone: '015123456789' }, 'phone'],
      [{ phone: '+49' }, 'phone'],
      [{ externalId: '' }, 'externalId'],
      [{ externalId: 'x'.repeat(201) }, 'externalId'],
      [{ externalId: ' \u00a0' }, 'externalId'],
      // One character that NFC writes as three.
      [{ externalId: '\u{1d160}'.repeat(200) }, 'externalId'],
      [{ email, lastName: '\u{1d160}'.repeat(200) }, 'lastName'],
      [{ email, properties: { score: '\u{1d160}'.repeat(500) } }, 'properties.score'],
      // Half of a surrogate pair.
      [{ externalId: 'x\ud800' }, 'externalId'],
      [{ email, locale: 'german please' }, 'locale'],
      [{ email, timeZone: 'Europe/Atlantis' }, 'timeZone'],
      [{ email, firstName: 'x'.repeat(201) }, 'firstName'],
      [{ email, properties: { plan: { name: 'pro' } } }, 'properties.plan'],
      [{ email, properties: { plan: ['pro'] } }, 'properties.plan'],
      [{ email, properties: { plan: 'x'.repeat(501) } }, 'properties.plan'],
      [{ email, properties: { '': 1 } }, 'properties.'],
      [{ email, properties: { ['x'.repeat(101)]: 1 } }, `properties.${'x'.repeat(101)}`],
      [{ email, nickname: 'Ada' }, 'nickname'],
    ];
    for (const [input, field] of wrong) {
      const refused = await svc.refusal('audience.contact.upsert', input);
      expect(refused, JSON.stringify(input)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details, JSON.stringify(input)).to.deep.equal({ field });
    }
  });

  it('keeps environments apart: one address can be a contact in each', async () => {
    const { svc, svcTest } = await platform.account();
    const email = 'ada@example.com';
    const live = await svc.call('audience.contact.upsert', { email });
    const test = await svcTest.call('audience.contact.upsert', { email });
    expect(test.created).to.equal(true);
    expect(test.contact.id).not.to.equal(live.contact.id);
  });
});
