import type { EnvironmentRow } from '#core/kernel/environment/environment.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { ProjectRow } from '../tables/project.js';
import type { Environment, Project } from './resources.js';

/** A project as replies show it. */
export const presentProject = (row: ProjectRow): ValueOf<typeof Project> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  locale: row.locale,
  timeZone: row.timeZone,
  createdAt: row.createdAt.toISOString(),
});

/** An environment as replies show it. */
export const presentEnvironment = (
  row: Pick<EnvironmentRow, 'id' | 'projectId' | 'kind' | 'createdAt'>,
): ValueOf<typeof Environment> => ({
  id: row.id,
  projectId: row.projectId,
  kind: row.kind,
  createdAt: row.createdAt.toISOString(),
});
