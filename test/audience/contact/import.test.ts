import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { eventsNamed, everythingStored, runImport, withTopic } from './support.js';

describe('audience.contact.import', () => {
  const platform = usePlatform();

  it('creates and updates contacts in the background, as audience.contact.upsert would, with their events', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await svc.call('audience.contact.upsert', { email: 'ada@example.com', properties: { plan: 'free', orders: 1 } });
    const { activityId, result } = await svc.envelope('audience.contact.import', {
      contacts: [
        { email: 'ADA@Example.com', firstName: 'Ada', properties: { plan: 'pro' } },
        { externalId: 'c-2', phone: '+49 1512 3456789', locale: 'de-at', timeZone: 'Europe/Vienna' },
        { email: 'ADA@example.com', firstName: 'Ada' },
      ],
    });
    expect(result.import).to.include({ status: 'queued', total: 3, processed: 0, startedAt: null, finishedAt: null });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'audience.contact.import',
      subjectId: result.import.id,
      summary: 'Started an import of 3 rows.',
      changes: [
        { field: 'status', from: null, to: 'queued' },
        { field: 'total', from: null, to: 3 },
        { field: 'onConflict', from: null, to: 'update' },
        { field: 'dryRun', from: null, to: false },
      ],
    });
    await platform.settled();
    const now = platform.clock.now().toISOString();
    const { import: done, rejected } = await svc.call('audience.import.get', { importId: result.import.id });
    expect(rejected).to.deep.equal([]);
    expect(done).to.deep.equal({
      id: result.import.id,
      status: 'done',
      dryRun: false,
      total: 3,
      processed: 3,
      created: 1,
      // The third row changed nothing.
      updated: 1,
      rejected: 0,
      createdAt: now,
      startedAt: now,
      finishedAt: now,
    });
    const ada = (await svc.call('audience.contact.get', { email: 'ada@example.com' })).contact;
    expect(ada).to.deep.include({ firstName: 'Ada', properties: { plan: 'pro', orders: 1 } });
    const second = (await svc.call('audience.contact.get', { externalId: 'c-2' })).contact;
    expect(second).to.include({ phone: '+4915123456789', locale: 'de-AT', timeZone: 'Europe/Vienna' });
    const events = await eventsNamed(
      platform,
      live,
      'audience.contact.created',
      'audience.contact.updated',
      'audience.contact.imported',
    );
    expect(events.slice(1).map(({ type, subjectId, data }) => ({ type, subjectId, data }))).to.have.deep.members([
      { type: 'audience.contact.updated', subjectId: ada.id, data: { contact: ada } },
      { type: 'audience.contact.created', subjectId: second.id, data: { contact: second } },
      { type: 'audience.contact.imported', subjectId: done.id, data: { import: done } },
    ]);
  });

  it('stores no row data after the import, not even of rejected rows', async () => {
    const account = await platform.account();
    const { rejected } = await runImport(platform, account, {
      contacts: [
        { email: 'canary@example.com' },
        { email: 'canary.example.com' },
        { phone: '+49 canary' },
        { email: 'fine@example.com', firstName: { canary: true } },
        { email: 'fine@example.com', locale: '!canary!' },
        { email: 'fine@example.com', timeZone: 'canary/canary' },
        { email: 'fine@example.com', consents: [{ topic: 'canary', channel: 'email', source: 'canary' }] },
      ],
    });
    expect(rejected.map(({ row, code }) => `${row} ${code}`)).to.deep.equal([
      '2 invalid_input',
      '3 invalid_input',
      '4 invalid_input',
      '5 invalid_input',
      '6 invalid_input',
      '7 not_found',
    ]);
    expect(rejected.map(({ message }) => /^The field “(\w+)”/.exec(message)?.[1])).to.deep.equal([
      'email',
      'phone',
      'firstName',
      'locale',
      'timeZone',
      undefined,
    ]);
    expect(await platform.count('audience_import_part')).to.equal(0);
    const left = await everythingStored(platform, [
      'audience_import',
      'audience_import_rejection',
      'audience_import_part',
    ]);
    expect(left).not.to.include('canary');
    expect(platform.logLines.join('')).not.to.include('canary');
  });

  it('imports rows in order: each sees the changes of those before, within and across parts', async () => {
    const account = await platform.account();
    const { svc } = account;
    const padding = Array.from({ length: 600 }, (_, index) => ({ externalId: `pad-${index}` }));
    const { import: done, rejected } = await runImport(platform, account, {
      contacts: [
        { externalId: 'a', email: 'one@example.com', firstName: 'First' },
        { email: 'One@example.com', lastName: 'Second' },
        // Two contacts swap addresses, through a third address.
        { externalId: 'b', email: 'two@example.com' },
        { externalId: 'b', email: 'three@example.com' },
        { externalId: 'a', email: 'two@example.com' },
        { externalId: 'b', email: 'one@example.com' },
        ...padding,
        { externalId: 'a', firstName: 'Last' },
      ],
    });
    expect(rejected).to.deep.equal([]);
    expect(done).to.include({ status: 'done', processed: 607, created: 602, updated: 5 });
    const a = (await svc.call('audience.contact.get', { externalId: 'a' })).contact;
    const b = (await svc.call('audience.contact.get', { externalId: 'b' })).contact;
    expect(a).to.include({ email: 'two@example.com', firstName: 'Last', lastName: 'Second' });
    expect(b).to.include({ email: 'one@example.com' });
  });

  it('moves an address from one contact to another within a batch', async () => {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.contact.upsert', { externalId: 'old', email: 'shared@example.com' });
    const { import: done } = await runImport(platform, account, {
      contacts: [
        { externalId: 'old', email: 'moved@example.com' },
        { externalId: 'new', email: 'shared@example.com' },
      ],
    });
    expect(done).to.include({ status: 'done', created: 1, updated: 1, rejected: 0 });
    expect((await svc.call('audience.contact.get', { email: 'shared@example.com' })).contact.externalId).to.equal(
      'new',
    );
  });

  it('rejects a row whose identifiers belong to different contacts, and continues', async () => {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.contact.upsert', { email: 'ann@example.com' });
    await svc.call('audience.contact.upsert', { externalId: 'bob', email: 'bob@example.com' });
    const { import: done, rejected } = await runImport(platform, account, {
      contacts: [
        { externalId: 'bob', email: 'ann@example.com', firstName: 'Nobody' },
        { externalId: 'not-bob', email: 'bob@example.com', firstName: 'Nobody' },
        { firstName: 'Nobody' },
        { email: 'ann@example.com', firstName: 'Ann' },
      ],
    });
    expect(done).to.include({ status: 'done', processed: 4, created: 0, updated: 1, rejected: 3 });
    expect(rejected).to.deep.equal([
      {
        row: 1,
        code: 'contact_conflict',
        message: 'Another contact has at least one of these identifiers: externalId, email.',
      },
      {
        row: 2,
        code: 'contact_conflict',
        message: 'Another contact has at least one of these identifiers: externalId, email.',
      },
      {
        row: 3,
        code: 'invalid_input',
        message: 'The field “email” is missing: send at least one of email, phone, externalId.',
      },
    ]);
    expect((await svc.call('audience.contact.get', { email: 'ann@example.com' })).contact.firstName).to.equal('Ann');
    expect((await svc.call('audience.contact.get', { externalId: 'bob' })).contact.firstName).to.equal(null);
  });

  it('grants a row’s own consents, the default consents if it has none, and no consents if its list is empty', async () => {
    const account = await withTopic(await withTopic(await platform.account()), 'offers');
    const { svc, live } = account;
    const givenAt = new Date(platform.clock.now().getTime() - hours(48)).toISOString();
    await runImport(platform, account, {
      contacts: [
        { email: 'own@example.com', consents: [{ topic: 'offers', channel: 'email', source: 'till', givenAt }] },
        { email: 'default@example.com' },
        { email: 'none@example.com', consents: [] },
      ],
      consents: [{ topic: 'news', channel: 'email', source: 'trade fair', wording: 'Send me news.' }],
    });
    const consentsOf = async (email: string) => (await svc.call('audience.contact.get', { email })).consents;
    const now = platform.clock.now().toISOString();
    expect(await consentsOf('own@example.com')).to.deep.equal([
      { topic: 'offers', channel: 'email', state: 'granted', since: givenAt, source: 'till' },
    ]);
    expect(await consentsOf('default@example.com')).to.deep.equal([
      { topic: 'news', channel: 'email', state: 'granted', since: now, source: 'trade fair' },
    ]);
    expect(await consentsOf('none@example.com')).to.deep.equal([]);
    expect(await eventsNamed(platform, live, 'audience.consent.granted')).to.have.length(2);
    const { consents } = await svc.call('audience.consent.list', { topic: 'news' });
    expect(consents[0]).to.include({ wording: 'Send me news.', recordedAt: now, ip: null });
    expect(consents[0]?.actor).to.include({ kind: 'system', label: 'Import' });
  });

  it('rejects a whole row for a consent that cannot be granted', async () => {
    const account = await withTopic(await withTopic(await platform.account()), 'gone');
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'mail-only', name: 'Mail', channels: ['email'] });
    await svc.call('audience.topic.archive', { topic: 'gone' });
    const tomorrow = new Date(platform.clock.now().getTime() + hours(24)).toISOString();
    const row = (consent: object) => ({ email: 'ann@example.com', consents: [consent] });
    const { rejected } = await runImport(platform, account, {
      contacts: [
        row({ topic: 'gone', channel: 'email', source: 'till' }),
        row({ topic: 'never-was', channel: 'email', source: 'till' }),
        row({ topic: 'mail-only', channel: 'sms', source: 'till' }),
        row({ topic: 'news', channel: 'email', source: 'till', givenAt: tomorrow }),
        row({ topic: 'news', channel: 'email' }),
      ],
    });
    expect(rejected.map(({ code }) => code)).to.deep.equal([
      'topic_archived',
      'not_found',
      'invalid_input',
      'invalid_input',
      'invalid_input',
    ]);
    expect(rejected[3]?.message).to.equal('The field “consents[0].givenAt” must not lie in the future.');
    expect(rejected[4]?.message).to.equal('The field “consents[0].source” is required.');
    expect(await svc.refusal('audience.contact.get', { email: 'ann@example.com' })).to.include({ code: 'not_found' });
  });

  it('leaves existing contacts and their consents unchanged with onConflict skip', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    await svc.call('audience.contact.upsert', { email: 'there@example.com', firstName: 'Old' });
    const { import: done } = await runImport(platform, account, {
      contacts: [
        { email: 'there@example.com', firstName: 'New' },
        { email: 'fresh@example.com', firstName: 'New' },
        { email: 'fresh@example.com', firstName: 'Newer' },
      ],
      consents: [{ topic: 'news', channel: 'email', source: 'till' }],
      onConflict: 'skip',
    });
    expect(done).to.include({ processed: 3, created: 1, updated: 0, rejected: 0 });
    const there = await svc.call('audience.contact.get', { email: 'there@example.com' });
    expect(there.contact.firstName).to.equal('Old');
    expect(there.consents).to.deep.equal([]);
    expect((await svc.call('audience.contact.get', { email: 'fresh@example.com' })).contact.firstName).to.equal('New');
    expect(await eventsNamed(platform, live, 'audience.contact.updated')).to.deep.equal([]);
  });

  it('counts and rejects in a dry run without writing contacts, consents or events', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    await svc.call('audience.contact.upsert', { email: 'there@example.com' });
    const before = await platform.events(live);
    const { import: done, rejected } = await runImport(platform, account, {
      contacts: [
        { email: 'there@example.com', firstName: 'New' },
        { email: 'fresh@example.com' },
        { email: 'fresh@example.com', lastName: 'Again' },
        { email: 'broken' },
      ],
      consents: [{ topic: 'news', channel: 'email', source: 'till' }],
      dryRun: true,
    });
    expect(done).to.include({ status: 'done', dryRun: true, processed: 4, created: 1, updated: 2, rejected: 1 });
    expect(rejected.map(({ row }) => row)).to.deep.equal([4]);
    expect((await svc.call('audience.contact.get', { email: 'there@example.com' })).contact.firstName).to.equal(null);
    expect(await svc.refusal('audience.contact.get', { email: 'fresh@example.com' })).to.include({ code: 'not_found' });
    expect((await svc.call('audience.consent.list', {})).consents).to.deep.equal([]);
    expect((await platform.events(live)).slice(before.length), 'nothing was imported: no event').to.deep.equal([]);
  });
});
