import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { eventsOf } from '#test/audience/support.js';
import { join, organizationOf, person } from '#test/auth/people.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.org.switch', () => {
  const platform = usePlatform();
  const claims = (token: string) => {
    const { org_id, org_role, sid, exp } = decodeJwt(token);
    return { org_id, org_role, sid, exp };
  };

  it('issues a token with organization and role, and one without for none', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId } = await organizationOf(ada);
    const { accessToken, organization } = await ada.call('auth.org.switch', { organizationId });
    expect(claims(accessToken)).to.include({ org_id: organizationId, org_role: 'owner', sid: ada.sessionId });
    expect(organization?.id).to.equal(organizationId);
    expect((await ada.call('auth.me.get', {})).organization?.id).to.equal(organizationId);
    await ada.call('auth.org.switch', { organizationId });
    expect(await eventsOf(platform, account.live, 'auth.org.switched'), 'a repeat writes no event').to.have.length(1);
    const none = await ada.call('auth.org.switch', { organizationId: null });
    expect(claims(none.accessToken).org_id).to.equal(undefined);
    expect((await ada.call('auth.me.get', {})).organization).to.equal(null);
  });

  it('issues no token that outlives the presented one, however often it is called', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId } = await organizationOf(ada);
    const first = await ada.call('auth.org.switch', { organizationId });
    platform.clock.advance(minutes(2));
    const key = account.keys.live.publishable;
    const again = { organizationId: null, accessToken: first.accessToken };
    const second = await platform.api.call('auth.org.switch', again, { key });
    expect(claims(second.accessToken).exp).to.equal(claims(first.accessToken).exp);
    expect(Date.parse(second.expiresAt)).to.be.at.most(Date.parse(first.expiresAt));
  });

  it('never outlives the session', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId } = await organizationOf(ada);
    const end = new Date(platform.clock.now().getTime() + 60_000);
    await platform.running.services.database.run(
      `UPDATE auth_session SET expires_at = ? WHERE id = 0x${ada.sessionId.replaceAll('-', '')}`,
      [end],
    );
    expect((await ada.call('auth.org.switch', { organizationId })).expiresAt).to.equal(end.toISOString());
  });

  it('wants a second factor where the organization requires one, and lets anybody go back to none', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner', { mfa: true });
    const { id: organizationId } = await organizationOf(owner);
    const bob = await person(platform, account, 'bob');
    await join(platform, organizationId, bob, 'admin');
    await bob.call('auth.org.switch', { organizationId });
    await owner.call('auth.org.update', { organizationId, requireMfa: true });
    expect(await eventsOf(platform, account.live, 'auth.org.updated')).to.have.length(1);
    expect((await bob.refusal('auth.org.mine', {})).code, 'its active organization requires one').to.equal(
      'mfa_required',
    );
    await bob.call('auth.org.switch', { organizationId: null });
    await bob.call('auth.org.mine', {});
    expect((await bob.call('auth.org.get', { organizationId })).organization.requireMfa).to.equal(true);
    for (const refused of [
      await bob.refusal('auth.org.switch', { organizationId }),
      await bob.refusal('auth.org.update', { organizationId, requireMfa: false }),
      await bob.refusal('auth.org.member.list', { organizationId }),
    ])
      expect(refused).to.include({ status: 403, code: 'mfa_required' });
    await owner.call('auth.org.switch', { organizationId });
  });

  it('keeps an impersonated session what it is: marked, and ending when it would have ended', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId } = await organizationOf(ada);
    const reason = 'Ticket 1815: the team page is empty.';
    const { tokens } = await account.svc.call('auth.user.impersonate', { userId: ada.userId, reason, seconds: 300 });
    const { act } = decodeJwt(tokens.accessToken);
    platform.clock.advance(minutes(1));
    const input = { organizationId, accessToken: tokens.accessToken };
    const key = account.keys.live.publishable;
    const { accessToken, expiresAt } = await platform.api.call('auth.org.switch', input, { key });
    expect(decodeJwt(accessToken)).to.deep.include({ act, org_id: organizationId, org_role: 'owner' });
    expect(expiresAt).to.equal(tokens.accessTokenExpiresAt);
    expect(act).to.have.property('sub');
  });

  it('is open to an impersonated session where the environment requires a second factor, like reading is', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada', { mfa: true });
    const { id: organizationId } = await organizationOf(ada);
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const reason = 'Ticket 1815: the team page is empty.';
    const { tokens } = await account.svc.call('auth.user.impersonate', { userId: ada.userId, reason });
    const { accessToken } = tokens;
    const asUser = { key: account.keys.live.publishable };
    expect((await platform.api.call('auth.org.mine', { accessToken }, asUser)).organizations).to.have.length(1);
    const { organization } = await platform.api.call('auth.org.switch', { organizationId, accessToken }, asUser);
    expect(organization?.id).to.equal(organizationId);
  });

  it('leads from an organization that requires a second factor to one that does not', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner', { mfa: true });
    const [strict, open] = [await organizationOf(owner, 'Strict'), await organizationOf(owner, 'Open')];
    const bob = await person(platform, account, 'bob');
    for (const { id } of [strict, open]) await join(platform, id, bob);
    await bob.call('auth.org.switch', { organizationId: strict.id });
    await owner.call('auth.org.update', { organizationId: strict.id, requireMfa: true });
    const { organization } = await bob.call('auth.org.switch', { organizationId: open.id });
    expect(organization?.name).to.equal('Open');
    await bob.call('auth.org.mine', {});
  });

  it('ends with the membership: at once on svc, and in tokens from the next refresh on', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const bob = await person(platform, account, 'bob');
    await join(platform, organizationId, bob);
    await bob.call('auth.org.switch', { organizationId });
    await owner.call('auth.org.member.remove', { organizationId, userId: bob.userId });
    expect((await bob.refusal('auth.org.get', { organizationId })).code).to.equal('not_found');
    expect((await bob.refusal('auth.org.switch', { organizationId })).code).to.equal('not_found');
    expect((await bob.call('auth.me.get', {})).organization).to.equal(null);
    const options = { key: account.keys.live.publishable };
    const { tokens } = await platform.api.call('auth.session.refresh', { refreshToken: bob.refreshToken }, options);
    expect(claims(tokens.accessToken).org_id).to.equal(undefined);
    // A repeat of the removal answers as done.
    const again = await owner.call('auth.org.member.remove', { organizationId, userId: bob.userId });
    expect(again.member.userId).to.equal(bob.userId);
    expect(await eventsOf(platform, account.live, 'auth.org.member_removed')).to.have.length(1);
  });
});

describe('auth.org.delete', () => {
  const platform = usePlatform();

  it('wants the exact name, and takes the organization from everybody at once', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId, name } = await organizationOf(ada);
    const bob = await person(platform, account, 'bob');
    await join(platform, organizationId, bob);
    await bob.call('auth.org.switch', { organizationId });
    for (const confirm of [name.toLowerCase(), `${name} `, 'yes'])
      expect((await ada.refusal('auth.org.delete', { organizationId, confirm })).code).to.equal(
        'confirmation_mismatch',
      );
    await ada.call('auth.org.delete', { organizationId, confirm: name });
    expect((await bob.refusal('auth.org.get', { organizationId })).code).to.equal('not_found');
    expect((await bob.call('auth.me.get', {})).organization).to.equal(null);
  });

  it('needs a recent sign-in', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { id: organizationId, name } = await organizationOf(ada);
    platform.clock.advance(minutes(10));
    const refused = await ada.refusal('auth.org.delete', { organizationId, confirm: name });
    expect(refused).to.include({ status: 403, code: 'reauth_required' });
    expect(refused.fix).to.contain('within 10 minutes');
    await ada.call('auth.org.get', { organizationId });
  });
});
