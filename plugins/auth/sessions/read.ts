import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SharedRead } from '#core/runtime/database/session.js';
import type { Table } from '#core/runtime/database/table.js';
import { idBytes } from '#core/runtime/id.js';
import { type OrgRole, orgRoles } from '../tables/org-member.js';
import { defaultSettings, type AuthSettingsValue } from '../settings/resources.js';
import { mergeSettings } from '../settings/merge.js';
import { sessions, type SessionRow } from '../tables/session.js';
import { authSettings } from '../settings/load.js';
import { signingKeys, type SigningKeyRow } from '../tables/signing-key.js';
import { users, type UserRow } from '../tables/user.js';

/** A session with everything needed to check it and to issue its tokens. */
export interface FoundSession {
  session: SessionRow;
  user: UserRow;
  settings: AuthSettingsValue;
  /** The user's role in the session's organization; null if none is active, or if the user is no longer a member. */
  orgRole: OrgRole | null;
  /** The environment or the session's organization requires a second factor. */
  requiresFactor: boolean;
  /** The user has an active second factor that the session has not passed. */
  lacksActiveFactor: boolean;
  /** When impersonation was last turned off in the environment; null for never. */
  impersonationEndedAt: Date | null;
}

/** Several tables in one SELECT: each column as `<alias>_<column>`. */
const columnsOf = <R extends object>(table: Table<R>, alias: string): string =>
  [...table.tableColumns.values()].map(({ name }) => `${alias}.\`${name}\` AS ${alias}_${name}`).join(', ');

const decode = {
  session: sessions.decoder('s_'),
  user: users.decoder('u_'),
  settings: authSettings.decoder('a_'),
  key: signingKeys.decoder('k_'),
};

const columns = [
  columnsOf(sessions, 's'),
  columnsOf(users, 'u'),
  columnsOf(authSettings, 'a'),
  columnsOf(signingKeys, 'k'),
  'm.role AS org_role',
  'o.require_mfa AS org_requires_factor',
  'f.id AS factor_id',
].join(', ');

const itsUserAndRules = `JOIN auth_user u ON u.id = s.user_id
  LEFT JOIN auth_settings a ON a.environment_id = s.environment_id
  LEFT JOIN auth_factor f ON f.active_user_id = s.user_id
  LEFT JOIN auth_organization o ON o.id = s.organization_id
  LEFT JOIN auth_org_member m ON m.organization_id = o.id AND m.user_id = s.user_id`;

/** By session and environment. */
export const byId = `SELECT ${columns} FROM auth_session s ${itsUserAndRules}
  LEFT JOIN auth_signing_key k ON k.active_environment_id = s.environment_id
  WHERE s.id = ? AND s.environment_id = ?`;

const byHandoff = `SELECT ${columns} FROM auth_handoff h
  JOIN auth_session s ON s.id = h.session_id AND s.environment_id = h.environment_id ${itsUserAndRules}
  LEFT JOIN auth_signing_key k ON k.active_environment_id = s.environment_id
  WHERE h.code_digest = ? AND h.environment_id = ?`;

interface JoinedRow {
  s_id: unknown;
  a_environment_id: unknown;
  k_id: unknown;
  org_role: unknown;
  org_requires_factor: number | null;
  factor_id: unknown;
}

function found(row: JoinedRow): FoundSession {
  const changed = row.a_environment_id === null ? null : decode.settings(row);
  const settings = changed ? mergeSettings(defaultSettings, changed.changed) : defaultSettings;
  const role = Buffer.isBuffer(row.org_role) ? row.org_role.toString() : row.org_role;
  const stored = decode.session(row);
  // The organization was deleted, and the session has not been changed yet (organizations/removal.ts).
  const session = role === null ? { ...stored, organizationId: null } : stored;
  // An impersonator has proven who they are in another way, and cannot have any of the user's factors.
  const mustHaveFactor = session.impersonatorId === null;
  return {
    session,
    user: decode.user(row),
    settings,
    orgRole: orgRoles.find((each) => each === role) ?? null,
    requiresFactor: mustHaveFactor && (settings.mfa.required || (role !== null && row.org_requires_factor === 1)),
    impersonationEndedAt: changed?.impersonationEndedAt ?? null,
    lacksActiveFactor: mustHaveFactor && row.factor_id !== null && !session.mfa,
  };
}

const keyIn = (row: JoinedRow): SigningKeyRow | null => (row.k_id === null ? null : decode.key(row));

/** A session for which tokens will be issued. */
export interface SessionToIssue extends FoundSession {
  /** The key that signs for the environment; null if it has none yet. */
  signingKey: SigningKeyRow | null;
}

/** Reads a session by id. @returns null if the environment has none with this id, or its user was deleted */
export async function readSession(
  db: ReadSession,
  environmentId: string,
  sessionId: string,
): Promise<SessionToIssue | null> {
  const [row] = await db.prepared<JoinedRow>(byId, [idBytes(sessionId), idBytes(environmentId)]);
  return row ? { ...found(row), signingKey: keyIn(row) } : null;
}

/** Reads the session that a handoff code leads to. @returns null under the same conditions as `readSession` */
export async function readHandoffSession(
  db: ReadSession,
  environmentId: string,
  codeDigest: Buffer,
): Promise<SessionToIssue | null> {
  const [row] = await db.prepared<JoinedRow>(byHandoff, [codeDigest, idBytes(environmentId)]);
  return row ? { ...found(row), signingKey: keyIn(row) } : null;
}

/** The ids in an access token, in the environment where it is presented. */
export interface NamedInToken {
  environmentId: string;
  keyId: string;
  sessionId: string;
}

/** The key and the session that an access token names. Only indexed reads. */
export const keyAndSession: SharedRead<
  NamedInToken,
  { key: SigningKeyRow | null; found: FoundSession | null },
  JoinedRow
> = {
  parts: { environment_id: 'BINARY(16)', key_id: 'BINARY(16)', session_id: 'BINARY(16)' },
  sql: (asked) => `SELECT asked.place, ${columns} FROM ${asked}
    STRAIGHT_JOIN auth_signing_key k ON k.id = asked.key_id AND k.environment_id = asked.environment_id
    LEFT JOIN (auth_session s ${itsUserAndRules}) ON s.id = asked.session_id AND s.environment_id = k.environment_id`,
  parametersOf: ({ environmentId, keyId, sessionId }) => [environmentId, keyId, sessionId].map(idBytes),
  foundIn: (row) => ({ key: row ? keyIn(row) : null, found: row && row.s_id !== null ? found(row) : null }),
};
