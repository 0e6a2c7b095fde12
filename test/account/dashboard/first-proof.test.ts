import { expect } from 'chai';
import { formatDateTime } from '#core/surfaces/pages/texts.js';
import { randomBytes } from 'node:crypto';
import { at } from '#test/support/json.js';
import type { Api, ReplyOf } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type ReceivedMail, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { dashboardSession, inEnvironment, withSession } from './support.js';

const attackersIp = '203.0.113.66';

describe('The first proof of an owner’s address', () => {
  needProducts('auth', 'email');
  const parts: { smtp?: SmtpReceiver } = {};
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver();
      return { SVC_SIGNUP: 'open', SVC_SMTP_URL: parts.smtp.url, SVC_TRUST_PROXY: '127.0.0.1' };
    },
  });
  after(() => parts.smtp?.close());

  const from = { headers: { 'X-Forwarded-For': attackersIp } };
  const stranger = (): string => `cto-${randomBytes(4).toString('hex')}@victim.example`;
  const mailsTo = (email: string): ReceivedMail[] =>
    (parts.smtp?.received ?? []).filter(
      ({ recipients, parsed }) => recipients.includes(email) && parsed.subject?.startsWith('Keys of') === true,
    );

  /** Opens an account in somebody's name, without proof, and what else its first key can make. */
  async function opened(email: string): Promise<{
    signup: ReplyOf<'account.signup'>;
    live: { id: string };
    theirs: Api;
    key: string;
    further: string[];
  }> {
    const signup = await platform.api.call('account.signup', { name: 'Victim Ltd', email }, from);
    const options = { ...from, key: signup.keys.secret };
    const { plaintext } = await platform.api.call(
      'developers.key.create',
      { name: 'Look at https://evil.example', permissions: ['account:write', 'developers:write', 'email:write'] },
      options,
    );
    const project = await platform.api.call('account.project.create', { name: 'Second' }, options);
    const live = signup.environments.find(({ kind }) => kind === 'live');
    if (!live) throw new Error('There is no live environment.');
    const theirs = withSession(platform, await dashboardSession(platform, email));
    return { signup, live, theirs, key: signup.keys.secret, further: [plaintext, project.keys.test.secret] };
  }

  it('leaves no earlier key the power to administer anything, in any project', async () => {
    const email = stranger();
    const { live, theirs, key, further } = await opened(email);
    await theirs.call('account.member.list', {}, inEnvironment(live));
    for (const each of [key, ...further]) {
      const { permissions } = await platform.api.call('developers.key.current', {}, { key: each });
      expect(permissions).to.include('email:write');
      expect(permissions).not.to.include.members(['developers:write']).and.not.include.members(['account:write']);
      for (const [operation, input] of [
        ['developers.key.create', { name: 'More', permissions: ['email:write'] }],
        ['developers.webhook.create', { url: 'https://evil.example/hook' }],
        ['account.project.create', { name: 'More' }],
        ['account.member.invite', { email: 'evil@attacker.example', role: 'owner' }],
        ['account.theme.draft.save', {}],
      ] as const)
        expect(await platform.api.refusal(operation, input, { key: each }), operation).to.include({
          status: 403,
          code: 'permission_required',
        });
    }
    const sent = { to: email, subject: 'Still sent', text: 'By a lowered key.' };
    expect((await platform.api.call('email.send', sent, { key })).status).to.equal('queued');
    const created = await theirs.call(
      'developers.key.create',
      { name: 'Mine', permissions: ['developers:write', 'account:write'] },
      inEnvironment(live),
    );
    const { permissions } = await platform.api.call('developers.key.current', {}, { key: created.plaintext });
    expect(permissions).to.have.members(['developers:write', 'account:write']);
  });

  it('lets the owner revoke all of them, as the mail says', async () => {
    const { theirs, live, signup } = await opened(stranger());
    await theirs.call('account.get', {}, inEnvironment(live));
    const test = signup.environments.find(({ kind }) => kind === 'test') ?? live;
    const { keys } = await theirs.call('developers.key.list', {}, inEnvironment(test));
    for (const { id } of keys) await theirs.call('developers.key.revoke', { keyId: id }, inEnvironment(test));
    expect((await theirs.call('developers.key.list', {}, inEnvironment(test))).keys).to.deep.equal([]);
  });

  it('is recorded once, with every key before and after, and no test key can read it', async () => {
    const email = stranger();
    const { live, theirs, key, signup } = await opened(email);
    await Promise.all(Array.from({ length: 4 }, () => theirs.call('account.get', {}, inEnvironment(live))));
    const list = { operation: 'account.signup' };
    const { activities } = await theirs.call('account.activity.list', list, inEnvironment(live));
    const proofs = activities.filter(({ summary }) => summary.includes(`${email} proved`));
    expect(proofs).to.have.length(1);
    const lowered = proofs[0]?.changes.find(({ field }) => field === 'keys');
    for (const index of ['0', '1', '2']) {
      expect(at(lowered, 'from', index, 'role')).to.equal('owner');
      expect(at(lowered, 'to', index, 'role')).to.equal('developer');
    }
    expect(at(lowered, 'from')).to.be.an('array').with.length(3);
    expect(at(lowered, 'from', '0', 'environmentId')).to.equal(
      signup.environments.find(({ kind }) => kind === 'test')?.id,
    );
    const seen = await platform.api.call('account.activity.list', list, { key });
    expect(seen.activities.map(({ summary }) => summary)).to.deep.equal(['Opened the account “Victim Ltd”.']);
  });

  it('is mailed to the owner once: which keys, when and from where, how to revoke them, and nothing that a stranger wrote', async () => {
    const email = stranger();
    const { live, theirs, key } = await opened(email);
    await platform.api.call('developers.webhook.create', { url: 'https://evil.example/hook' }, { ...from, key });
    for (let call = 0; call < 2; call += 1) await theirs.call('account.get', {}, inEnvironment(live));
    await platform.settled();
    expect(mailsTo(email)).to.have.length(1);
    const text = mailsTo(email)[0]?.parsed.text ?? '';
    const at = formatDateTime('en', platform.clock.now()).split(' at ')[0] ?? '';
    for (const part of [
      key.slice(0, 13),
      'test environment',
      at,
      attackersIp,
      'developers.key.revoke',
      'Secret keys',
      '(1)',
    ])
      expect(text).to.contain(part);
    expect(text).not.to.contain('evil.example');
  });

  it('lets the owner of a closed account sign in and reopen it', async () => {
    const { svc, ownerEmail, live } = await platform.account();
    // As after `npm run bootstrap`, whose owner has a live key before the first sign-in.
    await platform.running.services.database.run('UPDATE account_member SET proven_at = NULL WHERE email = ?', [
      ownerEmail,
    ]);
    await svc.call('account.close', { reason: 'For now.' });
    const theirs = withSession(platform, await dashboardSession(platform, ownerEmail));
    const { account } = await theirs.call('account.reopen', {}, inEnvironment(live));
    expect(account.closedAt).to.equal(null);
    const { permissions } = await svc.call('developers.key.current', {});
    expect(permissions).not.to.include.members(['account:write']);
    expect(mailsTo(ownerEmail)).to.deep.equal([]);
  });

  it('happens once for each account: later keys keep what they are given', async () => {
    const { live, theirs } = await opened(stranger());
    await theirs.call('account.get', {}, inEnvironment(live));
    const permissions = ['account:write', 'developers:write'];
    const { plaintext } = await theirs.call(
      'developers.key.create',
      { name: 'Mine', permissions },
      inEnvironment(live),
    );
    await theirs.call('account.get', {}, inEnvironment(live));
    const current = await platform.api.call('developers.key.current', {}, { key: plaintext });
    expect(current.permissions).to.deep.equal(permissions);
  });

  it('reserves the address, which an unproven signup does not', async () => {
    const email = stranger();
    const { live, theirs } = await opened(email);
    const own = await platform.api.call('account.signup', { name: 'Victim Ltd', email: email.toUpperCase() });
    const proven = own.environments.find(({ kind }) => kind === 'live') ?? live;
    const refused = await theirs.refusal('account.get', {});
    expect(at(refused.details, 'environments', '0', 'environmentId'), 'the newest first').to.equal(proven.id);
    await theirs.call('account.get', {}, inEnvironment(proven));
    const again = await platform.api.refusal('account.signup', { name: 'Third', email });
    expect(again).to.include({ status: 409, code: 'email_taken' });
    // The other account can still be entered; it changes nothing about who has the address.
    await theirs.call('account.get', {}, inEnvironment(live));
    expect(await platform.count('account', `opened_by = '${email}'`)).to.equal(1);
  });

  itNeeding('billing')('lets the owner administer billing in the dashboard, and no earlier key', async () => {
    const { live, theirs, key } = await opened(stranger());
    await theirs.call('account.get', {}, inEnvironment(live));
    await theirs.call('billing.details.set', { name: 'Victim Ltd' }, inEnvironment(live));
    const refused = await platform.api.refusal('billing.details.set', { name: 'Evil Ltd' }, { key });
    expect(refused).to.include({ code: 'permission_required' });
  });
});
