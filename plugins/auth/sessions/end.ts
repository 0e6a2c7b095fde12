import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { IdentityKind } from '../tables/identity.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import { sessions, type SessionRow } from '../tables/session.js';
import { presentSession, type SessionValue } from './resources.js';

type EndReason = 'signed_out' | 'revoked' | 'refresh_reused' | 'banned' | 'deleted' | 'password_changed';

/** One session, or a user's sessions: all, or those that `where` selects, except one if it is given. */
type EndedSessions =
  { sessionId: string } | { userId: string; except?: string; where?: (session: SessionRow) => boolean };

/** The first methods of a session that was opened by an identity of each kind, or by a passkey. */
const firstMethods: Readonly<Record<IdentityKind | 'passkey', readonly SignInMethod[]>> = {
  email: ['code', 'link'],
  phone: ['sms'],
  oauth: ['oauth'],
  passkey: ['passkey'],
};

/**
 * Selects the sessions that an identity or passkey opened. For sessions from before this was recorded, it selects those
 * that an identity of the same kind may have opened.
 */
export const openedBy =
  ({ id, kind }: { id: string; kind: keyof typeof firstMethods }) =>
  ({ openedBy: opener, methods: [first] }: SessionRow): boolean =>
    opener === null ? first !== undefined && firstMethods[kind].includes(first) : opener === id;

/** Selects the sessions that the user's password opened. */
export const openedByPassword = ({ methods }: SessionRow): boolean => methods.includes('password');

/**
 * Whether a session was ended because another person may have its tokens, or because the user is not allowed to have
 * it. Approvals that were given in the session are then invalid too.
 */
export const endedForSafety = ({ endedAt, endReason }: Pick<SessionRow, 'endedAt' | 'endReason'>): boolean =>
  endedAt !== null && endReason !== 'signed_out';

/** How an end is reported. */
type Report = (event: { subjectId: string; personId: string; data: { session: SessionValue } }) => unknown;

/**
 * Ends live sessions and emits auth.session.revoked for each. Their refresh tokens stop working immediately, and so do
 * user operations and auth.session.verify. If an access token is checked offline, it works until it expires.
 * @returns the sessions that this call ended
 */
export const endSessions = (
  context: Context<'auth.session.revoked'>,
  environment: Environment,
  which: EndedSessions,
  reason: Exclude<EndReason, 'signed_out' | 'refresh_reused'>,
): Promise<SessionRow[]> =>
  end(context, environment, which, reason, (event) => context.emit('auth.session.revoked', event, environment));

/** Ends a session because its user signed out. @returns the session, if this call ended it */
export const signOut = (
  context: Context<'auth.session.signed_out'>,
  environment: Environment,
  sessionId: string,
): Promise<SessionRow[]> =>
  end(context, environment, { sessionId }, 'signed_out', (event) =>
    context.emit('auth.session.signed_out', event, environment),
  );

/** Ends a session because one of its refresh tokens was presented twice. */
export const endFamily = (
  context: Context<'auth.session.family_revoked'>,
  environment: Environment,
  sessionId: string,
): Promise<SessionRow[]> =>
  end(context, environment, { sessionId }, 'refresh_reused', (event) =>
    context.emit('auth.session.family_revoked', event, environment),
  );

async function end(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  environment: Environment,
  which: EndedSessions,
  reason: EndReason,
  report: Report,
): Promise<SessionRow[]> {
  const [condition, id] = 'sessionId' in which ? ['id = ?', which.sessionId] : ['user_id = ?', which.userId];
  const found = await db.rows<object>(
    `SELECT ${sessions.columnList()} FROM auth_session WHERE ${condition} AND environment_id = ? AND ended_at IS NULL ORDER BY id FOR UPDATE`,
    [idBytes(id), idBytes(environment.id)],
  );
  const now = clock.now();
  // Sessions that had already expired do not need to be ended.
  const ended = found
    .map((row) => sessions.decode(row))
    .filter((row) => row.expiresAt > now && ('sessionId' in which || isPicked(which, row)))
    .map((row): SessionRow => ({ ...row, endedAt: now, endReason: reason }));
  if (ended.length === 0) return [];
  await db.defer({
    sql: 'UPDATE auth_session SET ended_at = ?, end_reason = ? WHERE id IN (?)',
    parameters: [now, Buffer.from(reason), ended.map((row) => idBytes(row.id))],
  });
  for (const row of ended) report({ subjectId: row.id, personId: row.userId, data: { session: presentSession(row) } });
  return ended;
}

const isPicked = (
  { except, where = () => true }: Extract<EndedSessions, { userId: string }>,
  row: SessionRow,
): boolean => row.id !== except && where(row);

/** The ended sessions, for the audit record of the call that ended them. */
export const endingChanges = (ended: readonly SessionRow[]): Change[] =>
  ended.map(({ id, endedAt }) => ({ field: `session ${id}`, from: null, to: endedAt?.toISOString() ?? null }));
