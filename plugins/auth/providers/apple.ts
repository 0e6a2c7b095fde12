import { createPrivateKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Clock } from '#core/runtime/clock.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { isClaims, textClaim } from './claims.js';
import type { Claims, Client, OidcProvider } from './provider.js';

const issuer = 'https://appleid.apple.com';

/** The data from Apple’s developer pages, from which secrets are made repeatedly. */
interface AppleKey {
  teamId: string;
  keyId: string;
  key: KeyObject;
}

const secretSeconds = 3_600;
/** How long before its expiry a secret is no longer used, so that it is still valid when it arrives. */
const spareMs = 300_000;
const maxSecrets = 500;
const secrets = new Map<string, { text: string; until: number }>();

const secretHelp =
  'must be JSON with teamId, keyId and p8, the text of the AuthKey_….p8 file: {"teamId": "…", "keyId": "…", "p8": "-----BEGIN PRIVATE KEY-----…"}';

function keyFrom(secret: string): AppleKey | undefined {
  try {
    const parsed: unknown = JSON.parse(secret);
    if (!isClaims(parsed)) return undefined;
    const [teamId, keyId] = [textClaim(parsed, 'teamId', 100), textClaim(parsed, 'keyId', 100)];
    const p8 = parsed['p8'];
    if (teamId === null || keyId === null || typeof p8 !== 'string') return undefined;
    const key = createPrivateKey(p8);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? { teamId, keyId, key } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Apple does not accept a fixed secret, but a JWT signed with the team’s key. A JWT is reused until five minutes before
 * it expires.
 */
function presentedSecret({ clientId, clientSecret, issuer: audience }: Client, clock: Clock): string {
  const stored = clientSecret ?? '';
  const id = sha256(JSON.stringify([clientId, stored, audience])).toString('base64');
  const now = clock.now().getTime();
  const known = secrets.get(id);
  if (known && known.until - spareMs > now && known.until - secretSeconds * 1000 <= now) return known.text;
  const apple = keyFrom(stored);
  if (!apple) throw new Error('The stored secret of an Apple client is not a key.');
  const issuedAt = Math.floor(now / 1000);
  const text = jwt.sign(
    { iss: apple.teamId, iat: issuedAt, exp: issuedAt + secretSeconds, aud: audience ?? issuer, sub: clientId },
    apple.key,
    { algorithm: 'ES256', keyid: apple.keyId },
  );
  secrets.delete(id);
  secrets.set(id, { text, until: (issuedAt + secretSeconds) * 1000 });
  for (const [oldest] of secrets) {
    if (secrets.size <= maxSecrets) break;
    secrets.delete(oldest);
  }
  return text;
}

/** Apple sends the name once, at the first sign-in, unsigned and with the code. Everything else is in the ID token. */
function nameOf(_claims: Claims, posted: Claims | null): string | null {
  const name = posted?.['name'];
  if (!isClaims(name)) return null;
  const parts = [textClaim(name, 'firstName', 100), textClaim(name, 'lastName', 99)];
  return parts.filter((part) => part !== null).join(' ') || null;
}

/**
 * Sign in with Apple. Apple posts the code to the callback page, as it does whenever a name or address is requested.
 */
export const apple: OidcProvider = {
  protocol: 'oidc',
  name: 'Apple',
  issuer,
  issuerIsFixed: true,
  scopes: ['openid', 'name', 'email'],
  needsSecret: true,
  parameters: { response_mode: 'form_post' },
  secretProblem: (secret) => (keyFrom(secret) ? undefined : secretHelp),
  presentedSecret,
  nameOf,
};
