import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { addMember, auditOf, eventNames } from '../support.js';
import { dashboardOf, dashboardSession, inEnvironment, withSession } from '../dashboard/support.js';

describe('account.member.accept', () => {
  needProducts('auth');
  const platform = usePlatform();
  // All calls come from one address, so each test starts with a new count.
  beforeEach(() => platform.clock.advance(minutes(10)));

  const newToken = (): string => `svc_iv_${randomToken(43)}`;
  const invited = async (
    account: TestAccount,
    facts: { role?: 'owner' | 'developer' } = {},
  ): Promise<{ token: string; email: string; memberId: string }> => {
    const token = newToken();
    const email = `Ada-${randomToken(6)}@example.com`;
    const { role = 'developer' } = facts;
    const { id } = await addMember(platform, account, { role, status: 'invited', email, token });
    return { token, email, memberId: id };
  };

  it('makes the invited person an active member, who acts in the account from now on', async () => {
    const account = await platform.account();
    const { token, email, memberId } = await invited(account);
    const session = await dashboardSession(platform, email.toLowerCase());
    const { accessToken } = session;
    const { activityId, result } = await platform.api.envelope('account.member.accept', { token, accessToken });
    expect(result).to.include({ activityId, accountId: account.accountId });
    expect(result.member).to.include({
      id: memberId,
      email,
      role: 'developer',
      status: 'active',
      inviteExpiresAt: null,
      acceptedAt: platform.clock.now().toISOString(),
    });
    const { member } = await withSession(platform, session).call(
      'developers.key.current',
      {},
      inEnvironment(account.live),
    );
    expect(member).to.deep.equal(result.member);
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'account.member.accept',
      subjectId: memberId,
      summary: `${email} accepted the invitation and joined as developer.`,
      changes: [{ field: 'status', from: 'invited', to: 'active' }],
      accountWide: true,
    });
    expect(await eventNames(platform, account.live)).to.include('account.member.accepted');
    expect(await eventNames(platform, account.test)).not.to.include('account.member.accepted');
    const { activities } = await account.svc.call('account.activity.list', { operation: 'account.member.accept' });
    expect(activities.map(({ id }) => id)).to.deep.equal([activityId]);
  });

  itNeeding('email')('keeps no token that could be sent again', async () => {
    const account = await platform.account();
    await account.svc.call('account.member.invite', { email: 'ada@example.com' });
    const { database, vault } = platform.running.services;
    const [row] = await database.rows<{ id: Buffer; invite_sealed: Buffer }>(
      'SELECT id, invite_sealed FROM account_member WHERE account_id = ? AND invite_sealed IS NOT NULL',
      [idBytes(account.accountId)],
    );
    const id = row?.id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? '';
    const cell = { table: 'account_member', column: 'invite_sealed', row: id };
    const token = vault.open(row?.invite_sealed ?? Buffer.alloc(0), cell).toString();
    const { accessToken } = await dashboardSession(platform, 'ada@example.com');
    await platform.api.call('account.member.accept', { token, accessToken });
    const sealed = `account_id = UNHEX('${account.accountId.replaceAll('-', '')}') AND invite_sealed IS NOT NULL`;
    expect(await platform.count('account_member', sealed)).to.equal(0);
  });

  it('answers a repeat by the same person alike, with a record of its own and no event', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const { accessToken } = await dashboardSession(platform, email);
    const first = await platform.api.envelope('account.member.accept', { token, accessToken });
    platform.clock.advance(days(8));
    const { accessToken: later } = await dashboardSession(platform, email);
    const again = await platform.api.envelope('account.member.accept', { token, accessToken: later });
    expect(again.result).to.deep.equal({ ...first.result, activityId: again.activityId });
    expect(again.activityId).not.to.equal(first.activityId);
    const accepted = (await eventNames(platform, account.live)).filter((name) => name === 'account.member.accepted');
    expect(accepted).to.have.length(1);
  });

  it('answers invite_accepted to anybody else, whatever Idempotency-Key they send', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const { accessToken } = await dashboardSession(platform, email);
    const idempotencyKey = newId();
    await platform.api.call('account.member.accept', { token, accessToken }, { idempotencyKey });
    const { accessToken: other } = await dashboardSession(platform, 'mallory@example.com');
    const refused = await platform.api.refusal(
      'account.member.accept',
      { token, accessToken: other },
      { idempotencyKey },
    );
    expect(refused).to.include({ status: 409, code: 'invite_accepted' });
  });

  it('refuses whoever has another address, or has not proven the invited one', async () => {
    const account = await platform.account();
    const { token, email, memberId } = await invited(account);
    const stranger = await dashboardSession(platform, 'mallory@example.com');
    const wrong = await platform.api.refusal('account.member.accept', { token, accessToken: stranger.accessToken });
    expect(wrong).to.include({ status: 403, code: 'invite_wrong_address' });
    const unproven = await dashboardSession(platform, email);
    await platform.running.services.database.run('UPDATE auth_identity SET verified_at = NULL WHERE user_id = ?', [
      idBytes(unproven.userId),
    ]);
    const unverified = await platform.api.refusal('account.member.accept', {
      token,
      accessToken: unproven.accessToken,
    });
    expect(unverified).to.include({ status: 403, code: 'invite_wrong_account' });
    expect(
      await platform.count('account_member', `id = UNHEX('${memberId.replaceAll('-', '')}') AND status = 'invited'`),
    ).to.equal(1);
  });

  it('takes an address that is not the user’s primary one, once it is proven', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const session = await dashboardSession(platform, `primary-${email}`);
    await platform.running.services.database.run(
      `INSERT INTO auth_identity (id, environment_id, user_id, kind, identity_key, value, provider, verified_at, is_primary, created_at)
       VALUES (?, ?, ?, 'email', ?, ?, NULL, NOW(3), 0, NOW(3))`,
      [
        idBytes(newId()),
        idBytes((await dashboardOf(platform)).id),
        idBytes(session.userId),
        email.toLowerCase(),
        email,
      ],
    );
    const { member } = await platform.api.call('account.member.accept', { token, accessToken: session.accessToken });
    expect(member).to.include({ email, status: 'active' });
  });

  it('needs a living dashboard session of the person themself', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const ended = await dashboardSession(platform, email);
    const { database } = platform.running.services;
    await database.update(sessions, { id: ended.sessionId }, { endedAt: platform.clock.now() });
    const impersonated = await dashboardSession(platform, email);
    await database.update(sessions, { id: impersonated.sessionId }, { impersonatorId: newId() });
    const junk = 'no token of any session';
    for (const accessToken of [ended.accessToken, impersonated.accessToken, junk]) {
      const refused = await platform.api.refusal('account.member.accept', { token, accessToken });
      expect(refused).to.include({ status: 401, code: 'token_invalid' });
    }
    const short = await platform.api.refusal('account.member.accept', { token, accessToken: 'x'.repeat(19) });
    expect(short).to.include({ status: 400, code: 'invalid_input' });
  });

  it('refuses tokens that are unknown, expired or withdrawn', async () => {
    const account = await platform.account();
    const expired = await invited(account);
    const removed = await invited(account);
    await account.svc.call('account.member.remove', { memberId: removed.memberId });
    platform.clock.advance(days(7));
    const codeOf = async (token: string, email: string): Promise<string> => {
      const { accessToken } = await dashboardSession(platform, email);
      return (await platform.api.refusal('account.member.accept', { token, accessToken })).code;
    };
    expect(await codeOf(newToken(), expired.email)).to.equal('not_found');
    expect(await codeOf(expired.token, expired.email)).to.equal('invite_expired');
    expect(await codeOf(removed.token, removed.email)).to.equal('invite_revoked');
    expect(await codeOf('svc_iv_short', expired.email)).to.equal('invalid_input');
  });

  it('takes a session with the second factor that the dashboard requires', async () => {
    const account = await platform.account();
    const { token, email, memberId } = await invited(account);
    const operator = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost', { mfa: true }));
    const dashboard = inEnvironment(await dashboardOf(platform));
    await operator.call('auth.settings.set', { mfa: { required: true } }, dashboard);
    try {
      const { accessToken } = await dashboardSession(platform, email);
      const refused = await platform.api.refusal('account.member.accept', { token, accessToken });
      expect(refused).to.include({ status: 403, code: 'mfa_required' });
      expect(await eventNames(platform, account.live)).not.to.include('account.member.accepted');
      const twoSteps = await dashboardSession(platform, email, { mfa: true });
      const { member } = await platform.api.call('account.member.accept', {
        token,
        accessToken: twoSteps.accessToken,
      });
      expect(member).to.include({ id: memberId, status: 'active' });
    } finally {
      await operator.call('auth.settings.reset', {}, dashboard);
    }
  });

  it('does not bring a removed member back', async () => {
    const account = await platform.account();
    const { token, email, memberId } = await invited(account);
    const { accessToken } = await dashboardSession(platform, email);
    await platform.api.call('account.member.accept', { token, accessToken });
    await account.svc.call('account.member.remove', { memberId });
    const refused = await platform.api.refusal('account.member.accept', { token, accessToken });
    expect(refused).to.include({ code: 'invite_revoked' });
    expect(refused.fix).to.equal('Ask an owner or admin of the account to invite you again.');
  });

  it('accepts once when the same link is sent twenty times at once on two nodes', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const { accessToken } = await dashboardSession(platform, email);
    const node = await platform.secondNode();
    const there = node.as('');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? platform.api : there).call('account.member.accept', { token, accessToken }),
      ),
    );
    const [first] = answers;
    // Each has an audit record of its own.
    for (const { activityId, ...rest } of answers)
      expect({ activityId: first?.activityId, ...rest }).to.deep.equal(first);
    expect(new Set(answers.map(({ activityId }) => activityId))).to.have.property('size', answers.length);
    const accepted = (await eventNames(platform, account.live)).filter((name) => name === 'account.member.accepted');
    expect(accepted).to.have.length(1);
    await node.stop();
  });

  it('makes an owner of whoever was invited as one', async () => {
    const account = await platform.account();
    const { token, email, memberId } = await invited(account, { role: 'owner' });
    const { accessToken } = await dashboardSession(platform, email);
    await platform.api.call('account.member.accept', { token, accessToken });
    await account.svc.call('account.member.remove', { memberId: account.memberId });
    expect(await account.svc.refusal('account.member.remove', { memberId })).to.include({ code: 'last_owner' });
  });

  it('may be tried 20 times per IP in 10 minutes, shown invitations included', async () => {
    const account = await platform.account();
    const { token, email } = await invited(account);
    const { accessToken } = await dashboardSession(platform, email);
    for (let n = 0; n < 10; n += 1) await platform.api.call('account.invite.describe', { token });
    for (let n = 0; n < 10; n += 1) await platform.api.call('account.member.accept', { token, accessToken });
    const refused = await platform.api.refusal('account.member.accept', { token, accessToken });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('20 per IP address in 10 minutes');
  });
});
