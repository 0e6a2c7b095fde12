import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { exported, mover, zipped } from './support.js';

type Client = TestAccount['svc'];

describe('svc move from', function () {
  this.timeout(60_000);
  needProducts('audience', 'auth', 'email');
  const platform = usePlatform();
  const state = { folder: '' };
  before(async () => void (state.folder = await mkdtemp(join(tmpdir(), 'svc-move-'))));
  after(() => rm(state.folder, { recursive: true, force: true }));

  /** A new account with the topics news and offers, and the command with its live key. */
  const start = async () => {
    const account = await platform.account();
    const { keys, svc } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'Newsletter' });
    await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
    const signIn = (email: string, password: string) =>
      platform.api.call('auth.password.signin', { email, password }, { key: keys.live.publishable });
    return { move: mover(platform, keys.live.secret), svc, signIn };
  };
  const write = async (name: string, content: string): Promise<string> => {
    const path = join(state.folder, name);
    await writeFile(path, content);
    return path;
  };
  const consentsOf = async (svc: Client, email: string): Promise<unknown[]> => {
    const { consents } = await svc.call('audience.contact.get', { email });
    return consents.map((each) => [each.topic, each.state, each.source, each.state === 'granted' ? each.since : '']);
  };
  describe('mailchimp', () => {
    const archive = (): Promise<string> =>
      zipped(state.folder, 'audience.zip', {
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
        'consents to news: confirmed subscription (CONFIRM_TIME)': 2,
        'consents to news: sign-up form (OPTIN_TIME)': 1,
        'opt-outs from news: unsubscribed': 1,
        'suppressions: cleaned: the address bounced': 1,
      };
      const skipped = [
        'no consent: the export has neither the time of a sign-up nor of a confirmation: 5',
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

      const report = join(state.folder, 'report.json');
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
        ['news', 'granted', 'Mailchimp: confirmed subscription', given],
      ]);
      const evidence = await svc.call('audience.consent.list', { contactId: ada.contact.id });
      expect(evidence.consents[0]).to.deep.include({ ip: '192.0.2.2', givenAt: given });
      expect(await consentsOf(svc, 'grace@example.com')).to.deep.equal([
        ['news', 'granted', 'Mailchimp: sign-up form', '2023-06-01T08:00:00.000Z'],
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
      expect(written).to.deep.equal({ 'contacts created': 3, 'opt-outs from all topics recorded': 1 });
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
  });

  describe('users', () => {
    const userOf = async (svc: Client, externalId: string): Promise<Record<string, unknown>> => {
      const { user, identities } = await svc.call('auth.user.get', { externalId });
      const { email, emailVerified, phone, phoneVerified, name, metadata, privateMetadata } = user;
      const addresses = identities.map(({ value, verifiedAt }) => [value, verifiedAt !== null]);
      const isBanned = user.bannedAt !== null;
      return { email, emailVerified, phone, phoneVerified, name, metadata, privateMetadata, addresses, isBanned };
    };

    it('clerk: moves addresses, passwords and second factors', async () => {
      const { move, svc, signIn } = await start();
      const file = exported('clerk-users.csv');
      const planned = {
        'users with a password': 3,
        'users without a password': 2,
        'further addresses and numbers of users': 1,
      };
      const hasher = 'the password is moved only of known hashers, not of md5: the user signs in by code: 4';
      expect(await move('clerk', file, '--dry-run')).to.deep.include({ code: 1, planned, failed: [hasher] });
      expect((await svc.call('auth.user.list', {})).users).to.deep.equal([]);
      const first = await move('clerk', file);
      expect(first.written).to.deep.equal({ 'users created': 5 });
      expect(first.failed).to.have.length(2);
      expect(first.failed[1]).to.match(/^invalid_input: The field “passwordHash” .*: 6$/);
      expect(await userOf(svc, 'user_2a')).to.deep.include({
        ...{ email: 'jane@example.com', emailVerified: true, name: 'Jane Doe', metadata: { username: 'janed' } },
        addresses: [
          ['jane@example.com', true],
          ['jane.work@example.com', true],
        ],
      });
      expect(await userOf(svc, 'user_2b')).to.deep.include({ emailVerified: false, phoneVerified: true });
      expect((await svc.call('auth.user.get', { externalId: 'user_2b' })).factors).to.have.length(1);
      await signIn('jane@example.com', 'correct horse 1');
      await signIn('jane.work@example.com', 'correct horse 1');
      await signIn('fire@example.com', 'user1password');
      const second = await move('clerk', file);
      expect(second).to.deep.include({ planned, written: {} });
    });

    it('auth0: joins the file with passwords, and keeps who is blocked', async () => {
      const { move, svc, signIn } = await start();
      const [users, passwords] = [exported('auth0-users.json'), exported('auth0-passwords.ndjson')];
      const alone = await move('auth0', users);
      expect(alone.code).to.equal(2);
      expect(alone.stderr).to.contain('There is no file with password hashes.').and.contain('--no-passwords');
      const planned = {
        'users with a password': 2,
        'private metadata of users': 1,
        bans: 1,
        'users without a password': 2,
      };
      const failed = [
        'the file with password hashes has none of this user, who signs in by code: 4',
        'a password whose user is in none of the files: 3',
      ];
      expect(await move('auth0', users, passwords, '--dry-run')).to.deep.include({ code: 1, planned, failed });
      expect((await svc.call('auth.user.list', {})).users).to.deep.equal([]);
      const { written } = await move('auth0', users, passwords);
      expect(written).to.deep.equal({ 'users created': 4, 'users banned': 1, 'private metadata of users': 1 });
      expect(await userOf(svc, 'auth0|5dea9f9c82dd7c0e76e4ec93')).to.deep.include({
        ...{ name: 'Nora Nord', emailVerified: true, isBanned: false },
        metadata: { userMetadata: { theme: 'dark' } },
        privateMetadata: { plan: 'pro', risk: 3 },
      });
      expect(await userOf(svc, 'auth0|euclid')).to.deep.include({ name: 'Eu Clid', isBanned: true });
      await signIn('nora@example.com', 'correct horse 1');
      expect(await move('auth0', users, passwords)).to.deep.include({ planned, failed, written: {} });
    });

    it('firebase: moves passwords with the hash parameters', async () => {
      const { move, svc, signIn } = await start();
      const file = exported('firebase-users.json');
      const key = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';
      const hash = ['--hash-key', key, '--salt-separator', 'Bw==', '--rounds', '8', '--mem-cost', '14'];
      const without = await move('firebase', file);
      expect(without.code).to.equal(2);
      expect(without.stderr).to.contain('their hash parameters are missing');
      const planned = { 'users with a password': 1, 'users without a password': 1, bans: 1 };
      const skipped = ['a user without an address and number: anonymous, or of a custom provider: 22'];
      expect(await move('firebase', file, ...hash, '--dry-run')).to.deep.include({ code: 0, planned, skipped });
      expect((await svc.call('auth.user.list', {})).users).to.deep.equal([]);
      const { code, written } = await move('firebase', file, ...hash);
      expect({ code, written }).to.deep.equal({ code: 0, written: { 'users created': 2, 'users banned': 1 } });
      expect(await userOf(svc, 'fb1')).to.deep.include({ name: 'Flo Base', metadata: { role: 'editor' } });
      expect(await userOf(svc, 'fb2')).to.deep.include({
        phone: '+4915112345671',
        phoneVerified: true,
        isBanned: true,
      });
      await signIn('flo@example.com', 'user1password');
      expect(await move('firebase', file, ...hash)).to.deep.include({ code: 0, planned, written: {} });
    });
  });

  describe('templates', () => {
    it('are translated to Liquid, and published if all of it could be', async () => {
      const { move, svc } = await start();
      const archive = await zipped(state.folder, 'templates.zip', {
        'templates/Spring Sale.html': exported('mailchimp-template.html'),
        'templates/Archive.html': Buffer.from('<p>*|FNAME|* <a href="*|ARCHIVE|*">Online</a> {{ braces }}</p>'),
      });
      const untranslated = ['*|ARCHIVE|*', '{{'].map((piece) => `left as it is, in a draft only: ${piece}: 1`);
      const dry = await move('mailchimp', archive, '--map', 'CITY=properties.town', '--dry-run');
      const planned = { 'template drafts': 1, 'template drafts with parts that are not translated': 1 };
      expect(dry).to.deep.include({ code: 1, planned, failed: untranslated });
      expect((await svc.call('email.template.list', { system: false })).templates).to.deep.equal([]);
      const first = await move('mailchimp', archive, '--map', 'CITY=properties.town');
      expect(first.written).to.deep.equal({ 'template drafts saved': 2, 'templates published': 1 });
      const { published } = await svc.call('email.template.get', { template: 'mailchimp.spring-sale' });
      expect(published?.['en']?.subject).to.equal('Spring Sale');
      for (const part of [
        'Hi {{ contact.firstName | default: "" }}, you live in {{ contact.properties.town | default: "" }}.',
        '{% if contact.properties.plan == "pro" %}<p>Pro</p>{% else %}<p>Free</p>{% endif %}',
        '<a href="{{ preferencesUrl }}">Unsubscribe</a> {{ legalAddress }} {{ "now" | date: "%Y" }}',
      ])
        expect(published?.['en']?.html).to.contain(part);
      const draft = await svc.call('email.template.get', { template: 'mailchimp.archive' });
      expect(draft.published).to.equal(null);
      expect(draft.draft?.['en']?.html).to.contain('{% raw %}*|ARCHIVE|*{% endraw %}');
      expect((await move('mailchimp', archive, '--map', 'CITY=properties.town')).written).to.deep.equal({});
      const edited = await move('mailchimp', archive);
      expect(edited.written).to.deep.equal({});
      expect(edited.skipped).to.deep.equal(['a template with this name and other content is here: 1']);
    });

    it('of listmonk are translated from Go’s language', async () => {
      const { move, svc } = await start();
      const { written, failed } = await move('listmonk', exported('listmonk-templates.json'));
      expect(written).to.deep.equal({ 'template drafts saved': 2, 'templates published': 1 });
      expect(failed).to.deep.equal(
        ['{{ range .Tx.Data.items }}', '{{ .name }}', '{{ end }}'].map(
          (piece) => `left as it is, in a draft only: ${piece}: 3`,
        ),
      );
      const { published } = await svc.call('email.template.get', { template: 'listmonk.order-shipped' });
      expect(published?.['en']?.subject).to.equal('Order {{ order }} is on its way');
      expect(published?.['en']?.html).to.equal(
        '<p>Hi {{ contact.firstName | default: "" }},</p>\n' +
          '{% if contact.properties.plan == "pro" %}<p>Thanks for being a pro.</p>{% else %}<p>Thanks.</p>{% endif %}\n' +
          '<a href="https://example.com/orders">Order</a>\n<a href="{{ preferencesUrl }}">Unsubscribe</a>',
      );
    });
  });

  describe('files', () => {
    it('are refused with the line and the column if they cannot be read, before anything is written', async () => {
      const { move, svc } = await start();
      const header = '"Email Address",LEID,EUID,CLEAN_TIME\n';
      const good = `${header}a@example.com,1,2,"2024-03-03 09:00:00"\n`;
      const open = await write('open.csv', `${good}"b@example.com" x,1,2,\n`);
      const latin1 = join(state.folder, 'latin1.csv');
      await writeFile(latin1, Buffer.from(`${good}zo\u00eb@example.com,1,2,\n`, 'latin1'));
      const other = await write('other.csv', 'Address,Name\nx@example.com,X\n');
      const broken = await write(
        'broken.json',
        '[\n{"email":"a@example.com","status":"enabled","lists":[]},\n{"email":\n',
      );
      const valid = await zipped(state.folder, 'bomb.zip', { 'cleaned.csv': Buffer.alloc(80 * 1024 * 1024, 'a') });
      const path = await write('path.zip', '');
      const inner = await zipped(state.folder, 'inner.zip', { 'xx/xx/x.csv': Buffer.from(good) });
      const bytes = (await readFile(inner)).toString('latin1').replaceAll('xx/xx/', '../../');
      await writeFile(path, Buffer.from(bytes, 'latin1'));
      for (const [service, file, problem] of [
        ['mailchimp', open, /open\.csv, line 3, column 1: /],
        ['mailchimp', latin1, /latin1\.csv is not UTF-8, from about line 1 on/],
        ['mailchimp', other, /It has Address, Name; expected is Email Address, OPTIN_TIME/],
        ['listmonk', broken, /broken\.json, line 3: the record that begins here is not closed/],
        ['mailchimp', valid, /contains cleaned\.csv, whose \d+ bytes unpack to 83886080/],
        ['mailchimp', path, /path\.zip is not a ZIP archive that can be read: invalid relative path/],
        ['mailchimp', join(state.folder, 'none.zip'), /none\.zip does not exist/],
      ] as const) {
        const before = service === 'mailchimp' ? [await write('good.csv', good)] : [];
        const { code, stderr } = await move(service, ...before, file, '--topic', 'news');
        expect(stderr, file).to.match(problem);
        expect(code, file).to.equal(2);
      }
      const topic = await move('mailchimp', open, '--topic', 'nothing');
      expect(topic.stderr).to.contain('There is no topic nothing for mail.').and.contain('offers');
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    });
  });
});
