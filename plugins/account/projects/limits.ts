import { refusalOf } from '#core/kernel/errors/common.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { projects, type ProjectRow } from '../tables/project.js';
import { isListed } from './insert-project.js';

/** The most projects of an account that are not archived. */
export const maxProjects = 100;

/** The most projects of an account in total. Lists of an account's environments stay bounded. */
const maxWithArchived = 1_000;

/**
 * The most projects of an account that are not archived and that keys of test environments created. Many people can
 * read a test key, so one must not use up what the account may have.
 */
export const maxByTestKeys = 5;

const nextStep =
  'Archive a project that is no longer needed: account.project.update with archived: true. account.project.list lists them.';

/** The account's projects that are not archived, without the reserved one. */
export const openProjects = async (db: ReadSession, accountId: string): Promise<ProjectRow[]> =>
  (await db.find(projects, { accountId })).filter((project) => project.archivedAt === null && isListed(project));

/** @throws limit_reached if one more project cannot be open */
export function requireRoom(open: readonly ProjectRow[]): void {
  if (open.length >= maxProjects)
    throw refusalOf.limit_reached({ limit: maxProjects, things: 'projects in this account', nextStep });
}

/**
 * Call this with the account locked.
 * @param byTestKey whether a key of a test environment creates it
 * @throws limit_reached if the caller may not create another project
 */
export async function requireMayCreate(db: ReadSession, accountId: string, byTestKey: boolean): Promise<void> {
  const open = await openProjects(db, accountId);
  requireRoom(open);
  if (byTestKey && open.filter((project) => project.byTestKey).length >= maxByTestKeys)
    throw refusalOf.limit_reached({
      limit: maxByTestKeys,
      things: 'projects that keys of test environments created',
      nextStep:
        'Create it with a live key or in a dashboard session, or archive one of them with account.project.update (archived: true).',
    });
  const [row] = await db.rows<{ found: number }>('SELECT COUNT(*) AS found FROM account_project WHERE account_id = ?', [
    idBytes(accountId),
  ]);
  if ((row?.found ?? 0) >= maxWithArchived)
    throw refusalOf.limit_reached({
      limit: maxWithArchived,
      things: 'projects in this account, with archived ones',
      nextStep: 'Unarchive a project with account.project.update (archived: false), rename it and reuse it.',
    });
}
