import { randomBytes } from 'node:crypto';
import { idBytes } from '#core/runtime/id.js';
import { minutes } from '../tables/lifetimes.js';
import { passkeys, type PasskeyRow } from '../tables/passkey.js';
import type { UserRow } from '../tables/user.js';
import type { CreationOptionsValue, RequestOptionsValue } from './webauthn-json.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';

const timeout = minutes.passkey * 60_000;

/** COSE algorithms of new passkeys (RFC 9053 section 2, RFC 8812): EdDSA, ES256, RS256. */
export const algorithms: number[] = [-8, -7, -257];

/** base64url of 32 random bytes (WebAuthn Level 3, section 13.4.3, requires at least 16). */
export const newWebAuthnChallenge = (): string => randomBytes(32).toString('base64url');

/** The user handle: the user's id, so that a passkey identifies the user (section 5.4.3: no personal data). */
export const userHandleOf = (userId: string): string => idBytes(userId).toString('base64url');

interface NewPasskey {
  challenge: string;
  rpId: string;
  /** Shown to the user by browsers and password managers. */
  rpName: string;
  user: Pick<UserRow, 'id' | 'name'>;
  /** The account that the passkey is for: the user's address. */
  label: string;
  /** The passkeys that the user already has. */
  existing: readonly Pick<PasskeyRow, 'credentialId' | 'transports'>[];
}

/**
 * Options for `navigator.credentials.create`: a discoverable credential, with user verification if the authenticator
 * supports it.
 */
export const creationOptions = ({
  challenge,
  rpId,
  rpName,
  user,
  label,
  existing,
}: NewPasskey): CreationOptionsValue => ({
  rp: { id: rpId, name: rpName },
  user: { id: userHandleOf(user.id), name: label, displayName: user.name ?? label },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout,
  excludeCredentials: existing.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key',
    transports,
  })),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  attestation: 'none',
  extensions: { credProps: true },
});

/**
 * Options for `navigator.credentials.get`. They contain no credential, so they do not reveal which passkeys a user has.
 */
export const requestOptions = (challenge: string, rpId: string): RequestOptionsValue => ({
  challenge,
  timeout,
  rpId,
  allowCredentials: [],
  userVerification: 'preferred',
});

/** The options of a ceremony that adds a passkey to those the user already has. */
export async function registrationOptions(
  db: ReadSession,
  passkey: Omit<NewPasskey, 'existing'>,
): Promise<CreationOptionsValue> {
  return creationOptions({ ...passkey, existing: await db.find(passkeys, { userId: passkey.user.id }) });
}
