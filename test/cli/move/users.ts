import { expect } from 'chai';
import type { Client, MoveSuite } from './suite.js';
import { exported } from './support.js';

export function userSuite({ start, write }: MoveSuite): void {
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
      expect(alone.stderr).to.contain('The file with password hashes is missing.').and.contain('--no-passwords');
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

    it('auth0: judges a file by more than its first record, and reports incomplete records and rows', async () => {
      const { move, svc, signIn } = await start();
      const hash = '$2b$10$Wr9iBa3qi/.lR3ThEi/HcuWTaUxSq9ojrc4BjPwdDSu5bQp/PMyUK';
      const users = await write(
        'first-is-short.json',
        '{"email":"nobody@example.com"}\n{"user_id":"auth0|ann","email":"ann@example.com","email_verified":true}\n',
      );
      const passwords = await write(
        'first-has-none.ndjson',
        `{"_id":{"$oid":"old"},"email":"old@example.com"}\n{"_id":{"$oid":"ann"},"passwordHash":"${hash}"}\n`,
      );
      const moved = await move('auth0', passwords, users);
      expect(moved).to.deep.include({
        written: { 'users created': 1 },
        failed: ['the record has no user_id: 1', 'the record has no passwordHash: 1'],
      });
      await signIn('ann@example.com', 'correct horse 1');
      const neither = await move('auth0', await write('neither.json', '{"email":"a@example.com"}\n{"name":"B"}\n'));
      expect(neither.stderr).to.contain('It has email, name; expected is user_id');
      expect(neither.code).to.equal(2);

      const rows = [
        'auth0|one,one@example.com,true',
        'auth0|two,two@example.com',
        'auth0|three,three@example.com,true,x',
      ];
      const table = await write('users.csv', ['Id,Email,Email Verified', ...rows].join('\n'));
      const { code, written, failed } = await move('auth0', table, '--no-passwords');
      expect({ code, written, failed }).to.deep.equal({
        code: 1,
        written: { 'users created': 1 },
        failed: ['the row has 2 cells, and the header line 3: 3', 'the row has 4 cells, and the header line 3: 4'],
      });
      expect((await svc.call('auth.user.list', {})).users).to.have.length(2);
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
}
