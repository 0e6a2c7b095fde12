import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startExample } from './support.js';

describe('examples/moving', function () {
  this.timeout(60_000);
  needProducts('audience');
  const platform = usePlatform();
  const state = { folder: '' };
  before(async () => void (state.folder = await mkdtemp(join(tmpdir(), 'svc-moving-'))));
  after(() => rm(state.folder, { recursive: true, force: true }));

  /** Runs the program with the live key of a new account that has the topic. */
  const moved = async (...files: string[]) => {
    const { keys, svc } = await platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'Newsletter' });
    await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
    const run = async (...words: string[]) => {
      const example = startExample(['moving/move-contacts.ts', '--from', 'Mailchimp', '--topic', 'news', ...words], {
        SVC_API_URL: platform.running.address,
        SVC_API_KEY: keys.live.secret,
      });
      return { code: await example.ended(), printed: example.printed() };
    };
    const stateOf = async (email: string): Promise<object> => {
      const { contact, consents } = await svc.call('audience.contact.get', { email });
      return {
        name: contact.firstName,
        properties: contact.properties,
        consents: consents.map(({ topic, state: is, since, source }) => [topic, is, is === 'granted' ? since : source]),
      };
    };
    return { ...(await run(...files)), run, stateOf, svc };
  };
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(state.folder, name);
    await writeFile(path, text);
    return path;
  };

  it('brings suppressions, opt-outs and consents with the time of each, and prints refused rows', async () => {
    const file = (name: string): string => `examples/moving/${name}.csv`;
    const files = ['--suppressed', file('cleaned'), '--unsubscribed', file('unsubscribed')];
    const { code, printed, stateOf, run, svc } = await moved(...files, '--subscribed', file('subscribed'));
    expect(printed).to.contain('1 suppressed, 1 unsubscribed, 4 subscribed; 1 refused.');
    expect(printed).to.match(/^not-an-address: invalid_input: .*email/m);
    expect(code).to.equal(1);
    // The last row of the file has no line break behind it.
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions.map(({ email, note }) => [email, note])).to.deep.equal([
      ['gone@example.com', 'Moved from Mailchimp: March news on 2024-03-03T09:00:00.000Z'],
    ]);
    expect(await stateOf('ada@example.com')).to.deep.equal({
      name: 'Ada',
      properties: { rating: 5, tags: '"VIP","Shop"' },
      consents: [['news', 'granted', '2024-02-11T10:05:00.000Z']],
    });
    expect(await stateOf('grace@example.com')).to.deep.equal({
      name: 'Grace "Amazing"',
      properties: { rating: 3 },
      consents: [['news', 'granted', '2023-06-01T08:00:00.000Z']],
    });
    const optedOut = [['news', 'revoked', 'Unsubscribed at Mailchimp on 2024-05-05T12:00:00.000Z']];
    expect(await stateOf('leaves@example.com')).to.deep.include({ consents: optedOut });
    expect((await run('--subscribed', file('subscribed'))).printed).to.contain('4 subscribed; 1 refused.');
    expect(await stateOf('leaves@example.com')).to.deep.include({ consents: optedOut });
  });

  it('opts people out of all topics whose row says unsubscribed, in a file of all contacts', async () => {
    const path = await write(
      'resend.csv',
      '\ufeffid,email,first_name,unsubscribed,created_at\r\n' +
        '1," stays@example.com ",Zoë,false,2025-01-02 03:04:05.678+00\r\n' +
        '2,left@example.com,"Line\nbreak",true,1735786800\r\n',
    );
    const { code, printed, stateOf } = await moved('--subscribed', path);
    expect(printed).to.contain('0 suppressed, 1 unsubscribed, 1 subscribed; 0 refused.');
    expect(code).to.equal(0);
    expect(await stateOf('stays@example.com')).to.deep.include({
      name: 'Zoë',
      consents: [['news', 'granted', '2025-01-02T03:04:05.678Z']],
    });
    expect(await stateOf('left@example.com')).to.deep.include({
      consents: ['news', 'offers'].map((topic) => [topic, 'revoked', 'Unsubscribed at Mailchimp']),
    });
  });

  it('changes nothing where a file cannot be read whole', async () => {
    const latin1 = await write('latin1.csv', '');
    await writeFile(latin1, Buffer.from('Email Address,First Name\nzoe@example.com,Zo\u00eb\n', 'latin1'));
    const other = await write('other.csv', 'Address,Name\nada@example.com,Ada\n');
    const { code, printed, run, svc } = await moved(
      '--suppressed',
      'examples/moving/cleaned.csv',
      '--subscribed',
      latin1,
    );
    expect(code).to.equal(1);
    expect(printed).to.contain('latin1.csv is not UTF-8');
    const unknown = await run('--suppressed', 'examples/moving/cleaned.csv', '--subscribed', other);
    expect(unknown.printed).to.contain('has no column of addresses, only Address, Name');
    expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
  });

  it('says how it is used where no topic is named', async () => {
    const example = startExample(['moving/move-contacts.ts'], {});
    expect(await example.ended()).to.equal(1);
    expect(example.printed()).to.contain('Usage: ');
  });
});
