import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { auditOf } from '#test/account/support.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { addedIdentity, signedIn, startedCode, userOf } from '#test/auth/support.js';
import { hours, minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';

describe('Addresses of a signed-in user', () => {
  const test = useSignInMail();
  const { platform } = test;
  let people = 0;
  const newEmail = (): string => `person-${(people += 1)}@example.com`;

  const signIn = async (account: TestAccount, email = newEmail()) => ({
    ...(await signedIn(platform, account.live, { email })),
    email,
  });
  const identityIdOf = async (email: string): Promise<string> => {
    const [row] = await platform.running.services.database.rows<{ id: string }>(
      "SELECT LOWER(CONCAT_WS('-', SUBSTR(HEX(id),1,8), SUBSTR(HEX(id),9,4), SUBSTR(HEX(id),13,4), SUBSTR(HEX(id),17,4), SUBSTR(HEX(id),21))) AS id FROM auth_identity WHERE identity_key = ?",
      [Buffer.from(email)],
    );
    return row?.id ?? '';
  };
  const typesOf = async (account: TestAccount, activityId: string): Promise<string[]> =>
    (await platform.events(account.live))
      .filter((event) => event.activityId === activityId && event.type.startsWith('auth.'))
      .map(({ type }) => type);

  describe('auth.identity.add and auth.identity.verify', () => {
    it('take twenty of each kind, and then say what to do; two at once are counted exactly', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId } = await signIn(account);
      // With the first one 18: both may be started, and then two more have room.
      for (let n = 0; n < 18; n += 1) await addedIdentity(platform, account.live, userId, { email: newEmail() });
      const code = '271828';
      const challenges = await Promise.all(
        [1, 2, 3].map(() => startedCode(platform, account.live, { email: newEmail(), code, userId })),
      );
      const answers = await Promise.all(
        challenges.map((challengeId) =>
          app.call('auth.identity.verify', { accessToken, challengeId, code }).then(
            () => 'added',
            (error: unknown) => String(error),
          ),
        ),
      );
      expect(answers.filter((answer) => answer === 'added')).to.have.length(1);
      expect(answers.filter((answer) => answer.includes('limit_reached'))).to.have.length(2);
      const full = await app.refusal('auth.identity.add', { accessToken, email: newEmail() });
      expect(full).to.include({ status: 409, code: 'limit_reached' });
      expect(full.message).to.contain('20 addresses of this user');
      expect(full.fix).to.contain('auth.identity.remove');
    });

    it('add an address once its code is entered, and tell the primary one', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId, email } = await signIn(account);
      const added = newEmail();
      const { activityId, result: started } = await app.envelope('auth.identity.add', { accessToken, email: added });
      expect(started.sentTo).to.equal('p•••@example.com');
      expect(started.expiresAt).to.equal(new Date(platform.clock.now().getTime() + minutes(10)).toISOString());
      expect(await typesOf(account, activityId)).to.deep.equal(['auth.identity.add_started']);
      const code = await test.codeTo(added);
      const { challengeId } = started;
      const done = await app.envelope('auth.identity.verify', { accessToken, challengeId, code });
      expect(done.result.identity).to.include({ kind: 'email', value: added, primary: false });
      expect(done.result.identity.verifiedAt).to.equal(platform.clock.now().toISOString());
      expect(await typesOf(account, done.activityId)).to.deep.equal(['auth.identity.added']);
      expect(await auditOf(platform, done.activityId)).to.include({ subjectId: userId, summary: 'Added an address.' });
      const [notice] = await test.mailsTo(email);
      expect(notice?.parsed.subject).to.equal('A way to sign in was added');
      expect(notice?.parsed.text).to.contain(added).and.to.contain('127.0.0.1');
      // The new address signs the same user in.
      const again = await startedCode(platform, account.live, { email: added });
      const { user } = await app.call('auth.signin.verify', { challengeId: again, code: '271828' });
      expect(user?.id).to.equal(userId);
    });

    it('refuse an address that the user has, and tell of another user’s only who has proven it', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, email } = await signIn(account);
      const own = await app.raw('/auth/identity/add', JSON.stringify({ accessToken, email: email.toUpperCase() }));
      expect(own.status).to.equal(409);
      expect(own.text).to.contain('"code":"identity_exists"');
      const theirs = newEmail();
      await userOf(platform, account.live, theirs);
      const { challengeId } = await app.call('auth.identity.add', { accessToken, email: theirs });
      const code = await test.codeTo(theirs);
      const taken = await app.raw('/auth/identity/verify', JSON.stringify({ accessToken, challengeId, code }));
      expect(taken.status).to.equal(409);
      expect(taken.text).to.contain('"code":"identity_taken"');
      const again = await app.refusal('auth.identity.verify', { accessToken, challengeId, code });
      expect(again.code).to.equal('challenge_used');
    });

    it('give an address to one of two users who prove it at the same time', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const email = newEmail();
      const calls = [await signIn(account), await signIn(account)].map(async ({ accessToken, userId }) => {
        const challengeId = await startedCode(platform, account.live, { email, userId });
        const input = JSON.stringify({ accessToken, challengeId, code: '271828' });
        return (await app.raw('/auth/identity/verify', input)).status;
      });
      expect((await Promise.all(calls)).sort()).to.deep.equal([200, 409]);
    });

    it('count tries, and belong to the user who started', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const [{ accessToken, userId }, other] = [await signIn(account), await signIn(account)];
      const challengeId = await startedCode(platform, account.live, { email: newEmail(), userId });
      const input = { accessToken, challengeId, code: '000000' };
      const stranger = { ...input, accessToken: other.accessToken, code: '271828' };
      expect((await app.refusal('auth.identity.verify', stranger)).code).to.equal('not_found');
      for (const attemptsLeft of [4, 3, 2, 1, 0]) {
        const refused = await app.refusal('auth.identity.verify', input);
        expect([refused.code, refused.details]).to.deep.equal(['wrong_code', { attemptsLeft }]);
      }
      expect((await app.refusal('auth.identity.verify', { ...input, code: '271828' })).code).to.equal(
        'challenge_locked',
      );
      const late = await startedCode(platform, account.live, { email: newEmail(), userId });
      platform.clock.advance(minutes(10));
      const expired = { accessToken, challengeId: late, code: '271828' };
      expect((await app.refusal('auth.identity.verify', expired)).code).to.equal('challenge_expired');
    });

    it('cannot be exchanged: the code of a sign-in adds nothing, that of an address signs nobody in', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId } = await signIn(account);
      const signin = await startedCode(platform, account.live, { email: newEmail() });
      const adding = await startedCode(platform, account.live, { email: newEmail(), userId });
      const first = await app.refusal('auth.identity.verify', { accessToken, challengeId: signin, code: '271828' });
      const second = await app.refusal('auth.signin.verify', { challengeId: adding, code: '271828' });
      expect([first.code, second.code]).to.deep.equal(['not_found', 'not_found']);
    });

    it('are limited to five an hour per user, and count against the starts per IP address', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken } = await signIn(account);
      const add = () => app.raw('/auth/identity/add', JSON.stringify({ accessToken, email: newEmail() }));
      for (let n = 0; n < 5; n += 1) expect((await add()).status).to.equal(200);
      expect((await add()).text)
        .to.contain('"rate_limited"')
        .and.to.contain('5 per hour per user');
      await account.svc.call('auth.settings.set', { rateLimits: { startPerIp: { max: 1 } } });
      const other = await signIn(account);
      await app.call('auth.signin.start', { email: newEmail() }, from('203.0.113.7'));
      const input = { accessToken: other.accessToken, email: newEmail() };
      const refused = await app.refusal('auth.identity.add', input, from('203.0.113.7'));
      expect(refused.code).to.equal('rate_limited');
    });

    it('count against the starts of their address, from one IP address and from all', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const email = newEmail();
      const add = async (ip: string): Promise<string> => {
        const { accessToken } = await signIn(account);
        const answer = await app.raw('/auth/identity/add', JSON.stringify({ accessToken, email }), from(ip));
        return answer.status === 200 ? 'sent' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.text);
      };
      const answers: string[] = [];
      for (let n = 0; n < 6; n += 1) answers.push(await add('203.0.113.1'));
      expect(answers).to.deep.equal([...Array.from({ length: 5 }, () => 'sent'), 'rate_limited']);
      for (let n = 0; n < 15; n += 1) expect(await add(`203.0.113.${10 + Math.floor(n / 5)}`)).to.equal('sent');
      expect(await add('203.0.113.99'), 'twenty from all IP addresses').to.equal('rate_limited');
      expect((await app.refusal('auth.signin.start', { email }, from('203.0.113.98'))).code).to.equal('rate_limited');
    });

    it('need a recent sign-in to start, and a session of the user’s own', async () => {
      const account = await platform.account();
      const { accessToken } = await signIn(account);
      platform.clock.advance(minutes(10));
      const refused = await test.app(account).refusal('auth.identity.add', { accessToken, email: newEmail() });
      expect([refused.status, refused.code]).to.deep.equal([403, 'reauth_required']);
    });

    it('send nothing once the budget of system mail is used up, nor while the account is closed', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const add = async (): Promise<{ accessToken: string; email: string }> => ({
        accessToken: (await signIn(account)).accessToken,
        email: newEmail(),
      });
      await app.call('auth.identity.add', await add());
      const { database, clock } = platform.running.services;
      await database.run('UPDATE svc_limit SET hits = 500 WHERE resets_at = ?', [
        new Date(clock.now().getTime() + hours(1)),
      ]);
      const spent = await app.refusal('auth.identity.add', await add());
      expect([spent.status, spent.code]).to.deep.equal([429, 'auth_send_limited']);
      await account.svc.call('account.close', { reason: 'Over.' });
      const closed = await app.refusal('auth.identity.add', await add());
      expect([closed.status, closed.code]).to.deep.equal([403, 'account_closed']);
    });

    it('refuse a number where no product sends texts', async () => {
      const account = await platform.account();
      const { accessToken } = await signIn(account);
      const { code } = await test.app(account).refusal('auth.identity.add', { accessToken, phone: '+4915123456789' });
      expect(code).to.equal('method_disabled');
    });

    it('prove an address that a server had stored for the user', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId } = await signIn(account);
      const email = newEmail();
      const identityId = await addedIdentity(platform, account.live, userId, { email, verified: false });
      const { challengeId } = await app.call('auth.identity.add', { accessToken, email });
      const code = await test.codeTo(email);
      const { identity } = await app.call('auth.identity.verify', { accessToken, challengeId, code });
      expect(identity).to.include({ id: identityId, value: email });
      expect(identity.verifiedAt).to.not.equal(null);
    });
  });

  describe('auth.identity.remove', () => {
    it('removes an address and tells it and the primary one', async () => {
      const account = await platform.account();
      const { accessToken, userId, email } = await signIn(account);
      const removed = newEmail();
      const identityId = await addedIdentity(platform, account.live, userId, { email: removed });
      const { activityId, result } = await test
        .app(account)
        .envelope('auth.identity.remove', { accessToken, identityId });
      expect(result.identity).to.include({ id: identityId, value: removed, primary: false });
      expect(await typesOf(account, activityId)).to.deep.equal(['auth.identity.removed']);
      for (const to of [email, removed])
        expect((await test.mailsTo(to))[0]?.parsed.subject).to.equal('A way to sign in was removed');
    });

    it('makes the oldest proven address the primary one where the primary one goes', async () => {
      const account = await platform.account();
      const { accessToken, userId, email } = await signIn(account);
      await addedIdentity(platform, account.live, userId, { email: newEmail(), verified: false });
      const next = newEmail();
      await addedIdentity(platform, account.live, userId, { email: next });
      const identityId = await identityIdOf(email);
      const { activityId } = await test.app(account).envelope('auth.identity.remove', { accessToken, identityId });
      const updated = (await platform.events(account.live)).find(
        (event) => event.activityId === activityId && event.type === 'auth.user.updated',
      );
      expect(updated?.data['user']).to.include({ id: userId, email: next, emailVerified: true });
    });

    it('keeps the last way to sign in, also of two removals at the same time', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId, email } = await signIn(account);
      const ids = [
        await identityIdOf(email),
        await addedIdentity(platform, account.live, userId, { email: newEmail() }),
      ];
      const answers = await Promise.all(
        ids.map((identityId) => app.raw('/auth/identity/remove', JSON.stringify({ accessToken, identityId }))),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.text).to.contain('"no_usable_signin_method"');
      expect(await platform.count('auth_identity', `user_id = 0x${userId.replaceAll('-', '')}`)).to.equal(1);
    });

    it('respects the settings: an address is not a way to sign in if codes, links and passwords are off', async () => {
      const account = await platform.account();
      const { accessToken, userId } = await signIn(account);
      const identityId = await addedIdentity(platform, account.live, userId, { email: newEmail() });
      await account.svc.call('auth.settings.set', { methods: { code: { enabled: false }, link: { enabled: false } } });
      const { code } = await test.app(account).refusal('auth.identity.remove', { accessToken, identityId });
      expect(code).to.equal('no_usable_signin_method');
    });

    it('knows no identity of another user, and needs a recent sign-in', async () => {
      const account = await platform.account();
      const [one, other] = [await signIn(account), await signIn(account)];
      const identityId = await addedIdentity(platform, account.live, other.userId, { email: newEmail() });
      const app = test.app(account);
      const input = { accessToken: one.accessToken, identityId };
      const unknown = await app.raw('/auth/identity/remove', JSON.stringify(input));
      expect(unknown.text).to.contain('"code":"not_found"');
      platform.clock.advance(minutes(11));
      expect((await app.refusal('auth.identity.remove', input)).code).to.equal('reauth_required');
    });
  });

  describe('auth.identity.primary.set', () => {
    it('makes a proven address the primary one, and tells both', async () => {
      const account = await platform.account();
      const app = test.app(account);
      const { accessToken, userId, email } = await signIn(account);
      const next = newEmail();
      const identityId = await addedIdentity(platform, account.live, userId, { email: next });
      const { activityId, result } = await app.envelope('auth.identity.primary.set', { accessToken, identityId });
      expect(result.user).to.include({ id: userId, email: next, emailVerified: true });
      expect(await typesOf(account, activityId)).to.deep.equal(['auth.user.updated']);
      expect(await auditOf(platform, activityId)).to.deep.include({
        summary: 'Changed the primary address.',
        changes: [{ field: 'email', from: email, to: next }],
      });
      for (const to of [email, next]) {
        const [notice] = await test.mailsTo(to);
        expect(notice?.parsed.subject).to.equal('Your primary address or number was changed');
        expect(notice?.parsed.text).to.contain(next);
      }
      const repeat = await app.envelope('auth.identity.primary.set', { accessToken, identityId });
      expect(await typesOf(account, repeat.activityId)).to.deep.equal([]);
      expect(
        await platform.count('auth_identity', `user_id = 0x${userId.replaceAll('-', '')} AND is_primary = 1`),
      ).to.equal(1);
    });

    it('refuses an address that is not proven', async () => {
      const account = await platform.account();
      const { accessToken, userId } = await signIn(account);
      const identityId = await addedIdentity(platform, account.live, userId, { email: newEmail(), verified: false });
      const refused = await test.app(account).refusal('auth.identity.primary.set', { accessToken, identityId });
      expect([refused.status, refused.code]).to.deep.equal([403, 'identity_unverified']);
      platform.clock.advance(hours(1));
    });
  });

  it('change in a session of the user’s own, after a recent sign-in, and in no impersonated one', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const { accessToken, userId, sessionId } = await signIn(account);
    const identityId = await addedIdentity(platform, account.live, userId, { email: newEmail() });
    const challengeId = await startedCode(platform, account.live, { email: newEmail(), userId });
    const calls = [
      ['auth.identity.add', { accessToken, email: newEmail() }],
      ['auth.identity.verify', { accessToken, challengeId, code: '271828' }],
      ['auth.identity.remove', { accessToken, identityId }],
      ['auth.identity.primary.set', { accessToken, identityId }],
    ] as const;
    const impersonate = (impersonator: Buffer | null) =>
      platform.running.services.database.run(
        'UPDATE auth_session SET impersonator_id = ?, impersonator_label = ? WHERE id = ?',
        [impersonator, impersonator && 'Support', idBytes(sessionId)],
      );
    await impersonate(idBytes(account.memberId));
    for (const [name, input] of calls)
      expect((await app.refusal(name, input)).code, name).to.equal('impersonation_forbidden');
    await impersonate(null);
    platform.clock.advance(minutes(10) - 1);
    await app.call('auth.identity.primary.set', { accessToken, identityId });
    platform.clock.advance(1);
    for (const [name, input] of calls.filter(([each]) => each !== 'auth.identity.verify'))
      expect((await app.refusal(name, input)).code, name).to.equal('reauth_required');
  });
});
