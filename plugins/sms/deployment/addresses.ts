import { createPublicKey, type KeyObject } from 'node:crypto';

export interface TwilioAddress {
  readonly accountSid: string;
  readonly authToken: string;
  /** The hosts of the APIs for messages and numbers, for messaging services, and for trust profiles. */
  readonly api: string;
  readonly messaging: string;
  readonly trustHub: string;
  /**
   * The deployment's own approved business profile (BU…), under which registrations are submitted. If null,
   * none can be submitted.
   */
  readonly profile: string | null;
}

export interface TelnyxAddress {
  readonly messagingProfile: string;
  readonly apiKey: string;
  readonly api: string;
  /** Verifies what Telnyx sends. */
  readonly publicKey: KeyObject;
}

/*
 * SVC_SMS_URL, by provider:
 * - `twilio://<account sid>:<auth token>@api.twilio.com?profile=<BU…>`
 * - `telnyx://<messaging profile id>:<API key>@api.telnyx.com?publicKey=<base64>`
 *
 * `api=<origin>` names another server with the provider's API: a proxy, or the fake provider of the tests. If its
 * address is private, SVC_OUTBOUND_ALLOW must allow it. The readers throw an Error whose message completes
 * “SVC_SMS_URL …”, without any part of the value, which contains a secret.
 */

/** The 12 bytes before the key in the DER form of an Ed25519 public key (RFC 8410 section 4). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

interface UrlParts {
  readonly user: string;
  readonly secret: string;
  readonly origin: string;
}

function partsOf(url: URL): UrlParts {
  const api = url.searchParams.get('api') ?? `https://${url.host}`;
  if (!URL.canParse(api) || !/^https?:$/.test(new URL(api).protocol))
    throw new Error('has an `api` that is not an http or https address');
  return {
    user: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    origin: new URL(api).origin,
  };
}

function readTwilioUrl(url: URL): TwilioAddress {
  const { user, secret, origin } = partsOf(url);
  if (!/^AC[0-9a-f]{32}$/.test(user) || secret === '')
    throw new Error('must name the account SID (AC…) and its auth token: twilio://AC…:<auth token>@api.twilio.com');
  const profile = url.searchParams.get('profile');
  if (profile !== null && !/^BU[0-9a-f]{32}$/.test(profile))
    throw new Error('has a `profile` that is not the SID of a business profile (BU…)');
  return { accountSid: user, authToken: secret, profile, ...twilioServers(url, origin) };
}

function readTelnyxUrl(url: URL): TelnyxAddress {
  const { user, secret, origin } = partsOf(url);
  if (user === '' || secret === '')
    throw new Error('must name a messaging profile and an API key: telnyx://<profile id>:<API key>@api.telnyx.com');
  const key = Buffer.from(url.searchParams.get('publicKey')?.replaceAll(' ', '+') ?? '', 'base64');
  if (key.length !== 32) throw new Error('must have the account’s public key as `publicKey`: 32 bytes in base64');
  const der = Buffer.concat([ed25519Prefix, key]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { messagingProfile: user, apiKey: secret, api: origin, publicKey };
}

/** Twilio has three hosts; a server named by `api` serves all three. */
function twilioServers(
  { host, searchParams }: URL,
  origin: string,
): Pick<TwilioAddress, 'api' | 'messaging' | 'trustHub'> {
  if (searchParams.has('api')) return { api: origin, messaging: origin, trustHub: origin };
  // api.dublin.ie1.twilio.com: regions are part of all three names.
  const named = (name: string): string => `https://${host.replace(/^api\./, `${name}.`)}`;
  return { api: origin, messaging: named('messaging'), trustHub: named('trusthub') };
}

/**
 * How the address of each provider is read, by the scheme of SVC_SMS_URL. providers/choose.ts connects each of them.
 */
export const addressReaders = { twilio: readTwilioUrl, telnyx: readTelnyxUrl };

export type ProviderScheme = keyof typeof addressReaders;

const isProviderScheme = (scheme: string): scheme is ProviderScheme => Object.hasOwn(addressReaders, scheme);

/** The scheme of SVC_SMS_URL: settings.ts allows only those of `addressReaders`. */
export function schemeOf(url: URL): ProviderScheme {
  const scheme = url.protocol.slice(0, -1);
  if (!isProviderScheme(scheme)) throw new Error(`must start with ${Object.keys(addressReaders).join(':// or ')}://`);
  return scheme;
}

export function checkProviderUrl(text: string): void {
  const url = new URL(text);
  addressReaders[schemeOf(url)](url);
}

/** The provider and its server, without the account and its secret: `twilio at api.twilio.com`. */
export function providerName(text: string): string {
  const url = new URL(text);
  const api = url.searchParams.get('api');
  return `${schemeOf(url)} at ${api === null ? url.hostname : new URL(api).hostname}`;
}
