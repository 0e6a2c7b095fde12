import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { sessions, type SessionRow } from '../tables/session.js';
import { presentSession } from './present.js';

export const endReasons = ['signed_out', 'revoked', 'refresh_reused', 'banned', 'deleted', 'password_changed'] as const;
export type EndReason = (typeof endReasons)[number];

/** One session, or all of a user's, except one where it is named. */
export type EndedSessions = { sessionId: string } | { userId: string; except?: string };

/** Which event reports an end. */
const eventOf = (reason: EndReason) =>
  reason === 'signed_out'
    ? ('auth.session.signed_out' as const)
    : reason === 'refresh_reused'
      ? ('auth.session.family_revoked' as const)
      : ('auth.session.revoked' as const);

type EndingContext = Context<'auth.session.signed_out' | 'auth.session.family_revoked' | 'auth.session.revoked'>;
type Revocation = Exclude<EndReason, 'signed_out' | 'refresh_reused'>;

/**
 * Ends live sessions and emits an event for each. Their refresh tokens stop at once, as do user operations and auth.session.verify; an
 * access token that somebody checks offline works until it expires.
 * @returns the sessions that this call ended
 */
export async function endSessions(
  context: EndingContext,
  environment: Environment,
  which: EndedSessions,
  reason: EndReason,
): Promise<SessionRow[]> {
  const ended = await markEnded(context, environment, which, reason);
  for (const row of ended) context.emit(eventOf(reason), aboutEnd(row), environment);
  return wereLive(ended, context.clock.now());
}

/** The same where the only possible event is auth.session.revoked. */
export async function revokeSessions(
  context: Context<'auth.session.revoked'>,
  environment: Environment,
  which: EndedSessions,
  reason: Revocation,
): Promise<SessionRow[]> {
  const ended = await markEnded(context, environment, which, reason);
  for (const row of ended) context.emit('auth.session.revoked', aboutEnd(row), environment);
  return wereLive(ended, context.clock.now());
}

async function markEnded(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  environment: Environment,
  which: EndedSessions,
  reason: EndReason,
): Promise<SessionRow[]> {
  const [condition, id] = 'sessionId' in which ? ['id = ?', which.sessionId] : ['user_id = ?', which.userId];
  const found = await db.rows<object>(
    `SELECT ${sessions.columnList()} FROM auth_session WHERE ${condition} AND environment_id = ? AND ended_at IS NULL ORDER BY id FOR UPDATE`,
    [idBytes(id), idBytes(environment.id)],
  );
  const now = clock.now();
  const ended = found
    .map((row) => sessions.decode(row))
    .filter((row) => !('except' in which && row.id === which.except))
    .map((row): SessionRow => ({ ...row, endedAt: now, endReason: reason }));
  if (ended.length === 0) return [];
  await db.run('UPDATE auth_session SET ended_at = ?, end_reason = ? WHERE id IN (?)', [
    now,
    Buffer.from(reason),
    ended.map((row) => idBytes(row.id)),
  ]);
  return ended;
}

const aboutEnd = (row: SessionRow) => ({
  subjectId: row.id,
  personId: row.userId,
  data: { session: presentSession(row) },
});

/** A session that had expired before is ended in the table too, but nobody needs to hear of it again: it is not counted. */
const wereLive = (ended: readonly SessionRow[], now: Date): SessionRow[] => ended.filter((row) => row.expiresAt > now);
