import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idText } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { oauthStates, type OAuthStateRow } from '../tables/oauth-state.js';
import type { Secrets } from './authorize.js';

const cellOf = (digest: Buffer) => ({
  table: 'auth_oauth_state',
  column: 'code_verifier',
  row: digest.toString('hex'),
});

export const sealVerifier = (vault: Vault, digest: Buffer, verifier: string): Buffer =>
  vault.seal(verifier, cellOf(digest));

/** The secrets that the sign-in started with, for the exchange of its code. */
export const secretsOf = (vault: Vault, row: OAuthStateRow, state: string): Secrets => ({
  state,
  nonce: row.nonce,
  codeVerifier: vault.open(row.codeVerifier, cellOf(row.stateDigest)).toString('utf8'),
});

/** The id of the sign-in in events. It reveals nothing about the state itself. */
export const startedId = (stateDigest: Buffer): string => idText(stateDigest.subarray(0, 16));

/** The sign-in that a state belongs to, in any environment. */
export const findState = (db: ReadSession, state: string): Promise<OAuthStateRow | null> =>
  db.findOne(oauthStates, { stateDigest: sha256(state) });
