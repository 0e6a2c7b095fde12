import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import type { Api } from '#test/support/api.js';
import { days, hours } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type ReceivedMail, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { dashboardSession, inEnvironment, withSession } from '../dashboard/support.js';
import { addMember, auditOf, eventNames, keyOf } from '../support.js';

describe('account.member.invite', () => {
  needProducts('email');
  const parts: { smtp?: SmtpReceiver } = {};
  const smtp = (): SmtpReceiver => {
    if (!parts.smtp) throw new Error('The receiver does not run.');
    return parts.smtp;
  };
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: parts.smtp.url };
    },
  });
  after(() => parts.smtp?.close());

  let names = 0;
  const newAddress = (): string => `guest-${(names += 1)}@example.com`;
  const mailsTo = async (email: string, count: number): Promise<ReceivedMail[]> => {
    const theirs = (received: ReceivedMail[]): ReceivedMail[] =>
      received.filter(({ recipients }) => recipients.includes(email));
    return theirs(await smtp().waitFor((received) => theirs(received).length >= count));
  };
  const tokenIn = (mail: ReceivedMail | undefined): string =>
    /\/invite\?token=(svc_iv_[A-Za-z0-9]{43})\s/.exec(mail?.parsed.text ?? '')?.[1] ?? 'none';
  const describe_ = (token: string): ReturnType<Api['refusal']> =>
    platform.api.refusal('account.invite.describe', { token });
  const membersOf = ({ accountId }: TestAccount, where = '1 = 1'): Promise<number> =>
    platform.count('account_member', `account_id = 0x${accountId.replaceAll('-', '')} AND ${where}`);
  const expiry = (): string => new Date(platform.clock.now().getTime() + days(7)).toISOString();

  it('invites an address: an invited member, an event, an audit record and a mail with the link', async () => {
    const account = await platform.account();
    const email = newAddress();
    const owner = await keyOf(platform, account, {
      role: 'owner',
      memberId: account.memberId,
      environment: account.live,
    });
    const { activityId, result } = await owner.envelope('account.member.invite', { email, role: 'admin' });
    expect(result.member).to.include({
      email,
      role: 'admin',
      status: 'invited',
      invitedBy: account.ownerEmail,
      acceptedAt: null,
    });
    expect(result.member.inviteExpiresAt).to.equal(expiry());
    const invited = (await platform.events(account.live)).find(({ type }) => type.startsWith('account.'));
    expect(invited).to.deep.equal({
      type: 'account.member.invited',
      subjectId: result.member.id,
      activityId,
      data: result,
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'account.member.invite',
      subjectId: result.member.id,
      summary: `Invited ${email} as admin.`,
      changes: [{ field: 'role', from: null, to: 'admin' }],
      accountWide: true,
    });
    const [mail] = await mailsTo(email, 1);
    expect(mail?.parsed.subject).to.equal(`${account.ownerEmail} invited you to Acme`);
    for (const words of ['Acme', account.ownerEmail, 'Admin', '7 days']) expect(mail?.parsed.text).to.contain(words);
    expect(mail?.parsed.html).to.contain(`/invite?token=${tokenIn(mail)}`);
    expect(await platform.api.call('account.invite.describe', { token: tokenIn(mail) })).to.deep.equal({
      accountName: 'Acme',
      email,
      role: 'admin',
      permissions: null,
      invitedBy: account.ownerEmail,
      expiresAt: expiry(),
    });
  });

  it('invites as a developer by default', async () => {
    const { svc } = await platform.account();
    expect((await svc.call('account.member.invite', { email: newAddress() })).member.role).to.equal('developer');
  });

  it('names no inviter where a key of the account alone invites', async () => {
    const { svc } = await platform.account();
    const email = newAddress();
    const { member } = await svc.call('account.member.invite', { email });
    expect(member.invitedBy).to.equal(null);
    const [mail] = await mailsTo(email, 1);
    expect(mail?.parsed.subject).to.equal('You’re invited to Acme');
    expect(mail?.parsed.text).to.contain('You’re invited to join Acme');
  });

  itNeeding('auth')(
    'sends the invitation to any address for a member in a test environment too, because it is system mail',
    async () => {
      const { ownerEmail, test } = await platform.account();
      const email = newAddress();
      const owner = withSession(platform, await dashboardSession(platform, ownerEmail));
      await owner.call('account.member.invite', { email }, inEnvironment(test));
      expect(await mailsTo(email, 1)).to.have.length(1);
    },
  );

  it('writes the mail in the project’s locale', async () => {
    const account = await platform.account();
    await account.svc.call('account.project.update', { projectId: account.projectId, locale: 'pt-BR' });
    const owner = await keyOf(platform, account, { role: 'owner', memberId: account.memberId });
    const email = newAddress();
    await owner.call('account.member.invite', { email });
    const [mail] = await mailsTo(email, 1);
    expect(mail?.parsed.subject).to.equal(`${account.ownerEmail} enviou-lhe um convite para Acme`);
    expect(mail?.parsed.text, 'the name of the role on the page').to.contain('com a função «Programador»');
    expect(mail?.parsed.html).to.contain('lang="pt-PT"');
  });

  it('reveals the link only in the mail', async () => {
    const account = await platform.account();
    const email = newAddress();
    const again = { idempotencyKey: 'invite-1' };
    const { text } = await account.svc.raw('/account/member/invite', JSON.stringify({ email }), again);
    const token = tokenIn((await mailsTo(email, 1))[0]);
    await platform.settled();
    expect(token).to.match(/^svc_iv_/);
    expect(text).not.to.contain('svc_iv_');
    expect(platform.logLines.join('\n')).not.to.contain(token);
    const { database } = platform.running.services;
    const columns = await database.rows<{ t: string; c: string }>(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE()
       AND data_type IN ('varchar', 'varbinary', 'text', 'mediumtext', 'longtext', 'blob', 'mediumblob', 'longblob', 'json')`,
    );
    expect(columns.length).to.be.greaterThan(50);
    // The search finds a value that is stored.
    expect(await platform.count('account_member', `INSTR(CAST(email AS BINARY), '${email}') > 0`)).to.equal(1);
    for (const { t, c } of columns) {
      expect(await platform.count(t, `INSTR(CAST(${c} AS BINARY), '${token}') > 0`), `${t}.${c}`).to.equal(0);
    }
  });

  it('sends the same link again, valid for 7 more days, with an event and an audit record', async () => {
    const account = await platform.account();
    const email = newAddress();
    const first = await account.svc.envelope('account.member.invite', { email });
    platform.clock.advance(days(7) - hours(1));
    const again = await account.svc.envelope('account.member.invite', { email });
    expect(again.result.member).to.deep.equal({ ...first.result.member, inviteExpiresAt: expiry() });
    const mails = await mailsTo(email, 2);
    expect(new Set(mails.map(tokenIn)).size).to.equal(1);
    expect((await eventNames(platform, account.live)).filter((name) => name.startsWith('account.'))).to.deep.equal([
      'account.member.invited',
      'account.member.invite_resent',
    ]);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.deep.include({
      summary: `Resent the invitation of ${email} as developer.`,
      changes: [{ field: 'inviteExpiresAt', from: first.result.member.inviteExpiresAt, to: expiry() }],
    });
  });

  it('sends a new link after the old one has expired, and the old one stays invalid', async () => {
    const { svc } = await platform.account();
    const email = newAddress();
    await svc.call('account.member.invite', { email });
    const [first] = await mailsTo(email, 1);
    platform.clock.advance(days(7));
    expect(await describe_(tokenIn(first))).to.include({ code: 'invite_expired' });
    await svc.call('account.member.invite', { email });
    const [, second] = await mailsTo(email, 2);
    expect(tokenIn(second)).not.to.equal(tokenIn(first));
    expect(await describe_(tokenIn(first))).to.include({ code: 'not_found' });
    await platform.api.call('account.invite.describe', { token: tokenIn(second) });
  });

  it('changes the role of an open invitation', async () => {
    const account = await platform.account();
    const email = newAddress();
    const { member } = await account.svc.call('account.member.invite', { email, role: 'viewer' });
    const { activityId, result } = await account.svc.envelope('account.member.invite', { email, role: 'admin' });
    expect(result.member).to.include({ id: member.id, role: 'admin', status: 'invited' });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'role', from: 'viewer', to: 'admin' },
    ]);
  });

  it('treats an address in upper and lower case as one member, separately for each account', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const email = newAddress();
    const { member } = await account.svc.call('account.member.invite', { email });
    const again = await account.svc.call('account.member.invite', { email: email.toUpperCase() });
    expect(again.member.id).to.equal(member.id);
    expect((await other.svc.call('account.member.invite', { email })).member.id).not.to.equal(member.id);
    expect(await membersOf(account)).to.equal(2);
  });

  it('invites a removed member again: the same member, a new invitation', async () => {
    const account = await platform.account();
    const gone = await addMember(platform, account, {
      role: 'admin',
      status: 'removed',
      acceptedAt: platform.clock.now(),
    });
    const created = gone.createdAt.toISOString();
    platform.clock.advance(hours(1));
    const { member } = await account.svc.call('account.member.invite', { email: gone.email, role: 'viewer' });
    expect(member).to.include({ id: gone.id, status: 'invited', role: 'viewer', acceptedAt: null, createdAt: created });
    expect(member.inviteExpiresAt).to.equal(expiry());
    expect(await eventNames(platform, account.live)).to.include('account.member.invited');
    const [mail] = await mailsTo(gone.email, 1);
    await platform.api.call('account.invite.describe', { token: tokenIn(mail) });
    expect(await membersOf(account, `id = 0x${idBytes(gone.id).toString('hex')} AND proven_at IS NULL`)).to.equal(1);
  });

  it('answers a withdrawn link with invite_revoked until the address is invited again', async () => {
    const { svc } = await platform.account();
    const email = newAddress();
    const { member } = await svc.call('account.member.invite', { email });
    const [first] = await mailsTo(email, 1);
    await svc.call('account.member.remove', { memberId: member.id });
    expect(await describe_(tokenIn(first))).to.include({ code: 'invite_revoked' });
    await svc.call('account.member.invite', { email });
    const [, second] = await mailsTo(email, 2);
    expect(tokenIn(second)).not.to.equal(tokenIn(first));
  });

  it('lets only an owner invite an owner or change that invitation’s role', async () => {
    const account = await platform.account();
    const admin = await keyOf(platform, account, { role: 'admin' });
    const email = newAddress();
    const invite = { email, role: 'owner' } as const;
    expect(await admin.refusal('account.member.invite', invite)).to.include({ status: 403, code: 'owner_only' });
    await account.svc.call('account.member.invite', invite);
    expect(await admin.refusal('account.member.invite', { email, role: 'viewer' })).to.include({ code: 'owner_only' });
    await admin.call('account.member.invite', { email: newAddress(), role: 'admin' });
    platform.clock.advance(days(7));
    const { member } = await admin.call('account.member.invite', { email, role: 'viewer' });
    expect(member, 'an expired invitation restricts nobody').to.include({ status: 'invited', role: 'viewer' });
    expect(await admin.refusal('account.member.invite', { email, role: 'owner' })).to.include({ code: 'owner_only' });
  });

  it('refuses to invite with a role that holds more than the caller, and names the missing permissions', async () => {
    const account = await platform.account();
    const weak = await keyOf(platform, account, {
      role: 'owner',
      permissions: ['account:read', 'account:write', 'email:read', 'developers:read'],
    });
    const refused = await weak.refusal('account.member.invite', { email: newAddress(), role: 'developer' });
    expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    expect(refused.message).to.contain('email:write');
    expect(await membersOf(account)).to.equal(1);
  });

  it('refuses the address of an active member', async () => {
    const { svc, ownerEmail } = await platform.account();
    const refused = await svc.refusal('account.member.invite', { email: ownerEmail.toUpperCase() });
    expect(refused).to.include({ status: 409, code: 'member_exists' });
  });

  it('refuses to invite until an owner’s address is proven', async () => {
    const account = await platform.account({ proven: false });
    await addMember(platform, account, { role: 'admin' });
    const email = newAddress();
    expect(await account.svc.refusal('account.member.invite', { email })).to.include({
      status: 403,
      code: 'identity_unverified',
    });
    await addMember(platform, account, { role: 'owner' });
    await account.svc.call('account.member.invite', { email });
  });

  it('refuses to invite to a closed account', async () => {
    const account = await platform.account();
    await account.svc.call('account.close', { reason: 'Test' });
    const refused = await account.svc.refusal('account.member.invite', { email: newAddress() });
    expect(refused).to.include({ status: 403, code: 'account_closed' });
  });

  it('refuses an address that is too long or invalid', async () => {
    const { svc } = await platform.account();
    for (const email of [
      `ada@${'ä'.repeat(60)}.${'ö'.repeat(60)}.${'ü'.repeat(60)}.de`,
      'ada@example.com, bob@example.com',
      'ada',
    ]) {
      const refused = await svc.refusal('account.member.invite', { email });
      expect(refused, email).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'email' });
    }
  });

  it('writes nothing when the limit of system mail is reached', async () => {
    const account = await platform.account();
    await account.svc.call('account.member.invite', { email: newAddress() });
    await platform.running.services.database.run('UPDATE svc_limit SET hits = 500');
    const refused = await account.svc.refusal('account.member.invite', { email: newAddress() });
    expect(refused).to.include({ status: 429, code: 'auth_send_limited' });
    expect(await membersOf(account)).to.equal(2);
    platform.clock.advance(days(1));
  });

  it('sends three invitations a day to an address per account, and says when the next may be sent', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const email = newAddress();
    const shouted = email.replace('guest', 'GUEST');
    const invite = (api: Api, spelling = email): Promise<unknown> =>
      api.call('account.member.invite', { email: spelling });
    await invite(account.svc);
    await invite(account.svc);
    platform.clock.advance(hours(1));
    await invite(account.svc, shouted);
    const refused = await account.svc.refusal('account.member.invite', { email });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('3 invitations per day per mailbox and account');
    expect(refused.fix).to.contain(`${(days(1) - hours(1)) / 1000} seconds`);
    await invite(account.svc, newAddress());
    await invite(other.svc);
    platform.clock.advance(days(1) - hours(1));
    await invite(account.svc);
    expect((await mailsTo(email, 4)).length + (await mailsTo(shouted, 1)).length).to.equal(5);
  });

  it('counts addresses with tags and Gmail dots as one mailbox', async () => {
    const { svc } = await platform.account();
    const spellings = ['ada.lovelace+1@gmail.com', 'adalovelace+2@gmail.com', 'a.dalovelace@googlemail.com'];
    for (const email of spellings) await svc.call('account.member.invite', { email });
    const refused = await svc.refusal('account.member.invite', { email: 'adalovelace@gmail.com' });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    await svc.call('account.member.invite', { email: 'grace.hopper@gmail.com' });
  });

  it('sends fifty invitations a day per account', async () => {
    const account = await platform.account();
    for (let count = 0; count < 50; count += 1)
      await account.svc.call('account.member.invite', { email: newAddress() });
    const refused = await account.svc.refusal('account.member.invite', { email: newAddress() });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('50 invitations per day per account');
    expect(await membersOf(account)).to.equal(51);
    platform.clock.advance(days(1));
    await account.svc.call('account.member.invite', { email: newAddress() });
  });

  it('counts neither refused invitations nor repeats of an Idempotency-Key', async () => {
    const account = await platform.account({ proven: false });
    const email = newAddress();
    for (let count = 0; count < 4; count += 1)
      expect((await account.svc.refusal('account.member.invite', { email })).code).to.equal('identity_unverified');
    await addMember(platform, account, { role: 'owner' });
    for (let count = 0; count < 5; count += 1)
      await account.svc.call('account.member.invite', { email }, { idempotencyKey: 'invitation' });
    for (let count = 0; count < 2; count += 1) await account.svc.call('account.member.invite', { email });
    expect((await account.svc.refusal('account.member.invite', { email })).code).to.equal('rate_limited');
  });

  it('creates one member and one link in 20 concurrent invitations of one address, of which three are sent', async function () {
    this.timeout(30_000);
    const account = await platform.account();
    const node = await platform.secondNode();
    const email = newAddress();
    const callers = [account.svc, node.as(account.keys.live.secret)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (callers[n % 2] ?? account.svc).raw('/account/member/invite', JSON.stringify({ email })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(17);
    expect(await membersOf(account)).to.equal(2);
    const names = [...(await eventNames(platform, account.live)), ...(await eventNames(platform, account.test))];
    expect(names.filter((name) => name === 'account.member.invited')).to.have.length(1);
    expect(names.filter((name) => name === 'account.member.invite_resent')).to.have.length(2);
    expect(new Set((await mailsTo(email, 3)).map(tokenIn)).size).to.equal(1);
  });
});

describe('account.member.invite without the email product', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers' }) });

  it('refuses to invite, and says what is missing', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('account.member.invite', { email: 'ada@example.com' });
    expect(refused).to.include({ status: 503, code: 'provider_not_configured' });
    expect(refused.fix).to.contain('SVC_PRODUCTS');
    expect(await platform.count('account_member', "status = 'invited'")).to.equal(0);
  });
});
