import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { eventsOf } from '#test/audience/support.js';
import { invited, join, organizationOf, person } from '#test/auth/people.js';
import { startedCode } from '#test/auth/support.js';
import { useMail } from '#test/email/support.js';
import { minutes, seconds } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { newId } from '#core/runtime/id.js';
import { searchDatabase } from '#test/support/search-database.js';

describe('Deleting a user', () => {
  const { platform } = useMail({ optional: true });
  const found = (text: string): Promise<string[]> => searchDatabase(platform.running.services.database, text);
  const erased = async (): Promise<void> => {
    await platform.settled();
    platform.clock.advance(minutes(2));
    await platform.settled();
  };

  itNeeding('email')(
    'erases the person everywhere: rows, events, audit records, stored answers, mails, invitations',
    async () => {
      const account = await platform.account();
      const { svc } = account;
      const mark = randomBytes(6).toString('hex');
      const ada = await person(platform, account, `ada.${mark}`);
      const boss = await person(platform, account, 'boss');
      const { id: organizationId } = await organizationOf(boss);
      const key = (): { idempotencyKey: string } => ({ idempotencyKey: newId() });
      const { userId } = ada;
      const facts = { name: `Ada ${mark} King`, externalId: `customer-${mark}`, metadata: { note: mark } };
      await svc.call('auth.user.update', { userId, ...facts, privateMetadata: { secret: mark } }, key());
      await ada.call('auth.me.update', { userMetadata: { mine: mark } }, key());
      await boss.call('auth.org.invite.create', { organizationId, email: ada.email }, key());
      await join(platform, organizationId, ada, 'admin');
      await boss.call('auth.org.member.update', { organizationId, userId, role: 'member' }, key());
      await svc.call('auth.signin.start', { email: ada.email }, { key: account.keys.live.publishable, ...key() });
      await svc.call('auth.user.ban', { userId, reason: `because ${mark}` }, key());
      await platform.settled();
      expect(await found(mark), 'the search finds stored data').not.to.deep.equal([]);
      await svc.call('auth.user.delete', { userId }, key());
      await erased();
      expect(await found(mark)).to.deep.equal([]);
      expect(await platform.count('auth_session', `user_id = 0x${userId.replaceAll('-', '')}`)).to.equal(0);
      expect((await boss.call('auth.org.get', { organizationId })).organization.memberCount).to.equal(1);
    },
  );

  itNeeding('email')('keeps audit records without where the person called from', async () => {
    const account = await platform.account();
    const { svc, keys } = account;
    const ada = await person(platform, account, 'traced');
    const { userId } = ada;
    const key = keys.live.publishable;
    await svc.call('auth.signin.start', { email: ada.email }, { key });
    const challengeId = await startedCode(platform, account.live, { email: ada.email, code: '271828' });
    await svc.call('auth.signin.verify', { challengeId, code: '271828' }, { key });
    await svc.call('auth.user.ban', { userId, reason: 'spam' });
    const calls = async (): Promise<Record<string, string[]>> => {
      const { activities } = await svc.call('account.activity.list', { limit: 100 });
      const found: Record<string, string[]> = {};
      for (const { operation, ip } of activities) found[operation] = [...new Set([...(found[operation] ?? []), ip])];
      return found;
    };
    expect(await calls()).to.include.keys('auth.signin.start', 'auth.signin.verify', 'auth.user.ban');
    await svc.call('auth.user.delete', { userId });
    await erased();
    const after = await calls();
    expect(after['auth.signin.start']).to.deep.equal(['']);
    expect(after['auth.signin.verify']).to.deep.equal(['']);
    expect(after['auth.user.ban'], 'a secret key calls from the customer’s server').to.deep.equal(['127.0.0.1']);
  });

  it('ends sessions, writes one event that names nobody, and answers a repeat as done', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const ada = await person(platform, account, 'ada');
    const { userId } = ada;
    const answers = await Promise.all(Array.from({ length: 5 }, () => svc.call('auth.user.delete', { userId })));
    for (const { user } of answers) expect(user).to.include({ id: userId, email: null, name: null });
    expect((await ada.refusal('auth.me.get', {})).code).to.equal('token_invalid');
    await erased();
    const events = await eventsOf(platform, live, 'auth.user.deleted');
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({ subjectId: userId, data: { userId } });
    expect((await svc.refusal('auth.user.get', { userId })).code).to.equal('not_found');
    // The address is free again, for another user.
    const { user } = await svc.call('auth.user.create', { email: ada.email });
    expect(user.id).not.to.equal(userId);
  });

  itNeeding('email')(
    'leaves what happens with the address afterwards: signing up anew, and a new invitation',
    async () => {
      const account = await platform.account();
      const { svc, live, keys } = account;
      const key = keys.live.publishable;
      const ada = await person(platform, account, 'anew');
      const boss = await person(platform, account, 'boss');
      const { id: organizationId } = await organizationOf(boss);
      const before = await invited(platform, boss, { organizationId, email: ada.email });
      const stale = await startedCode(platform, live, { email: ada.email });
      await svc.call('auth.user.delete', { userId: ada.userId });
      await platform.settled();
      platform.clock.advance(seconds(1));
      const challengeId = await startedCode(platform, live, { email: ada.email, code: '161803' });
      const { token } = await invited(platform, boss, { organizationId, email: ada.email });
      await erased();
      const old = await svc.refusal('auth.signin.verify', { challengeId: stale, code: '271828' }, { key });
      expect(old.code).to.equal('not_found');
      const gone = await svc.refusal('auth.org.invite.describe', { token: before.token }, { key });
      expect(gone.code).to.equal('not_found');
      const { tokens, user } = await svc.call('auth.signin.verify', { challengeId, code: '161803' }, { key });
      expect(user?.id).not.to.equal(ada.userId);
      const input = { token, accessToken: tokens?.accessToken ?? '' };
      expect((await svc.call('auth.org.invite.accept', input, { key })).role).to.equal('member');
    },
  );

  for (const isDeletedBefore of [true, false])
    it(`erases the name of an organization of their own, ${isDeletedBefore ? 'deleted before them' : 'deleted with them'}`, async () => {
      const account = await platform.account();
      const mark = `Own${randomBytes(6).toString('hex')}`;
      const ada = await person(platform, account, 'ada.own');
      const { organization } = await ada.call('auth.org.create', { name: mark, metadata: { note: mark } });
      const confirm = { organizationId: organization.id, confirm: mark };
      if (isDeletedBefore) await ada.call('auth.org.delete', confirm);
      await account.svc.call('auth.user.delete', { userId: ada.userId });
      await erased();
      expect(await found(mark)).to.deep.equal([]);
      expect(await eventsOf(platform, account.live, 'auth.org.deleted')).to.have.length(1);
    });

  itNeeding('audience', 'email')(
    'leaves what a contact with the same address has, and says which contact',
    async () => {
      const account = await platform.account();
      const { svc } = account;
      const ada = await person(platform, account, 'shared');
      const { contact } = await svc.call('audience.contact.upsert', { email: ada.email });
      const { messageId } = await svc.call('email.send', { to: ada.email, subject: 'Yours', text: 'Kept.' });
      await platform.settled();
      const { remaining } = await svc.call('auth.user.delete', { userId: ada.userId });
      expect(remaining).to.deep.equal([{ type: 'contact', id: contact.id, operation: 'audience.contact.delete' }]);
      await erased();
      expect((await svc.call('email.message.get', { messageId })).content?.text).to.equal('Kept.');
      expect((await svc.call('audience.contact.delete', { contactId: contact.id })).remaining).to.deep.equal([]);
    },
  );

  itNeeding('audience')('is named by the deletion of a contact with the same address', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'beside');
    const { contact } = await account.svc.call('audience.contact.upsert', { email: ada.email });
    const { remaining } = await account.svc.call('audience.contact.delete', { contactId: contact.id });
    expect(remaining).to.deep.equal([{ type: 'user', id: ada.userId, operation: 'auth.user.delete' }]);
  });
});

