import { expect } from 'chai';
import { propertiesOf } from '#core/kernel/schema/schema.js';
import { publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { exampleWith, operations } from './support/operations.js';

/** What changes how a user signs in, or deletes: it takes the second factor of a user who has one. */
const changing = new Set([
  // It gives a device a session of its own.
  'auth.device.approve',
  'auth.factor.recovery.regenerate',
  'auth.factor.remove',
  'auth.factor.totp.activate',
  'auth.factor.totp.enroll',
  'auth.identity.add',
  'auth.identity.primary.set',
  'auth.identity.remove',
  'auth.identity.verify',
  'auth.me.delete',
  'auth.oauth.start',
  'auth.org.delete',
  'auth.passkey.register.start',
  'auth.passkey.register.verify',
  'auth.passkey.remove',
  'auth.password.remove',
  'auth.password.set',
]);

/** What a session of one factor may go on doing: it gives and takes no way to sign in. */
const others = new Set([
  'account.member.accept',
  'auth.device.deny',
  'auth.me.update',
  'auth.org.create',
  'auth.org.invite.accept',
  'auth.org.invite.create',
  'auth.org.invite.revoke',
  'auth.org.leave',
  'auth.org.member.remove',
  'auth.org.member.update',
  'auth.org.switch',
  'auth.org.update',
  // It takes access away and gives none: whoever suspects a stranger in their account acts at once.
  'auth.session.revokeMine',
  // Its token is what it checks; it acts for nobody.
  'auth.session.verify',
]);

/** These begin what others complete: the recent sign-in was checked when it began. */
const completing = new Set(['auth.identity.verify', 'auth.passkey.register.verify', 'auth.factor.totp.activate']);

describe('Operations that change how a user signs in', () => {
  needProducts('auth');
  const platform = usePlatform();
  const ofUsers = operations.filter(({ input }) => 'accessToken' in propertiesOf(input));

  it('are known: a new operation of users is one of them or not', () => {
    const unknown = ofUsers.filter(({ name, impact }) => !impact.read && !changing.has(name) && !others.has(name));
    expect(unknown.map(({ name }) => name)).to.deep.equal([]);
  });

  for (const { name, needs = {}, errors } of ofUsers.filter((each) => changing.has(each.name)))
    it(`${name} takes the user themself, a recent sign-in, and the second factor if one is active`, () => {
      expect(needs).to.include({ notImpersonated: true });
      expect(needs.secondFactor ?? needs.secondFactorIfActive).to.equal(true);
      const declared: readonly string[] = errors;
      // A change of the password may give the present one instead.
      const isRecent = needs.recentSignIn ?? (completing.has(name) || declared.includes('reauth_required'));
      expect(isRecent).to.equal(true);
    });

  it('refuse a session of one factor once the user has two, and say how to go on', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const before = await signedIn(platform, account.live);
    await userWithTotp(platform, account);
    for (const operation of ofUsers.filter(({ name }) => changing.has(name))) {
      const refused = await api.refusal(operation.name, exampleWith(operation, { accessToken: before.accessToken }));
      expect(refused, operation.name).to.include({ status: 403, code: 'mfa_required' });
      expect(refused.fix).to.contain('sign in with it');
    }
    expect((await api.call('auth.me.get', { accessToken: before.accessToken })).hasPassword).to.equal(false);
  });
});
