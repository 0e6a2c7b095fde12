import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { users } from '#plugins/auth/tables/user.js';
import { signedIn } from '#test/auth/support.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount, type TestNode } from '#test/support/platform.js';

/** A refresh whose reply is lost. The stored answers of calls are for 30 seconds; these tests remove them. */
describe('A repeated auth.session.refresh', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  /** A user who refreshed once, an hour ago, with a key. */
  async function refreshed(account: TestAccount, idempotencyKey = newId()) {
    const { svc, keys, live } = account;
    const { refreshToken, sessionId, userId } = await signedIn(platform, live);
    platform.clock.advance(minutes(15));
    const spent = { refreshToken };
    const call = { key: keys.live.publishable, idempotencyKey };
    const { tokens } = await svc.call('auth.session.refresh', spent, call);
    const latest = { refreshToken: tokens.refreshToken };
    await later(hours(1));
    /** Both with the key of the first call, unless another is given. */
    const repeat = (other: { idempotencyKey?: string } = {}) =>
      svc.call('auth.session.refresh', spent, { ...call, ...other });
    const refusal = async (other: { idempotencyKey?: string | undefined } = {}): Promise<string> => {
      const { key, idempotencyKey: withKey } = { ...call, ...other };
      const options = withKey === undefined ? { key } : { key, idempotencyKey: withKey };
      return (await svc.refusal('auth.session.refresh', spent, options)).code;
    };
    return { sessionId, userId, tokens, spent, latest, call, repeat, refusal };
  }

  /** Moves the clock, and removes what is stored for repeats, as after 30 seconds. */
  async function later(ms: number): Promise<void> {
    platform.clock.advance(ms);
    await platform.running.services.database.run('DELETE FROM svc_idempotency');
  }

  const countOf = async ({ live }: TestAccount, type: string): Promise<number> =>
    (await platform.events(live)).filter((each) => each.type === type).length;

  it('gets a refresh token that works, an hour or weeks later, again and again', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { tokens, sessionId, userId, repeat, call } = await refreshed(account);
    const again = await repeat();
    expect(again.tokens.refreshToken).to.not.equal(tokens.refreshToken);
    expect(again.user.id).to.equal(userId);
    const expiresAt = Date.parse(again.tokens.accessTokenExpiresAt);
    expect(expiresAt - platform.clock.now().getTime()).to.equal(minutes(15));
    const verified = await svc.call('auth.session.verify', { accessToken: again.tokens.accessToken });
    expect(verified).to.include({ valid: true });
    await later(days(20));
    const latest = { refreshToken: (await repeat()).tokens.refreshToken };
    const next = await svc.call('auth.session.refresh', latest, { key: call.key });
    expect(next.tokens.refreshToken).to.not.equal(latest.refreshToken);
    const { sessions } = await svc.call('auth.session.list', { userId });
    expect(sessions.map(({ id, endedAt }) => [id, endedAt])).to.deep.equal([[sessionId, null]]);
  });

  it('is a refresh of its own, with an audit record and an event', async () => {
    const account = await platform.account();
    const { sessionId, repeat } = await refreshed(account);
    await repeat();
    expect(await countOf(account, 'auth.session.refreshed')).to.equal(2);
    const { activities } = await account.svc.call('account.activity.list', { subjectId: sessionId });
    expect(activities.map(({ summary }) => summary)).to.deep.equal([
      'Refreshed a session again, because its reply was lost.',
      'Refreshed a session.',
    ]);
  });

  it('ends the family if the token of the first call is used too: a thief copied the token and the key', async () => {
    for (const isThiefFirst of [true, false]) {
      const account = await platform.account();
      const { svc } = account;
      const { latest, repeat, call } = await refreshed(account);
      // Of the two who have the token and the key, one got the reply and the other repeats the call.
      const repeated = { refreshToken: (await repeat()).tokens.refreshToken };
      const [first, second] = isThiefFirst ? [repeated, latest] : [latest, repeated];
      const refused = isThiefFirst
        ? [(await svc.call('auth.session.refresh', first, { key: call.key })).user.id.slice(0, 0)]
        : [(await svc.refusal('auth.session.refresh', first, { key: call.key })).code];
      refused.push((await svc.refusal('auth.session.refresh', second, { key: call.key })).code);
      expect(refused).to.deep.equal(isThiefFirst ? ['', 'refresh_reused'] : ['refresh_reused', 'session_revoked']);
      expect(await countOf(account, 'auth.session.family_revoked')).to.equal(1);
    }
  });

  it('is a reuse once the new token was used, and ends the family', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { latest, call, refusal } = await refreshed(account);
    const { tokens } = await svc.call('auth.session.refresh', latest, { key: call.key });
    expect(await refusal()).to.equal('refresh_reused');
    expect(await countOf(account, 'auth.session.family_revoked')).to.equal(1);
    const current = { refreshToken: tokens.refreshToken };
    expect((await svc.refusal('auth.session.refresh', current, { key: call.key })).code).to.equal('session_revoked');
  });

  for (const [without, idempotencyKey] of [
    ['with another key', newId()],
    ['without a key', undefined],
  ] as const)
    it(`is a reuse ${without}, and ends the family`, async () => {
      const account = await platform.account();
      const { refusal, latest, call } = await refreshed(account);
      expect(await refusal({ idempotencyKey })).to.equal('refresh_reused');
      const ended = await account.svc.refusal('auth.session.refresh', latest, { key: call.key });
      expect(ended.code).to.equal('session_revoked');
    });

  it('is a reuse with a key of fewer than 16 characters, which could be guessed', async () => {
    const account = await platform.account();
    const long = await refreshed(account, '1234567890123456');
    await long.repeat();
    const short = await refreshed(account, '123456789012345');
    expect(await short.refusal()).to.equal('refresh_reused');
  });

  it('is a reuse if the first call had no key', async () => {
    const account = await platform.account();
    const { svc, keys, live } = account;
    const { refreshToken } = await signedIn(platform, live);
    const { publishable: key } = keys.live;
    await svc.call('auth.session.refresh', { refreshToken }, { key });
    const call = { key, idempotencyKey: newId() };
    expect((await svc.refusal('auth.session.refresh', { refreshToken }, call)).code).to.equal('refresh_reused');
  });

  it('gets nothing after a sign-out, for a banned user and of an expired session', async () => {
    const account = await platform.account();
    const { svc } = account;
    const left = await refreshed(account);
    await svc.call('auth.session.signout', left.latest, { key: left.call.key });
    expect(await left.refusal()).to.equal('session_revoked');
    const expired = await refreshed(account);
    await later(days(30));
    expect(await expired.refusal()).to.equal('session_expired');
    const banned = await refreshed(account);
    // Without auth.user.ban, which also ends the sessions.
    const bannedAt = { bannedAt: platform.clock.now() };
    await platform.running.services.database.update(users, { id: banned.userId }, bannedAt);
    expect(await banned.refusal()).to.equal('user_banned');
    expect(await countOf(account, 'auth.session.family_revoked')).to.equal(0);
  });

  it('gets the same refresh token in twenty calls at once on two nodes', async () => {
    const account = await platform.account();
    const { spent, call } = await refreshed(account);
    const [here, there] = [platform.api, second.node?.as('') ?? platform.api];
    const body = JSON.stringify(spent);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).raw('/auth/session/refresh', body, call),
      ),
    );
    const repeated = answers.filter(({ status }) => status === 200);
    expect(repeated.length).to.be.greaterThan(0);
    const tokens = new Set(repeated.map(({ text }) => /"refreshToken":"([^"]+)"/.exec(text)?.[1] ?? ''));
    expect(tokens.size).to.equal(1);
    // The others are told to wait, as with every Idempotency-Key.
    const waiting = answers.filter(({ text }) => text.includes('"idempotency_in_progress"'));
    expect(repeated.length + waiting.length).to.equal(20);
    const [refreshToken = ''] = tokens;
    await account.svc.call('auth.session.refresh', { refreshToken }, { key: call.key });
    expect(await countOf(account, 'auth.session.refreshed')).to.equal(3);
  });

  it('keeps no key that a stolen database would reveal', async () => {
    const account = await platform.account();
    const { call } = await refreshed(account);
    const rows = await platform.running.services.database.rows<object>('SELECT * FROM auth_session');
    const stored = rows
      .flatMap((row): unknown[] => Object.values(row))
      .map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each)));
    for (const guessable of [call.idempotencyKey, sha256(call.idempotencyKey).toString('latin1')])
      expect(stored.join(' ')).to.not.contain(guessable);
  });
});
