import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import { equalBytes, keyedDigest } from '#core/runtime/secrets/digest.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { sessions, type SessionRow } from '../tables/session.js';
import type { Context, HandlerContext } from '#core/kernel/context.js';
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
interface ClaimedRefreshToken {
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

/** The shortest Idempotency-Key that makes a refresh repeatable: it must not be guessable. */
export const leastKeyLength = 16;

/**
 * Begins a key that the hosted pages derive from the token, for a cookie of an earlier version, which has no key. No
 * Idempotency-Key of a client begins with it by chance.
 */
export const derivedKeyPrefix = 'svc-derived-from-token:';

export const hasDerivedKey = (key: string | undefined): boolean => key?.startsWith(derivedKeyPrefix) === true;

/** A refresh: the generation of the token that it presents, and the one that it leads to. */
interface RefreshStep {
  readonly from: number;
  readonly to: number;
}

/**
 * What a session stores of the Idempotency-Key of its last refresh. It also depends on the generations, so that the
 * digest that a version without it leaves behind never fits.
 * @returns null without a key that can serve
 */
function refreshKeyDigestOf(
  vault: Vault,
  session: TokenSession,
  { from, to }: RefreshStep,
  key: string | undefined,
): Buffer | null {
  if (key === undefined || key.length < leastKeyLength) return null;
  const secret = vault.open(session.tokenSecret, cellOf(session.id));
  return keyedDigest(secret, `refresh ${from} ${to} ${key}`);
}

/**
 * Whether a call repeats the refresh that led to the session's generation: it presents the same token with the same
 * Idempotency-Key. Its reply was lost, so the current token has not been used. A thief who has only the token lacks the
 * key.
 */
export function repeatsLastRefresh(
  { vault, idempotencyKey }: Pick<HandlerContext, 'vault' | 'idempotencyKey'>,
  { generation: from }: ClaimedRefreshToken,
  session: SessionRow,
): boolean {
  if (from >= session.generation || session.refreshKeyDigest === null) return false;
  const digest = refreshKeyDigestOf(vault, session, { from, to: session.generation }, idempotencyKey);
  return digest !== null && equalBytes(digest, session.refreshKeyDigest);
}

/**
 * Moves a locked session to the next generation, which spends all earlier refresh tokens. The lifetime of the session
 * starts again, and the session shows the current device and location of the client, unless that is an app's server.
 * @param from the generation of the token that was presented
 */
export async function rotateSession(
  { db, clock, vault, caller, deployment, idempotencyKey }: RefreshContext,
  { session, settings, orgRole }: SessionToIssue,
  from: number,
): Promise<SessionRow> {
  const now = clock.now();
  const generation = session.generation + 1;
  const client = clientFacts(deployment, caller.request);
  // A client without a known system is not a person's device: an app's server refreshes for the browser that signed in.
  // Later sign-ins are compared with that browser.
  const isServer = client.os === null && session.os !== null;
  const facts = {
    ...(isServer ? {} : client),
    generation,
    refreshKeyDigest: refreshKeyDigestOf(vault, session, { from, to: generation }, idempotencyKey),
    // Former members have no active organization either.
    organizationId: orgRole === null ? null : session.organizationId,
    lastUsedAt: now,
    expiresAt: shift(now, settings.refreshTokenSeconds * 1000),
  };
  await db.defer(sessions.updateRow({ id: session.id, generation: session.generation }, facts));
  return { ...session, ...facts };
}

type RefreshContext = Pick<HandlerContext, 'db' | 'clock' | 'vault' | 'caller' | 'deployment' | 'idempotencyKey'>;

/** Locks a session until the transaction ends. All calls that refresh or end it at the same time wait. */
export const lockSession = async ({ db }: Pick<Context, 'db'>, sessionId: string): Promise<void> => {
  await db.rows('SELECT id FROM auth_session WHERE id = ? FOR UPDATE', [idBytes(sessionId)]);
};
