import {
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import type { EnvironmentRow } from '#core/kernel/environment/environment.js';
import type { ProjectRow } from '../tables/project.js';

const projectFields = {
  id: uuid('The project’s id.'),
  name: text('The project’s name, unique in the account.'),
  slug: text('The first label of the project’s own sending domain.'),
  locale: text('The default language, a BCP 47 tag.'),
  timeZone: text('The default time zone, an IANA name.'),
  createdAt: dateTime('When it was created.'),
  archivedAt: nullable(dateTime('When it was archived; null while it is in use.')),
  updatedAt: dateTime('When account.project.update changed it last.'),
};

export const Project = named(
  'Project',
  object(projectFields, { description: 'A project. It has a live and a test environment.' }),
);

export const Environment = named(
  'Environment',
  object(
    {
      id: uuid('The environment’s id.'),
      projectId: uuid('The project that it belongs to.'),
      kind: oneOf(['live', 'test'], 'live reaches real recipients; test reaches only members of the account.'),
      createdAt: dateTime('When it was created.'),
    },
    { description: 'The live or the test half of a project.' },
  ),
);

export const ProjectWithEnvironments = named(
  'ProjectWithEnvironments',
  object({ ...projectFields, environments: list(Environment) }, { description: 'A project with its environments.' }),
);

const createdAt = '2026-11-20T09:30:00.000Z';

export const exampleProject = {
  id: '01890a5d-ac96-774b-bcce-b302099a8101',
  name: 'Shop',
  slug: 'shop',
  locale: 'en',
  timeZone: 'UTC',
  createdAt,
  archivedAt: null,
  updatedAt: createdAt,
};

export const exampleEnvironments = [
  { id: '01890a5d-ac96-774b-bcce-b302099a8000', projectId: exampleProject.id, kind: 'live' as const, createdAt },
  { id: '01890a5d-ac96-774b-bcce-b302099a8001', projectId: exampleProject.id, kind: 'test' as const, createdAt },
];

/** A project as replies show it. */
export const presentProject = (row: ProjectRow): ValueOf<typeof Project> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  locale: row.locale,
  timeZone: row.timeZone,
  createdAt: row.createdAt.toISOString(),
  archivedAt: row.archivedAt?.toISOString() ?? null,
  updatedAt: (row.updatedAt ?? row.createdAt).toISOString(),
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
