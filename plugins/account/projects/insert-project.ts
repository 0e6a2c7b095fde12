import { plainLatin } from '#core/kernel/schema/plain-latin.js';
import { nameKey } from '#core/kernel/schema/name-key.js';
import type { Session } from '#core/runtime/database/session.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { projects, type ProjectRow } from '../tables/project.js';

/** The slug of the reserved project that members sign in to (dashboard/project.ts). */
export const dashboardSlug = 'dashboard';

/** Whether members of the account see the project. Only the reserved project is hidden. */
export const isListed = ({ slug }: Pick<ProjectRow, 'slug'>): boolean => slug !== dashboardSlug;

/**
 * Labels that would look like the deployment's own hosts, and labels that svc uses under the mail domain
 * (docs/delivery.md).
 */
const reserved = new Set([
  'www',
  'mail',
  'smtp',
  'mx',
  'api',
  'admin',
  'postmaster',
  'ns',
  dashboardSlug,
  'bounce',
  'test',
]);

/** A DNS label derived from a project's name. */
function labelOf(name: string): string {
  const label = plainLatin(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return label === '' || reserved.has(label) ? `project-${randomToken(6).toLowerCase()}` : label;
}

/**
 * Inserts a project with an unused slug.
 * @returns the row, or null if the account already has a project with this name
 */
export async function insertProject(
  db: Session,
  fields: Omit<ProjectRow, 'slug' | 'nameKey' | 'archivedAt' | 'updatedAt'>,
): Promise<ProjectRow | null> {
  const label = labelOf(fields.name);
  for (let attempt = 0; ; attempt += 1) {
    const slug = attempt === 0 ? label : `${label}-${randomToken(5).toLowerCase()}`;
    const row: ProjectRow = { ...fields, nameKey: nameKey(fields.name), slug, archivedAt: null, updatedAt: null };
    try {
      await db.insert(projects, row);
      return row;
    } catch (error) {
      if (isDuplicate(error, 'account_name')) return null;
      if (!isDuplicate(error, 'slug') || attempt === 5) throw error;
    }
  }
}

/**
 * Inserts the reserved project. Its name is not compared with other names: a customer's project may have the same name.
 */
export async function insertReservedProject(
  db: Session,
  fields: Pick<ProjectRow, 'id' | 'accountId' | 'name' | 'createdAt'>,
): Promise<void> {
  const row = { ...fields, nameKey: `\0${nameKey(fields.name)}`, slug: dashboardSlug, locale: 'en', timeZone: 'UTC' };
  await db.insert(projects, { ...row, archivedAt: null, byTestKey: false, updatedAt: null });
}
