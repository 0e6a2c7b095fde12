import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import { equalBytes, keyedDigest } from '#core/runtime/secrets/digest.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { sessions, type SessionRow } from '../tables/session.js';
import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { clientFacts } from './device.js';
import type { SessionToIssue } from './read.js';

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

/**
 * Moves a locked session to the next generation, which spends all earlier refresh tokens. The lifetime of the session
 * starts again, and the session shows the current device and location of the client.
 */
export async function rotateSession(
  { db, clock, caller, deployment }: Pick<Context, 'db' | 'clock' | 'caller' | 'deployment'>,
  { session, settings, orgRole }: SessionToIssue,
): Promise<SessionRow> {
  const now = clock.now();
  const facts = {
    ...clientFacts(deployment, caller.request),
    generation: session.generation + 1,
    // A user who is no longer a member has no active organization either.
    organizationId: orgRole === null ? null : session.organizationId,
    lastUsedAt: now,
    expiresAt: shift(now, settings.refreshTokenSeconds * 1000),
  };
  await db.defer(sessions.updateRow({ id: session.id, generation: session.generation }, facts));
  return { ...session, ...facts };
}

/** Locks a session until the transaction ends. All calls that refresh or end it at the same time wait. */
export const lockSession = async ({ db }: Pick<Context, 'db'>, sessionId: string): Promise<void> => {
  await db.rows('SELECT id FROM auth_session WHERE id = ? FOR UPDATE', [idBytes(sessionId)]);
};
