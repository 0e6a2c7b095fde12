import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { printed, resultOf, runSvc, type Ran, type RunOptions } from './support.js';

describe('svc: calling operations', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const state: { account?: TestAccount } = {};
  before(async () => (state.account = await platform.account()));

  const call = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    runSvc([...words, '--base-url', platform.running.address], {
      key: state.account?.keys.test.secret ?? '',
      ...options,
    });

  it('shows help for the program, groups and commands', async () => {
    const [program, group, leaf, none] = await Promise.all([
      runSvc(['--help']),
      runSvc(['help', 'account', 'member']),
      runSvc(['email', 'send', '--help']),
      runSvc([]),
    ]);
    for (const { code, stdout } of [program, group, leaf, none]) {
      expect(code).to.equal(0);
      expect(stdout).to.contain('Examples:');
    }
    expect(group.stdout).to.match(/invite +Invite/);
    expect(leaf.stdout).to.contain('--variables.<name>=…');
    expect(program.stdout).to.contain('--csv @people.csv');
    expect(leaf.stdout).to.contain('@path');
  });

  itNeeding('email')(
    'builds the input from flags, dotted flags, a file and standard input, and sends an Idempotency-Key',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
      const to = state.account?.ownerEmail ?? '';
      await writeFile(
        join(folder, 'mail.json'),
        JSON.stringify({ to, subject: 'File {{ name }}', text: 'x', variables: { name: 'Bob' } }),
      );
      const piped = JSON.stringify({ to, subject: 'Piped', text: 'x' });
      const [flags, file, stdin] = await Promise.all([
        call([
          'email',
          'send',
          '--to',
          to,
          '--subject',
          'Hi {{ name }}',
          '--text',
          '--a.b',
          '--variables.name=Ada',
          '--verbose',
        ]),
        call([
          'email',
          'send',
          '--input',
          join(folder, 'mail.json'),
          '--variables.name',
          'Ada',
          '--idempotency-key',
          'mine',
        ]),
        call(['email', 'send', '--input', '-', '--subject', 'Over'], { stdin: piped }),
      ]);
      expect(resultOf(flags.stdout)).to.include({ subject: 'Hi Ada', status: 'queued' });
      expect(printed(flags.stdout)['activityId']).to.be.a('string').and.not.equal('');
      expect(flags.stderr).to.match(/Idempotency-Key [0-9a-f-]{36}\nrequestId /);
      expect(resultOf(file.stdout)).to.include({ subject: 'File Ada' });
      expect(resultOf(stdin.stdout)).to.include({ subject: 'Over' });
      const input = { to, subject: 'File {{ name }}', text: 'x', variables: { name: 'Ada' } };
      const again = await state.account?.svcTest.call('email.send', input, { idempotencyKey: 'mine' });
      expect(again?.messageId).to.equal(resultOf(file.stdout)['messageId']);
      await rm(folder, { recursive: true });
    },
  );

  itNeeding('audience')('reads a flag’s value from a file, or once from standard input', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
    const people = join(folder, 'people.csv');
    const csv = 'Email,Name\nann@example.com,Ann\nbob@example.com,Bob\n';
    await writeFile(people, csv);
    const words = ['audience', 'contact', 'import', '--columns', '{"Email": "email", "Name": "firstName"}', '--csv'];
    const [file, piped, twice] = await Promise.all([
      call([...words, `@${people}`]),
      call([...words, '@-'], { stdin: csv }),
      call([...words, '@-', '--input', '-'], { stdin: '{}' }),
    ]);
    for (const { stdout } of [file, piped]) expect(resultOf(stdout)['import']).to.include({ total: 2 });
    expect(twice.code).to.equal(2);
    expect(twice.stderr).to.contain('standard input was already read');
    await rm(folder, { recursive: true });
  });

  it('prints tables for people and JSON for programs, and every page with --all', async () => {
    const name = `\u001b[31mRed`;
    await state.account?.svcTest.call('developers.key.create', { name, permissions: ['developers:read'] });
    const [table, json, all] = await Promise.all([
      call(['developers', 'key', 'list', '--no-json', '--limit', '1']),
      call(['account', 'get']),
      call(['developers', 'key', 'list', '--limit', '1', '--all']),
    ]);
    expect(table.stdout).to.match(/^id +name +kind/);
    expect(table.stdout).to.contain('\ufffd[31mRed').and.not.contain('\u001b');
    expect(table.stdout).to.match(/More results: --before \S+, or --all\./);
    expect(Object.keys(printed(json.stdout))).to.deep.equal(['activityId', 'result']);
    expect(resultOf(all.stdout)['keys']).to.have.length(3);
  });

  itNeeding('auth')('prints no control characters of names that others chose', async () => {
    const metadata = { ['plan\u001b[2J']: { ['deep\u009b']: 1 }, ['all\u001b[0m']: [{ ['each\u001b[1m']: 1 }] };
    const made = await state.account?.svcTest.call('auth.user.create', { email: 'names@example.com', metadata });
    const shown = await call(['auth', 'user', 'get', '--user-id', made?.user.id ?? '', '--no-json']);
    expect(shown.stdout).to.match(/metadata\.plan\ufffd\[2J\.deep\ufffd +1/);
    expect(shown.stdout).to.not.match(/[\u001b\u009b]/);
  });

  it('exits with a code by the kind of error, and prints the fix', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8300';
    const { svcTest } = state.account ?? {};
    const made = await svcTest?.call('developers.key.create', { name: 'Reader', permissions: ['developers:read'] });
    const cases: [number, RegExp, Promise<Ran>][] = [
      [
        2,
        /^invalid_input: The field “endpointId” must be a UUID.\nfix: .* See `svc developers webhook get --help`\.\n/,
        call(['developers', 'webhook', 'get', '--endpoint-id', 'x']),
      ],
      [2, /^--endpoint-id is missing\.\nfix: /, call(['developers', 'webhook', 'get'])],
      [
        2,
        /Unknown option '--endpointid'\.\nfix: Did you mean --endpoint-id\?/,
        call(['developers', 'webhook', 'get', '--endpointid', id]),
      ],
      [2, /Unknown command 'acount'\.\nfix: Did you mean account\? See `svc --help`/, call(['acount', 'get'])],
      [2, /Unknown command 'gte'\.\nfix: Did you mean get\? See `svc account --help`/, call(['account', 'gte'])],
      [
        2,
        /^--limit must be a whole number, not “many”\.\nfix: See `svc developers key list --help`\.\n$/,
        call(['developers', 'key', 'list', '--limit', 'many']),
      ],
      [
        2,
        /^Unknown flag --metadata\.x.*\nfix: See `svc account get --help`\.\n$/,
        call(['--no-json', 'account', 'get', '--metadata.x=1']),
      ],
      [
        2,
        /^Unknown option '--bogus'\.\nfix: See `svc developers webhook get --help`\.\n$/,
        call(['--no-json', 'developers', 'webhook', 'get', id, '--bogus']),
      ],
      [2, /\nfix: See `svc env use --help`\.\n$/, call(['env', 'use', 'shop', '--bogus'])],
      [
        2,
        /^Too many arguments for 'get'.*\nfix: Give each value with its flag\. See `svc account get --help`\.\n$/,
        call(['account', 'get', 'acme']),
      ],
      [
        3,
        /^unauthenticated: [\s\S]*\nfix: [\s\S]*\nThe key came from SVC_API_KEY\.\nrequestId [0-9a-f-]{36}\n$/,
        call(['account', 'get'], { key: 'svc_test_no' }),
      ],
      [3, /^permission_required/, call(['account', 'get'], { key: made?.plaintext ?? '' })],
      [3, /No secret key is configured\.\nfix: Run `svc login/, call(['account', 'get'], { key: '' })],
      [4, /^not_found/, call(['developers', 'webhook', 'get', '--endpoint-id', id])],
      [5, /^last_key/, lastKey()],
      [
        2,
        /refuse to connect to port 6000\.\nfix: Use an address with another port/,
        runSvc(['account', 'get', '--base-url', 'http://127.0.0.1:6000'], { key: 'x' }),
      ],
      [
        1,
        /cannot be reached: .*\nfix: Start the server/,
        runSvc(['account', 'get', '--base-url', 'http://127.0.0.1:2'], { key: 'x' }),
      ],
    ];
    for (const [code, words, running] of cases) {
      const { code: ended, stderr, stdout } = await running;
      expect(stderr).to.match(words);
      expect([ended, stdout]).to.deep.equal([code, '']);
    }
    const json = await call(['developers', 'webhook', 'get', '--endpoint-id', id, '--json']);
    expect(printed(json.stderr)).to.have.nested.property('error.code', 'not_found');
  });

  const lastKey = async (): Promise<Ran> => {
    const fresh = await platform.account();
    const { keys } = await fresh.svcTest.call('developers.key.list', {});
    const keyId = keys.find(({ kind }) => kind === 'secret')?.id ?? '';
    return call(['developers', 'key', 'revoke', '--key-id', keyId, '--yes'], { key: fresh.keys.test.secret });
  };

  it('refuses destructive operations without a terminal, unless --yes is given', async () => {
    const fresh = await platform.account();
    const key = fresh.keys.live.secret;
    const refused = await call(['account', 'close', '--reason', 'No longer needed'], { key });
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.contain('fix: Pass --yes');
    expect((await fresh.svcTest.call('account.get', {})).account.closedAt).to.equal(null);
    const done = await call(['account', 'close', '--reason', 'No longer needed', '--yes'], { key });
    expect(done.code, done.stderr).to.equal(0);
    expect(resultOf(done.stdout)).to.have.nested.property('account.closedReason', 'No longer needed');
  });
});
