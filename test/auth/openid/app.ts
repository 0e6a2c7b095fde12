import * as client from 'openid-client';
import type { Visited, Visitor } from '#test/auth/pages/visitor.js';
import { leadsTo } from '#test/auth/pages/visitor.js';
import type { TestAccount } from '#test/support/platform.js';

/** A server with an OpenID provider. */
interface Served {
  readonly platform: Visited & {
    readonly running: { readonly services: { readonly deployment: { readonly baseUrl: string } } };
  };
}

/** The account whose users sign in, or what is known of it. */
type Tenant = { readonly live: Pick<TestAccount['live'], 'id'> };

export const redirectUrl = 'https://grafana.example/login/generic_oauth';
export const logoutUrl = 'https://grafana.example/bye';

/** Configures an app. @returns its secret */
export async function newApp(
  account: TestAccount,
  facts: { firstParty?: boolean; kind?: 'confidential' | 'public' } = {},
  appId = 'grafana',
): Promise<string | undefined> {
  const { appSecrets } = await account.svc.call('auth.settings.set', {
    apps: { [appId]: { name: 'Grafana', redirectUrls: [redirectUrl], logoutUrls: [logoutUrl], ...facts } },
  });
  return appSecrets?.[appId];
}

const pathOf = (url: URL): string => `${url.pathname}${url.search}`;

export const issuerOf = ({ platform }: Served, { live }: Tenant): URL =>
  new URL(`/auth/${live.id}`, platform.running.services.deployment.baseUrl);

/** The server of a test is not at its base URL: a proxy would be in front of it. */
const viaProxy =
  ({ platform }: Served): client.CustomFetch =>
  (url, { body, ...options }) =>
    fetch(new URL(pathOf(new URL(url)), platform.running.address), {
      ...options,
      ...(body == null ? {} : { body: body instanceof Uint8Array ? new Uint8Array(body) : body }),
    });

/** A relying party on openid-client, which reads the discovery document. */
export const relyingParty = (
  test: Served,
  account: Tenant,
  secret: string | undefined,
  appId = 'grafana',
): Promise<client.Configuration> =>
  client.discovery(issuerOf(test, account), appId, secret, secret === undefined ? client.None() : undefined, {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: viaProxy(test),
  });

/** A sign-in that an app has started. */
export interface Started {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
}

export async function startedBy(
  config: client.Configuration,
  parameters: Record<string, string> = {},
): Promise<Started> {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl,
    scope: 'openid email profile groups',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  });
  return { url, verifier, state, nonce };
}

/**
 * Opens an address in a browser and follows redirects and pages that lead on.
 * @returns the address outside the server; or the page at which the browser stops
 */
export async function follow(
  { platform }: Served,
  browser: Visitor,
  start: URL,
): Promise<{ left: URL } | { path: string; status: number; text: string }> {
  let at = start;
  for (let step = 0; step < 12; step += 1) {
    const seen = await browser.get(pathOf(at));
    const next = seen.location ?? leadsTo(seen);
    if (next === null) return { path: pathOf(at), status: seen.status, text: seen.text };
    const own = [platform.running.address, platform.running.services.deployment.baseUrl].map((each) => new URL(each));
    at = new URL(next, new URL(pathOf(at), platform.running.address));
    if (own.every(({ origin }) => origin !== at.origin)) return { left: at };
  }
  throw new Error('The server redirects without end.');
}

/** Redeems the code in the address to which the browser was sent. */
export const redeem = (
  config: client.Configuration,
  { verifier, state, nonce }: Started,
  left: URL,
): ReturnType<typeof client.authorizationCodeGrant> =>
  client.authorizationCodeGrant(config, left, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });

/** The address of the app. @throws if the browser stopped at a page */
export function leftOf(followed: Awaited<ReturnType<typeof follow>>): URL {
  if ('left' in followed) return followed.left;
  throw new Error(`The browser stopped at ${followed.path} (${followed.status}): ${followed.text}`);
}
