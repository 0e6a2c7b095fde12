import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Client, MoveSuite } from './suite.js';
import { exported, zipped } from './support.js';

const consentsOf = async (svc: Client, email: string): Promise<unknown[]> => {
  const { consents } = await svc.call('audience.contact.get', { email });
  return consents.map((each) => [each.topic, each.state, each.source, each.state === 'granted' ? each.since : '']);
};

export function contactSuites({ platform, start, folder, write }: MoveSuite): void {
  describe('mailchimp', () => {
    const archive = (): Promise<string> =>
      zipped(folder(), 'audience.zip', {
        'subscribed_email_audience_export_1a2b.csv': exported('mailchimp-subscribed.csv'),
        'unsubscribed_email_audience_export_1a2b.csv': exported('mailchimp-unsubscribed.csv'),
        'cleaned_email_audience_export_1a2b.csv': exported('mailchimp-cleaned.csv'),
        'nonsubscribed_email_audience_export_1a2b.csv': exported('mailchimp-nonsubscribed.csv'),
      });

    it('moves contacts, proven consents with their evidence, opt-outs and bounces, and a second run changes nothing', async () => {
      const { move, svc } = await start();
      const zip = await archive();
      const planned = {
        contacts: 6,
        'consents to news: confirmed sign-up (OPTIN_TIME, CONFIRM_TIME)': 2,
        'consents to news: sign-up (OPTIN_TIME)': 1,
        'opt-outs from news: unsubscribed': 1,
        'suppressions: cleaned: the address bounced': 1,
      };
      const skipped = [
        'no consent: without OPTIN_TIME, the contact did not sign up, but was added: 5',
        'no consent: a customer who never subscribed: 2',
      ];
      const failed = ['this is not an address: 7'];

      // Somebody who is here already, and opted out after Mailchimp recorded the consent.
      await svc.call('audience.contact.upsert', { email: 'left-here@example.com' });
      const optOut = { email: 'left-here@example.com', channel: 'email', source: 'support call' } as const;
      await svc.call('audience.consent.revoke', { ...optOut, topic: 'news' });

      const dry = await move('mailchimp', zip, '--topic', 'news', '--dry-run');
      expect(dry).to.deep.include({ code: 1, planned, skipped, failed, written: {} });
      expect((await svc.call('audience.contact.list', {})).contacts).to.have.length(1);
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);

      const report = join(folder(), 'report.json');
      const first = await move('mailchimp', zip, '--topic', 'news', '--report', report);
      expect(first).to.deep.include({ code: 1, planned, failed });
      expect(first.skipped).to.deep.equal([...skipped, 'no consent: opted out of news here, later: 6']);
      expect(first.written).to.deep.equal({
        'contacts created': 5,
        'contacts updated': 1,
        'opt-outs from news recorded': 1,
        'suppressions added': 1,
        'consents to news recorded with the IP address': 1,
      });
      const notMoved: unknown = JSON.parse(await readFile(report, 'utf8'));
      expect(notMoved).to.have.nested.property('notMoved.length', 4);
      expect(notMoved).to.have.nested.property('notMoved[1].line', 7);
      expect(notMoved).to.have.nested.property('notMoved[1].who', 'not-an-address');

      const ada = await svc.call('audience.contact.get', { email: 'ada@example.com' });
      expect(ada.contact).to.deep.include({ firstName: 'Ada', lastName: 'Lovelace', timeZone: 'Europe/Berlin' });
      expect(ada.contact.properties).to.deep.equal({
        plan: 'pro',
        postal_code: '01067',
        rating: 5,
        country: 'DE',
        tags: '"VIP","Shop"',
        notes: 'Met at "the fair",\ncalled twice',
      });
      const given = '2024-02-11T10:05:00.000Z';
      expect(await consentsOf(svc, 'ada@example.com')).to.deep.equal([
        ['news', 'granted', 'Mailchimp: confirmed sign-up', given],
      ]);
      const evidence = await svc.call('audience.consent.list', { contactId: ada.contact.id });
      expect(evidence.consents[0]).to.deep.include({ ip: '192.0.2.2', givenAt: given });
      expect(await consentsOf(svc, 'grace@example.com')).to.deep.equal([
        ['news', 'granted', 'Mailchimp: sign-up', '2023-06-01T08:00:00.000Z'],
      ]);
      expect(await consentsOf(svc, 'imported@example.com')).to.deep.equal([]);
      expect(await consentsOf(svc, 'buyer@example.com')).to.deep.equal([]);
      expect(await consentsOf(svc, 'left-here@example.com')).to.deep.equal([['news', 'revoked', 'support call', '']]);
      expect(await consentsOf(svc, 'gone@example.com')).to.deep.equal([
        ['news', 'revoked', 'Mailchimp: unsubscribed on 2024-05-05T12:00:00.000Z', ''],
      ]);
      const { suppressions } = await svc.call('audience.suppression.list', {});
      expect(suppressions.map(({ email, note }) => [email, note])).to.deep.equal([
        ['bounced@example.com', 'Mailchimp: cleaned (the address bounced) on 2024-03-03T09:00:00.000Z'],
      ]);

      const records = (await svc.call('audience.consent.list', {})).consents.length;
      const second = await move('mailchimp', zip, '--topic', 'news');
      expect(second).to.deep.include({ code: 1, planned, failed, written: {} });
      expect((await svc.call('audience.consent.list', {})).consents).to.have.length(records);
    });

    it('keeps what people decided here after the move', async () => {
      const { move, svc } = await start();
      const zip = await archive();
      await move('mailchimp', zip, '--topic', 'news');
      platform.clock.advance(1_000);
      await svc.call('audience.consent.grant', {
        ...{ email: 'gone@example.com', topic: 'news', channel: 'email', source: 'checkout' },
      });
      const [suppression] = (await svc.call('audience.suppression.list', {})).suppressions;
      await svc.call('audience.suppression.lift', { suppressionId: suppression?.id ?? '' });
      await svc.call('audience.consent.revoke', { email: 'ada@example.com', channel: 'email', source: 'letter' });
      await svc.call('audience.consent.revoke', { email: 'grace@example.com', channel: 'email', source: 'letter' });
      const again = await move('mailchimp', zip, '--topic', 'news');
      expect(again.written).to.deep.equal({});
      expect(await consentsOf(svc, 'gone@example.com')).to.have.nested.property('[0][1]', 'granted');
      expect(await consentsOf(svc, 'ada@example.com')).to.have.nested.property('[0][1]', 'revoked');
      expect(await consentsOf(svc, 'grace@example.com')).to.have.nested.property('[0][1]', 'revoked');
    });

    it('moves consents in bulk without IP addresses, and columns as --map says', async () => {
      const { move, svc } = await start();
      const words = [
        '--no-ip',
        '--map',
        'Plan=properties.tariff',
        '--map',
        'Postal Code=ignore',
        '--map',
        'NOTES=ignore',
      ];
      const { written } = await move('mailchimp', exported('mailchimp-subscribed.csv'), '--topic', 'news', ...words);
      expect(written).to.deep.equal({ 'contacts created': 4 });
      const { contact } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
      expect(contact.properties).to.deep.equal({ tariff: 'pro', rating: 5, country: 'DE', tags: '"VIP","Shop"' });
      expect(await consentsOf(svc, 'ada@example.com')).to.have.nested.property('[0][1]', 'granted');
    });
  });

  describe('mailchimp columns', () => {
    it('with the same name become different properties, and a field named like a column of Mailchimp means nothing else', async () => {
      const { move, svc } = await start();
      const fields = 'Email Address,First Name,Plan,plan,Plan (2),First Name,CLEAN_TIME,OPTIN_TIME,Tags';
      const own = 'MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,EUID,NOTES,TAGS';
      const ada = 'ada@example.com,Ada,pro,gold,blue,Countess,2024-01-01 00:00:00,never,own';
      const bob = 'bob@example.com,Bob,free,,,,2024-01-01 00:00:00,2020-01-01 00:00:00,';
      const rows = [`${ada},5,2024-02-11 10:00:00,,,,1,e1,,`, `${bob},2,,,2021-01-01 00:00:00,,2,e2,,`];
      const file = await write('subscribed_labels.csv', [`${fields},${own}`, ...rows].join('\n'));
      const moved = await move('mailchimp', file, '--topic', 'news', '--map', 'First Name (2)=properties.title');
      expect(moved.failed).to.deep.equal([]);
      const renamed = (label: string, index: number, name: string, becomes: string): string =>
        `${label}: the name is that of another column, or of one that Mailchimp adds. Column ${index} is “${name}” here, and becomes ${becomes}. To change that, pass --map "${name}=<field>": 1`;
      expect(moved.skipped).to.have.members([
        renamed('plan', 4, 'plan (3)', 'properties.plan_3'),
        renamed('First Name', 6, 'First Name (2)', 'properties.title'),
        renamed('CLEAN_TIME', 7, 'CLEAN_TIME (field)', 'properties.clean_time'),
        renamed('OPTIN_TIME', 8, 'OPTIN_TIME (field)', 'properties.optin_time'),
        renamed('Tags', 9, 'Tags (field)', 'properties.tags_field'),
        'no consent: without OPTIN_TIME, the contact did not sign up, but was added: 3',
      ]);
      const { contact } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
      expect(contact.firstName).to.equal('Ada');
      expect(contact.properties).to.deep.equal({
        ...{ plan: 'pro', plan_3: 'gold', plan_2: 'blue', title: 'Countess', rating: 5 },
        ...{ clean_time: '2024-01-01T00:00:00.000Z', optin_time: 'never', tags_field: 'own' },
      });
      expect(await consentsOf(svc, 'ada@example.com')).to.have.nested.property('[0][1]', 'granted');
      expect(await consentsOf(svc, 'bob@example.com')).to.deep.equal([]);
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    });
  });

  describe('listmonk', () => {
    const topics = ['--topic', 'Weekly news=news', '--topic', 'Offers=offers'];

    it('moves subscribers with the state of each subscription', async () => {
      const { move, svc } = await start();
      const file = exported('listmonk-subscribers.json');
      const planned = {
        contacts: 3,
        'consents to news: confirmed subscription': 1,
        'opt-outs from offers: unsubscribed': 1,
        'suppressions: blocklisted': 1,
      };
      const skipped = ['no consent: the subscription is unconfirmed: 6', 'no consent: the subscriber is disabled: 10'];
      const failed = [
        'subscriptions of the list “Beta testers” have no topic here: pass --topic "Beta testers=<key>": 2',
      ];
      const dry = await move('listmonk', file, ...topics, '--dry-run');
      expect(dry).to.deep.include({ code: 1, planned, skipped, failed });
      expect((await svc.call('audience.contact.list', {})).contacts).to.deep.equal([]);
      const first = await move('listmonk', file, ...topics);
      expect(first.written).to.deep.equal({
        'contacts created': 3,
        'opt-outs from offers recorded': 1,
        'suppressions added': 1,
        'consents to news recorded with the IP address': 1,
      });
      const { contact } = await svc.call('audience.contact.get', { email: 'lin@example.com' });
      expect(contact).to.deep.include({ firstName: 'Lin', lastName: 'Clark' });
      expect(contact.properties).to.deep.equal({
        ...{ city: 'Oslo', score: 12, tags: '["a","b"]', note: 'brace } and "quote"' },
      });
      expect(await consentsOf(svc, 'lin@example.com')).to.have.deep.members([
        ['news', 'granted', 'listmonk: confirmed subscription of the list “Weekly news”', '2024-01-02T08:00:00.123Z'],
        ['offers', 'revoked', 'listmonk: unsubscribed of the list “Offers”', ''],
      ]);
      for (const email of ['maybe@example.com', 'off@example.com'])
        expect(await consentsOf(svc, email)).to.deep.equal([]);
      const second = await move('listmonk', file, ...topics, '--topic', 'Beta testers=news');
      expect(second).to.deep.include({ code: 0, written: {}, failed: [] });
    });

    it('grants no consent from a CSV export, unless its filter is stated', async () => {
      const { move, svc } = await start();
      const file = exported('listmonk-subscribers.csv');
      const plain = await move('listmonk', file, '--topic', 'news');
      expect(plain).to.deep.include({ code: 0, written: { 'contacts created': 1 } });
      expect(await consentsOf(svc, 'csv@example.com')).to.deep.equal([]);
      await move('listmonk', file, '--topic', 'news', '--subscription', 'unsubscribed');
      await move('listmonk', file, '--topic', 'news', '--subscription', 'confirmed');
      expect(await consentsOf(svc, 'csv@example.com')).to.have.nested.property('[0][1]', 'revoked');
    });
  });
  describe('brevo', () => {
    it('moves contacts, double opt-ins, and blocklisted people as opted out of everything', async () => {
      const { move, svc } = await start();
      const file = exported('brevo-contacts.csv');
      const planned = {
        contacts: 3,
        'consents to news: double opt-in': 1,
        'opt-outs from all topics: blocklisted': 1,
      };
      const skipped = ['no consent: the export does not state a double opt-in: 3'];
      const failed = ['a contact without an address: 5'];
      const dry = await move('brevo', file, '--topic', 'news', '--dry-run');
      expect(dry).to.deep.include({ code: 1, planned, skipped, failed });
      expect((await svc.call('audience.contact.list', {})).contacts).to.deep.equal([]);
      const { written } = await move('brevo', file, '--topic', 'news');
      // The number is added once nobody else has it.
      expect(written).to.deep.equal({
        ...{ 'contacts created': 3, 'contacts updated': 1, 'opt-outs from all topics recorded': 1 },
      });
      const { contact } = await svc.call('audience.contact.get', { email: 'joan@example.com' });
      expect(contact).to.deep.include({ firstName: 'Joan', lastName: 'Clarke', phone: '+4915112345678' });
      expect(contact.properties).to.deep.equal({ city: 'Bletchley; Bucks', birthday: '1917-06-24' });
      expect(await consentsOf(svc, 'joan@example.com')).to.have.nested.property(
        '[0][2]',
        'Brevo: double opt-in, added on 2023-05-31',
      );
      expect(await consentsOf(svc, 'alan@example.com')).to.deep.equal([]);
      expect(await consentsOf(svc, 'stop@example.com')).to.have.deep.members(
        ['news', 'offers'].map((topic) => [topic, 'revoked', 'Brevo: blocklisted', '']),
      );
      expect(await move('brevo', file, '--topic', 'news')).to.deep.include({ planned, failed, written: {} });
      const unstated = await write('brevo.csv', 'EMAIL,CITY\nx@example.com,Rome\n');
      const { code, stderr } = await move('brevo', unstated, '--topic', 'news');
      expect(code).to.equal(2);
      expect(stderr).to.contain('line 1: no column states who is blocklisted. It has EMAIL, CITY.');
    });

    it('keeps opt-outs of rows that are damaged or refused, and gives nobody the consent of another with the same number', async () => {
      const { move, svc } = await start();
      const header = 'EMAIL,SMS,DOUBLE_OPT-IN,BLOCKLISTED\n';
      await svc.call('audience.contact.upsert', { email: 'first@example.com', phone: '+4915112345678' });
      const rows = [
        'second@example.com,4915112345678,Yes,No',
        'third@example.com,4915112345678,Yes,Yes',
        'fourth@example.com,,Yes,Yes,,',
      ];
      const moved = await move('brevo', await write('shared.csv', header + rows.join('\n')), '--topic', 'news');
      expect(moved.code).to.equal(1);
      expect(moved.failed).to.have.length(2);
      expect(moved.failed[0]).to.equal('the row has 6 cells, and the header line 4: 4');
      expect(moved.failed[1]).to.match(/^contact_conflict: .*: 3, 2$/);
      const first = await svc.call('audience.contact.get', { email: 'first@example.com' });
      expect(first.contact.phone).to.equal('+4915112345678');
      expect(first.consents).to.deep.equal([]);
      expect(await consentsOf(svc, 'second@example.com')).to.have.nested.property('[0][1]', 'granted');
      for (const email of ['third@example.com', 'fourth@example.com'])
        expect(await consentsOf(svc, email)).to.have.nested.property('[0][1]', 'revoked');
    });
  });
}