describe('auth.me.delete', () => {
  const { platform } = useMail({ optional: true });
  const allowed = async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    return { account, ada: await person(platform, account, 'ada') };
  };

  it('deletes the user who confirms with their own address', async () => {
    const { account, ada } = await allowed();
    for (const confirm of ['yes', 'bob@example.com'])
      expect((await ada.refusal('auth.me.delete', { confirm })).code).to.equal('confirmation_mismatch');
    expect(await ada.call('auth.me.delete', { confirm: ada.email })).to.deep.equal({ deleted: true });
    expect((await account.svc.call('auth.user.list', {})).users).to.deep.equal([]);
    expect((await ada.refusal('auth.me.delete', { confirm: ada.email })).code).to.equal('token_invalid');
  });

  it('deletes a user without an address who confirms with their number as people write it', async () => {
    const { ada } = await allowed();
    await platform.running.services.database.run('UPDATE auth_user SET email = NULL, phone = ? WHERE id = ?', [
      '+525512345678',
      idBytes(ada.userId),
    ]);
    for (const confirm of ['+525512345679', ada.userId, 'yes'])
      expect((await ada.refusal('auth.me.delete', { confirm })).code).to.equal('confirmation_mismatch');
    expect(await ada.call('auth.me.delete', { confirm: '+52 1 55 1234-5678' })).to.deep.equal({ deleted: true });
  });

  it('leaves its audit record, which names the user’s id but neither their address nor where they called from', async () => {
    const { account, ada } = await allowed();
    const key = account.keys.live.publishable;
    const input = { accessToken: ada.accessToken, confirm: ada.email };
    const { activityId } = await account.svc.envelope('auth.me.delete', input, { key });
    const record = async () => (await account.svc.call('account.activity.get', { activityId })).activity;
    const before = await record();
    await platform.settled();
    platform.clock.advance(minutes(2));
    await platform.settled();
    const kept = await record();
    expect(kept).to.deep.equal(before);
    expect(kept).to.deep.include({
      operation: 'auth.me.delete',
      summary: 'A user deleted their own account.',
      actor: { kind: 'user', id: ada.userId, label: 'Erased user' },
      changes: [{ field: 'deletedAt', from: null, to: kept.createdAt }],
      ip: '',
      userAgent: null,
    });
  });

  it('is off by default, and needs a recent sign-in', async () => {
    const account = await platform.account();
    const bob = await person(platform, account, 'bob');
    expect((await bob.refusal('auth.me.delete', { confirm: bob.email })).code).to.equal('feature_disabled');
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    platform.clock.advance(minutes(10));
    expect((await bob.refusal('auth.me.delete', { confirm: bob.email })).code).to.equal('reauth_required');
  });

  it('is refused to the last owner among others; an organization of one’s own goes along', async () => {
    const { account, ada } = await allowed();
    const { id: organizationId } = await organizationOf(ada);
    const bob = await person(platform, account, 'bob');
    await join(platform, organizationId, bob, 'admin');
    expect((await ada.refusal('auth.me.delete', { confirm: ada.email })).code).to.equal('org_last_owner');
    await ada.call('auth.org.member.remove', { organizationId, userId: bob.userId });
    await ada.call('auth.me.delete', { confirm: ada.email });
    expect((await account.svc.call('auth.org.list', {})).organizations).to.deep.equal([]);
  });
});
