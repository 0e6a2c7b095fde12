import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { idBytes, newId } from '#core/runtime/id.js';
import { phoneIdentity } from '#plugins/auth/identities/normalize.js';
import { challenges } from '#plugins/auth/tables/challenge.js';
import { identities } from '#plugins/auth/tables/identity.js';
import { listTexts, phoneFiles } from '#plugins/sms/providers/log/store.js';
import { publishableApi, userWithTotp, type WithFactor } from '#test/auth/factor/support.js';
import { accountWith, browserOf, redirectTo, useOidc } from '#test/auth/oauth/support.js';
import { answerOf, pagesOrigin, registerPasskey, type Authenticator } from '#test/auth/passkey/support.js';
import { codeChallenge, codeVerifier, state } from '#test/auth/binding.js';
import { password, userWithPassword } from '#test/auth/password/support.js';
import { startedCode, startedLink } from '#test/auth/support.js';
import type { Api, ReplyOf } from '#test/support/api.js';
import { softwareAuthenticator } from '#test/support/authenticator.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { itNeeding, type ProductName } from '#test/support/products.js';

type SignInResult = ReplyOf<'auth.signin.verify'>;
type Tokens = ReplyOf<'auth.session.exchange'>['tokens'];

/** A user of the test environment with a password, an authenticator app, recovery codes and a passkey. */
interface Person extends WithFactor {
  platform: TestPlatform;
  account: TestAccount;
  api: Api;
  authenticator: Authenticator;
}

interface FirstFactor {
  /** Products beside auth. */
  readonly needs?: readonly ProductName[];
  /** The completion’s operation. */
  completion: string;
  amr: string;
  pass(person: Person, handoff: boolean): Promise<SignInResult>;
  /** What follows the second step: the tokens that count in the end. */
  afterwards?(person: Person, tokens: Tokens): Promise<Tokens>;
}

const returning = (handoff: boolean) => (handoff ? { handoff, redirectTo, state, codeChallenge } : {});

/** A started proof that returns to the app. */
async function returningProof({ platform }: Person, id: string, handoff: boolean): Promise<void> {
  if (handoff)
    await platform.running.services.database.update(
      challenges,
      { id },
      { handoff, redirectTo, appState: state, appChallenge: codeChallenge },
    );
}

const byPassword: FirstFactor['pass'] = ({ api }, handoff) =>
  api.call('auth.password.signin', { email: 'ada@example.com', password, ...returning(handoff) });

const firstFactors: Readonly<Record<string, FirstFactor>> = {
  code: {
    completion: 'auth.signin.verify',
    amr: 'code',
    async pass(person, handoff) {
      const challengeId = await startedCode(person.platform, person.account.test);
      await returningProof(person, challengeId, handoff);
      return person.api.call('auth.signin.verify', { challengeId, code: '271828' });
    },
  },
  'magic link': {
    completion: 'auth.link.complete',
    amr: 'link',
    async pass(person, handoff) {
      const token = await startedLink(person.platform, person.account.test);
      await returningProof(person, token.slice(0, 36), handoff);
      return person.api.call('auth.link.complete', { token });
    },
  },
  text: {
    needs: ['sms'],
    completion: 'auth.signin.verify',
    amr: 'sms',
    async pass(person, handoff) {
      const { platform, account, api, user } = person;
      const { services } = platform.running;
      const phone = '+4915123456789';
      const at = platform.clock.now();
      const identity = { ...phoneIdentity(phone), verifiedAt: at, isPrimary: true, byUser: true, createdAt: at };
      const { key: identityKey, ...rest } = identity;
      await services.database.insert(identities, {
        ...rest,
        identityKey,
        id: newId(),
        environmentId: account.test.id,
        userId: user.userId,
      });
      await account.svcTest.call('auth.settings.set', { methods: { sms: { enabled: true } } });
      const { challengeId } = await api.call('auth.signin.start', { phone });
      await returningProof(person, challengeId, handoff);
      await platform.settled();
      const [text] = (await listTexts(phoneFiles(services.deployment))).filter((each) => each.phone === phone);
      const code = /\b\d{6}\b/.exec(text?.body ?? '')?.[0] ?? '';
      return api.call('auth.signin.verify', { challengeId, code });
    },
  },
  password: { completion: 'auth.password.signin', amr: 'password', pass: byPassword },
  'passkey without user verification': {
    completion: 'auth.passkey.signin.verify',
    amr: 'passkey',
    async pass({ api, authenticator }, handoff) {
      const answer = await answerOf(api, authenticator, { userVerified: false });
      return api.call('auth.passkey.signin.verify', { ...answer, ...returning(handoff) });
    },
  },
  provider: {
    completion: 'auth.oauth.complete',
    amr: 'oauth',
    pass: ({ platform, account }, handoff) => browserOf(platform, account).signIn(returning(handoff)),
  },
  device: {
    completion: 'auth.device.poll',
    amr: 'password',
    pass: byPassword,
    async afterwards({ api }, { accessToken }) {
      const { deviceCode, userCode } = await api.call('auth.device.start', { clientName: 'Command line' });
      await api.call('auth.device.approve', { accessToken, userCode });
      return (await api.call('auth.device.poll', { deviceCode })).tokens;
    },
  },
};

