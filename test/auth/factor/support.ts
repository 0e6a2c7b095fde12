import { TOTP } from 'otpauth';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { SignInMethod } from '#plugins/auth/tables/sign-in-methods.js';
import { completeSignIn } from '#plugins/auth/signin/complete.js';
import { noTarget } from '#plugins/auth/challenges/return-target.js';
import { findUser } from '#plugins/auth/users/find.js';
import { signedIn, type SignedIn } from '#test/auth/support.js';
import { apiAt, type Api } from '#test/support/api.js';
import { seconds } from '#test/support/clock.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

/** An authenticator app, with the clock of the test. */
export interface App {
  readonly secret: string;
  /** The code that it shows now, or `steps` of 30 seconds later. */
  code(steps?: number): string;
}

export const appOf = (platform: TestPlatform, secret: string): App => ({
  secret,
  code: (steps = 0) => new TOTP({ secret }).generate({ timestamp: platform.clock.now().getTime() + steps * 30_000 }),
});

export type Side = 'live' | 'test';

/** Calls with the publishable key of an environment. */
export const publishableApi = (platform: TestPlatform, account: TestAccount, side: Side = 'live'): Api =>
  apiAt(
    () => platform.running.address,
    () => account.keys[side].publishable,
    () => platform.running.registry,
  );

export interface WithFactor {
  user: SignedIn;
  app: App;
  factorId: string;
  recoveryCodes: string[];
}

/** A user who is signed in and has activated TOTP. The clock then moves to the next code. */
export async function userWithTotp(
  platform: TestPlatform,
  account: TestAccount,
  email = 'ada@example.com',
  side: Side = 'live',
): Promise<WithFactor> {
  const user = await signedIn(platform, account[side], { email });
  const api = publishableApi(platform, account, side);
  const { accessToken } = user;
  const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
  const app = appOf(platform, secret);
  const { recoveryCodes } = await api.call('auth.factor.totp.activate', { accessToken, factorId, code: app.code() });
  platform.clock.advance(seconds(30));
  return { user, app, factorId, recoveryCodes: recoveryCodes ?? [] };
}

/** Passes a first factor without going through its operations. @returns what every completion of a sign-in answers */
export async function passFirstFactor(
  platform: TestPlatform,
  environment: Environment,
  userId: string,
  {
    method = 'password',
    handoff = false,
    redirectTo = null,
  }: {
    method?: SignInMethod;
    handoff?: boolean;
    redirectTo?: string | null;
  } = {},
) {
  const answer = await platform.running.services.transaction('Test', async (context) => {
    context.actIn(environment);
    const user = await findUser(context.db, environment.id, userId);
    if (!user) throw new Error('There is no such user.');
    const result = await completeSignIn(context, environment, {
      user,
      method,
      openedBy: null,
      target: { ...noTarget, handoff, redirectTo },
    });
    context.audit({ operation: 'auth.password.signin', summary: 'Passed a first factor, for a test.' });
    return result;
  });
  if ('refusal' in answer) throw answer.refusal;
  return answer;
}

/** The mfaToken of a first factor that was just passed. */
export async function mfaTokenOf(platform: TestPlatform, environment: Environment, userId: string): Promise<string> {
  const { mfa } = await passFirstFactor(platform, environment, userId);
  if (!mfa) throw new Error('No second factor was asked for.');
  return mfa.mfaToken;
}
