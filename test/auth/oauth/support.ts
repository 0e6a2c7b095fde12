import type { Environment } from '#core/kernel/caller/caller.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { usePlatform, type TestOptions } from '#test/support/platform.js';
import type { InputOf, RawAnswer, ReplyOf } from '#test/support/api.js';
import { needProducts } from '#test/support/products.js';
import { startOidcProvider, visitProvider, type TestOidc } from '#test/support/oidc-provider.js';

export const redirectTo = 'https://app.example.com/signed-in';

/** A platform, and an OpenID Connect provider for the tests of one file. */
export function useOidc(options?: TestOptions): { platform: TestPlatform; readonly oidc: TestOidc } {
  const parts: { oidc?: TestOidc } = {};
  needProducts('auth');
  const platform = usePlatform(options);
  before(async () => {
    parts.oidc = await startOidcProvider();
  });
  after(() => parts.oidc?.close());
  return {
    platform,
    get oidc() {
      if (!parts.oidc) throw new Error('The provider is not running yet: use it inside it() or a hook.');
      return parts.oidc;
    },
  };
}

/** An account whose test environment may return to `redirectTo` and has the provider `corp`. */
export async function accountWith(
  platform: TestPlatform,
  oidc: TestOidc,
  app: Partial<InputOf<'auth.oauth.app.set'>> = {},
): Promise<TestAccount> {
  const account = await platform.account();
  await account.svcTest.call('auth.settings.set', {
    redirectUrls: ['https://app.example.com'],
    botProtection: { enabled: false },
  });
  await account.svcTest.call('auth.oauth.app.set', { ...appOf(oidc), ...app });
  return account;
}

export const appOf = ({ issuer, clientId, clientSecret }: TestOidc): InputOf<'auth.oauth.app.set'> => ({
  provider: 'corp',
  name: 'Corp',
  issuer,
  clientId,
  clientSecret,
});

export type Started = ReplyOf<'auth.oauth.start'>;
export type Completion = InputOf<'auth.oauth.complete'>;

/** One person’s browser: it starts at the app, passes the provider, and comes back through svc’s callback page. */
export interface Browser {
  start(input?: Partial<InputOf<'auth.oauth.start'>>): Promise<Started>;
  /** Goes to the provider and comes back. @returns where the app’s page was opened */
  comeBack(started: Started): Promise<URL>;
  /** What the app’s page passes to auth.oauth.complete. */
  arrive(input?: Partial<InputOf<'auth.oauth.start'>>): Promise<Completion>;
  signIn(input?: Partial<InputOf<'auth.oauth.start'>>): Promise<ReplyOf<'auth.oauth.complete'>>;
}

export function browserOf(platform: TestPlatform, { keys, svcTest }: TestAccount, provider = 'corp'): Browser {
  const key = keys.test.publishable;
  const browser: Browser = {
    start: (input = {}) => svcTest.call('auth.oauth.start', { provider, redirectTo, ...input }, { key }),
    async comeBack({ authorizationUrl }) {
      const back = await visitProvider(authorizationUrl);
      return locationOf(await openPage(platform, back));
    },
    async arrive(input) {
      const started = await browser.start(input);
      return completionOf(await browser.comeBack(started), started);
    },
    signIn: async (input) => svcTest.call('auth.oauth.complete', await browser.arrive(input), { key }),
  };
  return browser;
}

/** Opens one of svc’s addresses at the running server, whatever base URL it has, and follows no redirect. */
export async function openPage(platform: TestPlatform, url: URL, options: RequestInit = {}): Promise<RawAnswer> {
  const address = `${platform.running.address}${url.pathname}${url.search}`;
  const answer = await fetch(address, { redirect: 'manual', ...options });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

export function locationOf({ status, headers, text }: RawAnswer): URL {
  if (status !== 303) throw new Error(`The page answered ${status}: ${text}`);
  return new URL(headers.get('location') ?? '');
}

export function completionOf({ searchParams }: URL, { browserToken }: Started): Completion {
  const issuer = searchParams.get('iss');
  return {
    code: searchParams.get('code') ?? '',
    state: searchParams.get('state') ?? '',
    browserToken,
    ...(issuer === null ? {} : { issuer }),
  };
}

/** The types of an environment’s events about sign-ins, oldest first. */
export const eventTypes = async (platform: TestPlatform, environment: Environment): Promise<string[]> =>
  (await platform.events(environment))
    .map(({ type }) => type)
    .filter((type) => /^auth\.(oauth\.started|signin|user|identity|mfa)/.test(type));

/** Why the environment’s sign-ins failed, oldest first. */
export const failures = async (platform: TestPlatform, environment: Environment): Promise<unknown[]> =>
  (await platform.events(environment))
    .filter(({ type }) => type === 'auth.signin.failed')
    .map(({ data }) => data['reason']);

/** The code that a completion is refused with. */
export async function refusalOf({ svcTest, keys }: TestAccount, completion: Completion): Promise<string> {
  const { status, text } = await svcTest.raw('/auth/oauth/complete', JSON.stringify(completion), {
    key: keys.test.publishable,
  });
  return status === 200 ? 'not refused' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
}
