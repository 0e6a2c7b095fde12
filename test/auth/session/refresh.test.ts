import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { newId } from '#core/runtime/id.js';
import { userOf, signedIn } from '#test/auth/support.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';

describe('auth.session.refresh', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  it('answers new tokens of the same session, which lives anew from then on and shows where its client is', async () => {
    const { live, keys, svc } = await platform.account();
    const first = await signedIn(platform, live);
    platform.clock.advance(days(20));
    const { tokens, user } = await svc.call(
      'auth.session.refresh',
      { refreshToken: first.refreshToken },
      {
        key: keys.live.publishable,
        headers: {
          'User-Agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; rv:140.0) Gecko/20100101 Firefox/140.0',
        },
      },
    );
    expect(user.id).to.equal(first.userId);
    expect(tokens.refreshToken).to.not.equal(first.refreshToken);
    expect(decodeJwt(tokens.accessToken)).to.include({ sub: first.userId, sid: first.sessionId, fam: first.sessionId });
    const expiresAt = new Date(platform.clock.now().getTime() + days(30)).toISOString();
    expect(tokens.refreshTokenExpiresAt).to.equal(expiresAt);
    const { sessions } = await svc.call('auth.session.list', { userId: first.userId });
    expect(sessions).to.have.length(1);
    expect(sessions[0]).to.deep.include({
      expiresAt,
      device: { browser: 'Firefox 140', os: 'macOS Catalina', kind: 'desktop' },
      lastUsedAt: platform.clock.now().toISOString(),
    });
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types).to.include('auth.session.refreshed');
  });

  it('ends the session for everybody when a spent token is presented, and says so once', async () => {
    const { live, keys, svc } = await platform.account();
    const key = keys.live.publishable;
    const first = await signedIn(platform, live);
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken: first.refreshToken }, { key });
    const again = { refreshToken: first.refreshToken };
    expect(await svc.refusal('auth.session.refresh', again, { key })).to.include({
      status: 401,
      code: 'refresh_reused',
    });
    const latest = { refreshToken: tokens.refreshToken };
    expect((await svc.refusal('auth.session.refresh', latest, { key })).code).to.equal('session_revoked');
    expect((await svc.refusal('auth.session.refresh', again, { key })).code).to.equal('refresh_reused');
    const ended = (await platform.events(live)).filter(({ type }) => type === 'auth.session.family_revoked');
    expect(ended.map(({ subjectId }) => subjectId)).to.deep.equal([first.sessionId]);
    expect(await svc.call('auth.session.verify', { accessToken: tokens.accessToken })).to.include({
      valid: false,
      reason: 'session_ended',
    });
  });

  it('lets one of twenty calls with the same token at once on two nodes succeed, and ends the family', async () => {
    const { live, keys, svc } = await platform.account();
    const { refreshToken, sessionId } = await signedIn(platform, live);
    const [here, there] = [platform.api, second.node?.as('') ?? platform.api];
    const body = JSON.stringify({ refreshToken });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).raw('/auth/session/refresh', body, { key: keys.live.publishable }),
      ),
    );
    const succeeded = answers.filter((answer) => answer.status === 200);
    expect(succeeded).to.have.length(1);
    const refused = answers.filter((answer) => answer.status === 401 && answer.text.includes('"refresh_reused"'));
    expect(refused).to.have.length(19);
    const { sessions } = await svc.call('auth.session.list', { userId: await userOf(platform, live), live: false });
    expect(sessions.find(({ id }) => id === sessionId)?.endReason).to.equal('refresh_reused');
    const events = (await platform.events(live)).map(({ type }) => type);
    expect(events.filter((type) => type === 'auth.session.refreshed')).to.have.length(1);
    expect(events.filter((type) => type === 'auth.session.family_revoked')).to.have.length(1);
  });

  it('answers a repeat with its Idempotency-Key the same tokens, which are stored sealed', async () => {
    const { live, keys, svc } = await platform.account();
    const { refreshToken, userId } = await signedIn(platform, live);
    const options = { key: keys.live.publishable, idempotencyKey: newId() };
    const first = await svc.call('auth.session.refresh', { refreshToken }, options);
    expect(await svc.call('auth.session.refresh', { refreshToken }, options)).to.deep.equal(first);
    const { sessions } = await svc.call('auth.session.list', { userId });
    expect(sessions.map(({ endedAt }) => endedAt)).to.deep.equal([null]);
    const rows = await platform.running.services.database.rows<{ answer: Buffer | string | null }>(
      'SELECT * FROM svc_idempotency',
    );
    const stored = rows.map((row) => Object.values(row).map(String).join(' ')).join(' ');
    expect(stored).to.not.contain(first.tokens.refreshToken);
    expect(stored).to.not.contain(first.tokens.accessToken);
  });

  it('refuses each session that is over with its own code', async () => {
    const account = await platform.account();
    const { live, keys, svc } = account;
    const key = keys.live.publishable;
    const code = async (refreshToken: string): Promise<string> =>
      (await svc.refusal('auth.session.refresh', { refreshToken }, { key })).code;
    const revoked = await signedIn(platform, live);
    await svc.call('auth.session.revoke', { sessionId: revoked.sessionId });
    expect(await code(revoked.refreshToken)).to.equal('session_revoked');
    const expired = await signedIn(platform, live);
    platform.clock.advance(days(30));
    expect(await code(expired.refreshToken)).to.equal('session_expired');
    const banned = await signedIn(platform, live, { email: 'banned@example.com' });
    await platform.running.services.database.run('UPDATE auth_user SET banned_at = ? WHERE email_key = ?', [
      platform.clock.now(),
      Buffer.from('banned@example.com'),
    ]);
    expect(await code(banned.refreshToken)).to.equal('user_banned');
  });

  it('refuses tokens that svc did not make for this environment', async () => {
    const { live, test, keys, svc } = await platform.account();
    const key = keys.live.publishable;
    const { refreshToken } = await signedIn(platform, live);
    const other = await signedIn(platform, test);
    const stranger = await signedIn(platform, (await platform.account()).live);
    const bytes = Buffer.from(refreshToken.slice('svc_rt_'.length), 'base64url');
    bytes.writeUInt32BE(1, 16);
    const nextGeneration = `svc_rt_${bytes.toString('base64url')}`;
    const flipped = `${refreshToken.slice(0, -2)}${refreshToken.at(-2) === 'A' ? 'B' : 'A'}${refreshToken.at(-1) ?? ''}`;
    for (const token of ['svc_rt_', 'svc_rt_x', other.refreshToken, stranger.refreshToken, nextGeneration, flipped])
      expect((await svc.refusal('auth.session.refresh', { refreshToken: token }, { key })).code).to.equal(
        'session_invalid',
      );
    await svc.call('auth.session.refresh', { refreshToken }, { key });
  });

  it('follows changed lifetimes and claims, and takes claims from metadata alone', async () => {
    const { live, keys, svc } = await platform.account();
    const { refreshToken, userId } = await signedIn(platform, live);
    await svc.call('auth.settings.set', {
      accessTokenSeconds: 300,
      refreshTokenSeconds: 3600,
      claims: { plan: 'plan', nothing: 'absent' },
    });
    await platform.running.services.database.run(
      `UPDATE auth_user SET metadata = '{"plan":"pro","sub":"other"}', user_metadata = '{"plan":"forged"}' WHERE email_key = 'ada@example.com'`,
    );
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken }, { key: keys.live.publishable });
    const claims = decodeJwt(tokens.accessToken);
    expect(claims).to.include({ plan: 'pro', sub: userId });
    expect(claims).to.not.have.property('nothing');
    const now = platform.clock.now().getTime();
    expect(Date.parse(tokens.accessTokenExpiresAt) - now).to.equal(minutes(5));
    expect(Date.parse(tokens.refreshTokenExpiresAt) - now).to.equal(minutes(60));
  });
});
