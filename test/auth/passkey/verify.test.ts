import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { newId } from '#core/runtime/id.js';
import { creationOptions, newWebAuthnChallenge, requestOptions, userHandleOf } from '#plugins/auth/passkeys/options.js';
import { verifyAssertion, verifyRegistration } from '#plugins/auth/passkeys/verify.js';
import { softwareAuthenticator, type Forgery } from '#test/support/authenticator.js';

const relyingParty = { id: 'example.com', origins: ['https://example.com', 'https://app.example.com'] };
const user = { id: newId(), name: 'Ada' };
const options = (challenge: string) =>
  creationOptions({ challenge, rpId: relyingParty.id, rpName: 'Shop', user, label: 'ada@example.com', existing: [] });

const registered = (authenticator: ReturnType<typeof softwareAuthenticator>, forgery: Forgery = {}) => {
  const challenge = newWebAuthnChallenge();
  return verifyRegistration(authenticator.create(options(challenge), forgery), { challenge, relyingParty });
};

/** Forged answers of a browser or authenticator, and what is said about each. */
const forgeries: readonly [string, Forgery, RegExp][] = [
  [
    'of another origin',
    { origin: 'https://evil.example' },
    / origin "https:\/\/evil\.example", expected one of: https:\/\/example\.com, https:\/\/app\.example\.com$/,
  ],
  ['of an origin that only begins alike', { origin: 'https://example.com.evil.example' }, /origin/],
  ['over http', { origin: 'http://example.com' }, /origin/],
  ['for another relying party', { rpId: 'evil.example' }, /RP ID/],
  ['to another challenge', { challenge: randomBytes(32).toString('base64url') }, /challenge/],
  ['of the other ceremony', { type: 'webauthn.other' }, /type/],
  ['without the user’s presence', { userPresent: false }, /not present/],
  ['in a frame of another site', { crossOrigin: true }, /frame/],
  ['with flags that contradict each other', { backupEligible: false }, /backed up/],
];

describe('Passkeys: what an authenticator answers', () => {
  for (const origin of relyingParty.origins)
    it(`is accepted from ${origin}: a new credential, then sign-ins with it`, async () => {
      const authenticator = softwareAuthenticator(origin);
      const created = await registered(authenticator);
      if ('problem' in created) throw new Error(created.problem);
      expect(created.credentialId).to.equal(authenticator.credentials[0]?.id.toString('base64url'));
      expect(created).to.deep.include({ signCount: 0, backedUp: true, aaguid: '00000000-0000-0000-0000-000000000000' });
      const row = { ...created, userId: user.id };
      for (const userVerified of [true, false]) {
        const challenge = newWebAuthnChallenge();
        const answer = authenticator.get(requestOptions(challenge, relyingParty.id), { userVerified, signCount: 7 });
        expect(await verifyAssertion(answer, row, { challenge, relyingParty })).to.deep.equal({
          signCount: 7,
          backedUp: true,
          userVerified,
        });
      }
    });

  for (const [what, forgery, problem] of forgeries) {
    it(`is rejected ${what}, at registration`, async () => {
      const answer = await registered(softwareAuthenticator('https://example.com'), forgery);
      expect('problem' in answer ? answer.problem : 'accepted').to.match(problem);
    });

    it(`is rejected ${what}, at sign-in`, async () => {
      const answer = await signIn(forgery);
      expect('problem' in answer ? answer.problem : 'accepted').to.match(problem);
    });
  }

  it('is rejected with a signature that was tampered with', async () => {
    expect(await signIn({ tamperedSignature: true })).to.deep.equal({ problem: 'its signature is not valid' });
  });

  it('is rejected with the user handle of somebody else, or none', async () => {
    for (const userHandle of [userHandleOf(newId()), ''])
      expect(await signIn({ userHandle })).to.deep.equal({
        problem: 'its user handle does not belong to the passkey’s user',
      });
  });

  it('is rejected where another credential signed', async () => {
    const [mine, other] = [softwareAuthenticator('https://example.com'), softwareAuthenticator('https://example.com')];
    const created = await registered(mine);
    await registered(other);
    if ('problem' in created) throw new Error(created.problem);
    const challenge = newWebAuthnChallenge();
    const answer = other.get(requestOptions(challenge, relyingParty.id));
    expect(await verifyAssertion(answer, { ...created, userId: user.id }, { challenge, relyingParty })).to.deep.equal({
      problem: 'its credential has a different id',
    });
  });

  it('is rejected if it is not CBOR, without an error of the decoder', async () => {
    const challenge = newWebAuthnChallenge();
    const answer = softwareAuthenticator('https://example.com').create(options(challenge));
    for (const attestationObject of ['AA', 'gA', randomBytes(60).toString('base64url')]) {
      const broken = { ...answer, response: { ...answer.response, attestationObject } };
      const rejected = await verifyRegistration(broken, { challenge, relyingParty });
      expect(rejected).to.have.property('problem').that.is.a('string');
    }
  });

  it('is rejected with a key of an algorithm that was not asked for', async () => {
    const answer = await registered(softwareAuthenticator('https://example.com', -35));
    expect('problem' in answer ? answer.problem : 'accepted').to.match(/alg "-35"/);
  });

  it('is rejected where the credential is another one than the answer names', async () => {
    const challenge = newWebAuthnChallenge();
    const answer = softwareAuthenticator('https://example.com').create(options(challenge));
    const id = randomBytes(32).toString('base64url');
    const renamed = { ...answer, id, rawId: id };
    expect(await verifyRegistration(renamed, { challenge, relyingParty })).to.deep.equal({
      problem: 'its credential has a different id',
    });
  });

  it('is accepted whatever it states about its make; the certificates of a statement are not looked at', async () => {
    const answer = await registered(softwareAuthenticator('https://example.com'), { attestationFormat: 'packed' });
    expect(answer).to.have.property('credentialId');
  });

  it('is rejected with a signature counter that did not move forward', async () => {
    const authenticator = softwareAuthenticator('https://example.com');
    const created = await registered(authenticator, { signCount: 5 });
    if ('problem' in created) throw new Error(created.problem);
    const challenge = newWebAuthnChallenge();
    for (const signCount of [0, 4, 5]) {
      const answer = authenticator.get(requestOptions(challenge, relyingParty.id), { signCount });
      const rejected = await verifyAssertion(answer, { ...created, userId: user.id }, { challenge, relyingParty });
      expect('problem' in rejected ? rejected.problem : 'accepted').to.match(/counter/);
    }
  });

  async function signIn(forgery: Forgery): ReturnType<typeof verifyAssertion> {
    const authenticator = softwareAuthenticator('https://example.com');
    const created = await registered(authenticator);
    if ('problem' in created) throw new Error(created.problem);
    const challenge = newWebAuthnChallenge();
    const answer = authenticator.get(requestOptions(challenge, relyingParty.id), forgery);
    return verifyAssertion(answer, { ...created, userId: user.id }, { challenge, relyingParty });
  }
});