const secondFactors: Readonly<
  Record<'totp' | 'recovery_code', (person: Person, mfaToken: string) => Promise<SignInResult>>
> = {
  totp: ({ api, app }, mfaToken) => api.call('auth.mfa.verify', { mfaToken, code: app.code() }),
  recovery_code: ({ api, recoveryCodes }, mfaToken) =>
    api.call('auth.mfa.recover', { mfaToken, recoveryCode: recoveryCodes[0] ?? '' }),
};

describe('A second factor is asked for after every first one', () => {
  const env = useOidc();

  async function personWith(): Promise<Person> {
    const { platform, oidc } = env;
    oidc.person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true } };
    const account = await accountWith(platform, oidc);
    await userWithPassword(platform, account.test);
    const made = await userWithTotp(platform, account, 'ada@example.com', 'test');
    const api = publishableApi(platform, account, 'test');
    const authenticator = softwareAuthenticator(pagesOrigin(platform));
    await registerPasskey(api, authenticator, made.user.accessToken);
    return { ...made, platform, account, api, authenticator };
  }

  const sessionsOf = ({ platform, user }: Person): Promise<number> =>
    platform.count('auth_session', `user_id = 0x${idBytes(user.userId).toString('hex')}`);

  /** The values in the answer of the first factor are not credentials of any kind. */
  async function expectNothingUsable({ api }: Person, mfaToken: string): Promise<void> {
    expect((await api.refusal('auth.session.mine', { accessToken: mfaToken })).code).to.equal('token_invalid');
    expect((await api.refusal('auth.session.refresh', { refreshToken: mfaToken })).code).to.equal('session_invalid');
    expect((await api.refusal('auth.session.exchange', { code: mfaToken })).code).to.equal('code_invalid');
  }

  async function tokensOf({ api }: Person, answer: SignInResult, handoff: boolean): Promise<Tokens> {
    expect(answer.status).to.equal(handoff ? 'handoff' : 'complete');
    if (answer.tokens) return answer.tokens;
    const { searchParams } = new URL(answer.redirectTo ?? '');
    expect(searchParams.get('state')).to.equal(state);
    const code = searchParams.get('svc_code') ?? '';
    expect((await api.refusal('auth.session.exchange', { code })).code).to.equal('code_invalid');
    return (await api.call('auth.session.exchange', { code, codeVerifier })).tokens;
  }

  for (const [name, { completion, amr, pass, afterwards, needs = [] }] of Object.entries(firstFactors))
    for (const handoff of [false, true])
      for (const second of ['totp', 'recovery_code'] as const)
        itNeeding(...needs)(
          `${name} (${completion}), ${handoff ? 'with' : 'without'} handoff, then ${second}`,
          async () => {
            const person = await personWith();
            const before = await sessionsOf(person);
            const asked = await pass(person, handoff);
            const { mfa, ...rest } = asked;
            expect(rest).to.deep.equal({ status: 'mfa_required', tokens: null, user: null, redirectTo: null });
            expect(mfa?.factors).to.deep.equal(['totp', 'recovery_code']);
            const mfaToken = mfa?.mfaToken ?? '';
            const waiting = (await person.platform.events(person.account.test)).filter(
              ({ type }) => type === 'auth.mfa.required',
            );
            expect(waiting.at(-1)?.data).to.deep.equal({ userId: person.user.userId, methods: [amr] });
            await expectNothingUsable(person, mfaToken);
            expect(await sessionsOf(person)).to.equal(before);

            const answer = await secondFactors[second](person, mfaToken);
            const signedIn = await tokensOf(person, answer, handoff);
            const tokens = afterwards ? await afterwards(person, signedIn) : signedIn;
            const claims = decodeJwt(tokens.accessToken);
            expect(claims).to.deep.include({ sub: person.user.userId, amr: [amr, second], mfa: true });
            // Good for what needs a second factor:
            const { accessToken } = tokens;
            await person.api.call('auth.factor.recovery.regenerate', { accessToken });
          },
        );

  it('unless the first one is a passkey with user verification, which counts as two', async () => {
    const person = await personWith();
    const answer = await person.api.call(
      'auth.passkey.signin.verify',
      await answerOf(person.api, person.authenticator, { userVerified: true }),
    );
    expect(decodeJwt(answer.tokens?.accessToken ?? '')).to.deep.include({ amr: ['passkey'], mfa: true });
  });
});
