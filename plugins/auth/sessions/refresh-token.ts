import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import { equalBytes, keyedDigest } from '#core/runtime/secrets/digest.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { SessionRow } from '../tables/session.js';

/*
 * A refresh token contains its session and the session's generation, under a MAC with the session's own key. So a spent
 * token can be distinguished from a forged one without a row for each token.
 */

const prefix = 'svc_rt_';
const bodyBytes = 16 + 4;
const macBytes = 32;

const cellOf = (sessionId: string): Cell => ({ table: 'auth_session', column: 'token_secret', row: sessionId });

/** Seals the MAC key of a new session. @param secret 32 random bytes */
export const sealTokenSecret = (vault: Vault, sessionId: string, secret: Buffer): Buffer =>
  vault.seal(secret, cellOf(sessionId));

type TokenSession = Pick<SessionRow, 'id' | 'generation' | 'tokenSecret'>;

function macOf(vault: Vault, { id, tokenSecret }: TokenSession, body: Buffer): Buffer {
  return keyedDigest(vault.open(tokenSecret, cellOf(id)), body.toString('hex'));
}

/** The refresh token of a session's current generation. */
export function refreshTokenOf(vault: Vault, session: TokenSession): string {
  const body = Buffer.alloc(bodyBytes);
  idBytes(session.id).copy(body);
  body.writeUInt32BE(session.generation, 16);
  return prefix + Buffer.concat([body, macOf(vault, session, body)]).toString('base64url');
}

/** The contents of a refresh token, before anything is checked. */
export interface ClaimedRefreshToken {
  sessionId: string;
  generation: number;
  body: Buffer;
  mac: Buffer;
}

/** @returns null for anything that does not have the form of a refresh token */
export function parseRefreshToken(token: string): ClaimedRefreshToken | null {
  if (!token.startsWith(prefix)) return null;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== bodyBytes + macBytes) return null;
  const body = bytes.subarray(0, bodyBytes);
  return {
    sessionId: idText(body.subarray(0, 16)),
    generation: body.readUInt32BE(16),
    body,
    mac: bytes.subarray(bodyBytes),
  };
}

/** Whether svc made this token for the session, in any generation. */
export const isOurs = (vault: Vault, claimed: ClaimedRefreshToken, session: TokenSession): boolean =>
  equalBytes(claimed.mac, macOf(vault, session, claimed.body));
