import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { useSignInText } from '#test/auth/sign-in-text.js';
import { addedIdentity, signedIn, startedCode } from '#test/auth/support.js';
import { auditOf } from '#test/developers/key/support.js';
import type { ReplyOf } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';

/** A number that no other test uses: block by block, as sign-in texts are limited. */
const made = { numbers: 0 };
const somebody = (): string => `+49152${String(20_000_000 + (made.numbers += 1) * 10_000 + 6_789)}`;

type SignInResult = ReplyOf<'auth.signin.verify'>;

describe('Identities that a server stored together without proof', () => {
  const test = useSignInText();
  const { platform } = test;
  const email = 'victim@example.com';
  const chosen = 'known to the attacker 1';
  const later = 'set by the attacker 99';

  const byNumber = async (account: TestAccount, phone: string, texts = 1): Promise<SignInResult> => {
    const app = test.app(account);
    const { challengeId } = await app.call('auth.signin.start', { phone });
    return app.call('auth.signin.verify', { challengeId, code: await test.textedCode(phone, texts) });
  };
  const byAddress = async (account: TestAccount, address = email): Promise<SignInResult> => {
    const challengeId = await startedCode(platform, account.live, { email: address });
    return test.app(account).call('auth.signin.verify', { challengeId, code: '271828' });
  };
  const tokenOf = ({ tokens }: SignInResult): string => tokens?.accessToken ?? '';
  const identitiesOf = async (account: TestAccount, userId: string): Promise<[string, boolean][]> =>
    (await account.svc.call('auth.user.get', { userId })).identities.map(({ value, verifiedAt }) => [
      value,
      verifiedAt !== null,
    ]);

  it('the number proven first: the owner of the address gets a user of their own', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone, password: chosen });
    const attacker = await byNumber(account, phone);
    expect(attacker.user?.id).to.equal(user.id);
    expect((await app.refusal('auth.password.signin', { email, password: chosen })).code).to.equal(
      'invalid_credentials',
    );
    await app.call('auth.password.set', { accessToken: tokenOf(attacker), password: later });
    const typed = await app.call('auth.password.signin', { email, password: later });

    const challengeId = await startedCode(platform, account.live, { email });
    const { activityId, result } = await app.envelope('auth.signin.verify', { challengeId, code: '271828' });
    const victim = result.user;
    expect(victim?.id).not.to.equal(user.id);
    expect(victim).to.include({ email, emailVerified: true, phone: null });
    expect(await identitiesOf(account, user.id)).to.deep.equal([[phone, true]]);
    expect((await account.svc.call('auth.user.get', { userId: user.id })).user.email).to.equal(null);
    const refused = await app.refusal('auth.password.signin', { email, password: later });
    expect(refused.code).to.equal('invalid_credentials');
    const verify = (accessToken: string) => account.svc.call('auth.session.verify', { accessToken });
    expect((await verify(tokenOf(attacker))).user?.id, 'their own user is left to them').to.equal(user.id);
    expect((await verify(tokenOf(typed))).reason, 'the address opened it').to.equal('session_ended');

    const events = (await eventsOf(platform, account.live, 'auth.')).filter((event) => event.activityId === activityId);
    expect(events.map(({ type, personId }) => [type, personId])).to.deep.equal([
      ['auth.session.revoked', user.id],
      ['auth.identity.removed', user.id],
      ['auth.user.updated', user.id],
      ['auth.user.created', victim?.id],
      ['auth.signin.completed', victim?.id],
    ]);
    const { changes } = await auditOf(platform, activityId);
    expect(changes)
      .to.contain(user.id)
      .and.contain('identities')
      .and.match(/session [0-9a-f-]{36}/);
    const imported = { users: [{ externalId: 'again', email, phone }] };
    expect((await account.svc.call('auth.user.import', imported)).rejected[0]?.code).to.equal('identity_taken');
  });

  it('moves to a user who adds it with a code, and the audit record says from whom and which sessions ended', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone });
    const accessToken = tokenOf(await byNumber(account, phone));
    await app.call('auth.password.set', { accessToken, password: later });
    const typed = tokenOf(await app.call('auth.password.signin', { email, password: later }));
    const verify = () => account.svc.call('auth.session.verify', { accessToken: typed });
    expect((await verify()).valid).to.equal(true);

    const owner = await signedIn(platform, account.live, { email: 'owner@example.com' });
    const challengeId = await startedCode(platform, account.live, { email, userId: owner.userId });
    const input = { accessToken: owner.accessToken, challengeId, code: '271828' };
    const { activityId } = await app.envelope('auth.identity.verify', input);
    expect((await verify()).reason).to.equal('session_ended');
    const { activity } = await account.svc.call('account.activity.get', { activityId });
    const changes = new Map(activity.changes.map(({ field, from, to }) => [field, { from, to }]));
    const fields = [...changes.keys()].map((field) => field.replace(/ [0-9a-f-]{36}$/, ' ended'));
    expect(fields).to.deep.equal(['identity', 'identities', 'session ended']);
    expect(changes.get('identities')).to.deep.equal({ from: { userId: user.id }, to: { userId: owner.userId } });
  });

  it('the address proven first: its owner keeps the user, and the number leads nowhere in it', async () => {
    const account = await test.account();
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone, password: chosen });
    const early = await test.app(account).call('auth.password.signin', { email, password: chosen });
    const victim = await byAddress(account);
    expect(victim.user?.id).to.equal(user.id);
    const verify = (accessToken: string) => account.svc.call('auth.session.verify', { accessToken });
    expect((await verify(tokenOf(early))).reason).to.equal('session_ended');
    const attacker = await byNumber(account, phone);
    expect(attacker.user?.id).not.to.equal(user.id);
    expect(attacker.user).to.include({ phone, phoneVerified: true, email: null });
    expect((await verify(tokenOf(victim))).valid).to.equal(true);
    expect(await identitiesOf(account, user.id)).to.deep.equal([[email, true]]);
    const [notice] = (await test.mailsTo(email)).slice(-1);
    expect(notice?.parsed.text).to.contain(phone);
  });

  it('belongs to the person who proved the first one, also when they have replaced that one since', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone });
    const accessToken = tokenOf(await byAddress(account));
    const next = { email: 'next@example.com', userId: user.id };
    const challengeId = await startedCode(platform, account.live, next);
    await app.call('auth.identity.verify', { accessToken, challengeId, code: '271828' });
    const { identities } = await app.call('auth.me.get', { accessToken });
    const identityId = identities.find(({ value }) => value === email)?.id ?? '';
    await app.call('auth.identity.remove', { accessToken, identityId });
    expect((await byNumber(account, phone)).user?.id).not.to.equal(user.id);
    expect(await identitiesOf(account, user.id)).to.deep.equal([['next@example.com', true]]);
  });

  it('is one user’s where the server vouches for both', async () => {
    const account = await test.account();
    const [phone, other] = [somebody(), somebody()];
    const { user } = await account.svc.call('auth.user.create', {
      email,
      emailVerified: true,
      phone,
      phoneVerified: true,
    });
    expect(user).to.include({ phoneVerified: true });
    expect((await byNumber(account, phone)).user?.id).to.equal(user.id);
    const row = {
      externalId: 'u1',
      email: 'second@example.com',
      emailVerified: true,
      phone: other,
      phoneVerified: true,
    };
    await account.svc.call('auth.user.import', { users: [row] });
    const second = await byNumber(account, other);
    expect(second.user).to.include({ email: 'second@example.com', externalId: 'u1' });
  });

  it('adds nothing to the user of a stranger’s address that an import names without vouching for it', async () => {
    const account = await test.account();
    const phone = somebody();
    const victim = await signedIn(platform, account.live, { email });
    const row = { email, phone, phoneVerified: true };
    expect((await account.svc.call('auth.user.import', { users: [row] })).updated).to.equal(1);
    expect(await identitiesOf(account, victim.userId)).to.deep.equal([
      [email, true],
      [phone, false],
    ]);
    expect((await byNumber(account, phone)).user?.id).not.to.equal(victim.userId);
    const vouched = { ...row, phone: somebody(), emailVerified: true };
    await account.svc.call('auth.user.import', { users: [vouched] });
    expect((await byNumber(account, vouched.phone)).user?.id).to.equal(victim.userId);
  });

  it('stays where it is if its owner may not sign up', async () => {
    const account = await test.account();
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone });
    await byNumber(account, phone);
    await account.svc.call('auth.settings.set', { signup: { allow: 'nobody' } });
    const challengeId = await startedCode(platform, account.live, { email });
    const refused = await test.app(account).refusal('auth.signin.verify', { challengeId, code: '271828' });
    expect(refused.code).to.equal('signup_closed');
    expect(await identitiesOf(account, user.id)).to.deep.equal([
      [email, false],
      [phone, true],
    ]);
  });

  it('moves to the signed-in user who proves it, but never a proven one', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    const { user } = await account.svc.call('auth.user.create', { email, phone });
    await byNumber(account, phone);
    const { accessToken, userId } = await signedIn(platform, account.live, { email: 'own@example.com' });
    const challengeId = await startedCode(platform, account.live, { email, userId });
    const { identity } = await app.call('auth.identity.verify', { accessToken, challengeId, code: '271828' });
    expect(identity.value).to.equal(email);
    expect((await byAddress(account)).user?.id).to.equal(userId);
    expect(await identitiesOf(account, user.id)).to.deep.equal([[phone, true]]);
    const taken = await signedIn(platform, account.live, { email: 'third@example.com' });
    const again = await startedCode(platform, account.live, { email, userId: taken.userId });
    const input = { accessToken: taken.accessToken, challengeId: again, code: '271828' };
    expect((await app.refusal('auth.identity.verify', input)).code).to.equal('identity_taken');
  });

  it('ends what somebody accepted with another address before the first proof, but not what they own alone', async () => {
    const account = await test.account();
    const app = test.app(account);
    const { user } = await account.svc.call('auth.user.create', { email, password: chosen });
    const attacker = tokenOf(await app.call('auth.password.signin', { email, password: chosen }));
    await addedIdentity(platform, account.live, user.id, { email: 'attacker@example.com' });
    const { organization: own } = await app.call('auth.org.create', { accessToken: attacker, name: 'Own' });
    const owner = await signedIn(platform, account.live, { email: 'owner@example.com' });
    const { organization } = await app.call('auth.org.create', { accessToken: owner.accessToken, name: 'Theirs' });
    await app.call('auth.org.invite.create', {
      accessToken: owner.accessToken,
      organizationId: organization.id,
      email: 'attacker@example.com',
      role: 'admin',
    });
    const [mail] = await test.mailsTo('attacker@example.com');
    const token = /svc_oi_[A-Za-z0-9]{43}/.exec(mail?.parsed.text ?? '')?.[0] ?? '';
    await app.call('auth.org.invite.accept', { accessToken: attacker, token });
    const victim = await byAddress(account);
    expect(victim.user?.id).to.equal(user.id);
    const { organizations } = await app.call('auth.org.mine', { accessToken: tokenOf(victim) });
    expect(organizations.map((each) => each.organization.id)).to.deep.equal([own.id]);
    const { members } = await app.call('auth.org.member.list', {
      accessToken: owner.accessToken,
      organizationId: organization.id,
    });
    expect(members.map(({ userId }) => userId)).to.deep.equal([owner.userId]);
    const removed = await eventsOf(platform, account.live, 'auth.org.member_removed');
    expect(removed.map(({ personId }) => personId)).to.deep.equal([user.id]);
  });
});
