import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { withTopic } from './support.js';

const mebibyte = 1024 * 1024;

describe('audience.contact.import: refusals of the whole call', () => {
  const platform = usePlatform();
  const row = { email: 'ann@example.com' };

  it('requires exactly one of contacts and csv, and at least one row', async () => {
    const { svc } = await platform.account();
    const csv = 'mail\nann@example.com';
    const columns = { mail: 'email' };
    const wrong: [object, string][] = [
      [{}, 'contacts'],
      [{ contacts: [row], csv, columns }, 'csv'],
      [{ contacts: [] }, 'contacts'],
      [{ contacts: [row], columns }, 'columns'],
      [{ contacts: ['ann@example.com'] }, 'contacts[0]'],
      [{ contacts: [null] }, 'contacts[0]'],
      [{ contacts: row }, 'contacts'],
      [{ csv }, 'columns'],
      [{ csv: '', columns }, 'csv'],
      [{ csv: 'mail\r\n', columns }, 'csv'],
      [{ contacts: [row], onConflict: 'replace' }, 'onConflict'],
      [{ contacts: [row], dryRun: 'yes' }, 'dryRun'],
    ];
    for (const [input, field] of wrong) {
      const refused = await svc.refusal('audience.contact.import', input);
      expect(refused, JSON.stringify(input)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details, JSON.stringify(input)).to.deep.equal({ field });
    }
    expect(await platform.count('audience_import')).to.equal(0);
  });

  it('refuses default consents that cannot be granted, and stores no rows', async () => {
    const { svc } = await withTopic(await withTopic(await platform.account()), 'gone');
    await svc.call('audience.topic.archive', { topic: 'gone' });
    const consent = (changes: object) => [{ topic: 'news', channel: 'email', source: 'till', ...changes }];
    const refusal = (consents: unknown) => svc.refusal('audience.contact.import', { contacts: [row], consents });
    const tomorrow = new Date(platform.clock.now().getTime() + hours(24)).toISOString();
    expect(await refusal(consent({ topic: 'gone' }))).to.include({ status: 409, code: 'topic_archived' });
    expect(await refusal(consent({ topic: 'never-was' }))).to.include({ status: 404, code: 'not_found' });
    expect((await refusal(consent({ givenAt: tomorrow }))).details).to.deep.equal({ field: 'consents[0].givenAt' });
    expect((await refusal(consent({ source: '' }))).details).to.deep.equal({ field: 'consents[0].source' });
    expect(await platform.count('audience_import')).to.equal(0);
    expect(await platform.count('audience_import_part')).to.equal(0);
  });

  it('accepts at most 50,000 rows, as rows and as CSV', async function () {
    this.timeout(60_000);
    const { svc } = await platform.account();
    const contacts = Array.from({ length: 50_001 }, () => ({}));
    const csv = `mail\n${'x\n'.repeat(50_001)}`;
    const wide = `mail,x\n${'x,\n'.repeat(100_000)}"`;
    const inputs: [object, string][] = [
      [{ contacts }, '50001'],
      [{ csv, columns: { mail: 'email' } }, 'more than 50000'],
      // Nothing is read beyond: the quote that is never closed would be another refusal.
      [{ csv: wide, columns: { mail: 'email', x: 'properties.x' } }, 'more than 50000'],
    ];
    for (const [input, count] of inputs) {
      const refused = await svc.refusal('audience.contact.import', input);
      expect(refused).to.include({ status: 413, code: 'batch_too_large' });
      expect(refused.message).to.equal(`The call contains ${count} contacts; the limit is 50000 per call.`);
    }
    const { import: accepted } = await svc.call('audience.contact.import', {
      contacts: contacts.slice(1),
      dryRun: true,
    });
    expect(accepted.total).to.equal(50_000);
    await platform.settled();
    const { import: done } = await svc.call('audience.import.get', { importId: accepted.id });
    expect(done).to.include({ status: 'done', processed: 50_000, rejected: 50_000 });
  });

  it('accepts a body of 32 MiB and refuses a longer one', async function () {
    this.timeout(60_000);
    const { svc } = await platform.account();
    // The names are too long, so that every row is quickly rejected.
    const contacts = Array.from({ length: 900 }, () => ({ ...row, firstName: 'x'.repeat(32 * 1024) }));
    const body = JSON.stringify({ contacts, dryRun: true }).padEnd(32 * mebibyte, ' ');
    const answer = await svc.raw('/audience/contact/import', body);
    expect(answer.status, answer.text.slice(0, 500)).to.equal(200);
    const refused = await svc.raw('/audience/contact/import', `${body} `);
    expect(refused.status).to.equal(413);
    expect(refused.text).to.include('body_too_large');
    await platform.settled();
    expect(await platform.count('audience_import_rejection', 'message LIKE "The field “firstName”%"')).to.equal(900);
  });

  it('rejects a row that is too large, and imports the others', async () => {
    const { svc } = await platform.account();
    const contacts = [{ ...row, firstName: 'é'.repeat(mebibyte) }, row];
    const { import: accepted } = await svc.call('audience.contact.import', { contacts });
    await platform.settled();
    const { import: done, rejected } = await svc.call('audience.import.get', { importId: accepted.id });
    expect(done).to.include({ created: 1, rejected: 1 });
    expect(rejected).to.deep.equal([
      { row: 1, code: 'invalid_input', message: 'The field “row” is larger than 1 MiB.' },
    ]);
  });
});
