import { roleFrom, type Environment, type Role } from '#core/kernel/caller/caller.js';
import { permissionsGranted, roleRank } from '#core/kernel/caller/permissions.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** A member who acts in an environment of their account. */
export interface ActingMember {
  id: string;
  email: string;
  role: Role;
  permissions: readonly string[] | null;
  provenAt: Date | null;
  environment: Environment;
}

interface MemberColumns extends EnvironmentColumns {
  member_id: Buffer;
  email: string;
  role: Buffer;
  permissions: unknown;
  proven_at: Date | null;
}

/** Addresses in the form of `email_key`. */
export const emailKeys = (emails: readonly string[]): Buffer[] => emails.map((email) => Buffer.from(mailboxKey(email)));

/**
 * In the dashboard's environment, only owners of the operator's account may act: anyone who can write there can create
 * users with any address, and so act as any member of any account.
 */
const mayAct = ({ role, environment }: ActingMember, dashboard: Environment): boolean =>
  environment.projectId !== dashboard.projectId || (role === 'owner' && environment.id === dashboard.id);

/**
 * The active member of the environment's account who has one of the addresses. If there are several, the one with the
 * most permissions, then the one with the strongest role. One indexed read.
 * @param emails proven addresses of a user of the dashboard
 * @param products the enabled products
 * @returns null if there is no such member or no such environment
 */
export async function memberIn(
  db: ReadSession,
  emails: readonly string[],
  environmentId: string,
  dashboard: Environment,
  products: readonly string[],
): Promise<ActingMember | null> {
  if (emails.length === 0) return null;
  const held = (member: ActingMember): number => permissionsGranted(member, products).length;
  const rows = await db.rows<MemberColumns>(
    `SELECT m.id AS member_id, m.email, m.role, m.permissions, m.proven_at, ${environmentColumns}
     FROM account_member m JOIN svc_environment e ON e.id = ? AND e.account_id = m.account_id
     WHERE m.email_key IN (?) AND m.status = 'active'`,
    [idBytes(environmentId), emailKeys(emails)],
  );
  const [strongest] = rows
    .map((row): ActingMember => ({
      id: idText(row.member_id),
      email: row.email,
      role: roleFrom(row.role),
      permissions: row.permissions === null ? null : jsonTexts(row.permissions),
      provenAt: row.proven_at,
      environment: environmentFrom(row),
    }))
    .filter((member) => mayAct(member, dashboard))
    .sort((a, b) => held(b) - held(a) || roleRank(a.role) - roleRank(b.role));
  return strongest ?? null;
}

/**
 * An environment that a person may act in, with the names of its project and account. A type, because details are plain
 * JSON.
 */
export type EnvironmentChoice = {
  environmentId: string;
  kind: string;
  project: string;
  account: string;
  archived: boolean;
};

/** More than anyone needs to choose from. */
const maxChoices = 500;

/**
 * The environments that the owner of the addresses may act in, by account and project. The dashboard's own environment
 * is not listed: people who may act there name it by its id. Archived projects come last. Before
 * them are accounts whose opener has not proven the address, newest first, because anyone can open many accounts in
 * another person's name.
 */
export async function environmentChoices(
  db: ReadSession,
  emails: readonly string[],
  dashboard: Environment,
): Promise<EnvironmentChoice[]> {
  if (emails.length === 0) return [];
  const rows = await db.rows<{ id: Buffer; kind: Buffer; project: string; account: string; archived_at: Date | null }>(
    `SELECT e.id, e.kind, p.name AS project, a.name AS account, e.archived_at
     FROM account_member m
     JOIN account a ON a.id = m.account_id
     JOIN svc_environment e ON e.account_id = a.id
     JOIN account_project p ON p.id = e.project_id
     WHERE m.email_key IN (?) AND m.status = 'active' AND p.id <> ?
     GROUP BY e.id, e.kind, p.name, a.name, a.id, p.id, e.archived_at
     ORDER BY e.archived_at IS NOT NULL, MAX(m.proven_at) IS NULL, IF(MAX(m.proven_at) IS NULL, a.id, NULL) DESC, a.id, p.id, e.id
     LIMIT ${maxChoices}`,
    [emailKeys(emails), idBytes(dashboard.projectId)],
  );
  return rows.map(({ id, kind, project, account, archived_at: archivedAt }) => ({
    environmentId: idText(id),
    kind: kind.toString(),
    project,
    account,
    archived: archivedAt !== null,
  }));
}
