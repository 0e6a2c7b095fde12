import { dateTime, list, named, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';

const projectFields = {
  id: uuid(),
  name: text(),
  slug: text('The first label of the project’s own sending domain.'),
  locale: text('BCP 47 tag.'),
  timeZone: text('IANA name.'),
  createdAt: dateTime(),
};

export const Project = named('Project', object(projectFields));

export const Environment = named(
  'Environment',
  object({ id: uuid(), projectId: uuid(), kind: oneOf(['live', 'test']), createdAt: dateTime() }),
);

export const ProjectWithEnvironments = named(
  'ProjectWithEnvironments',
  object({ ...projectFields, environments: list(Environment) }),
);

const createdAt = '2026-11-20T09:30:00.000Z';

export const exampleProject = {
  id: '01890a5d-ac96-774b-bcce-b302099a8101',
  name: 'Shop',
  slug: 'shop',
  locale: 'en',
  timeZone: 'UTC',
  createdAt,
};

export const exampleEnvironments = [
  { id: '01890a5d-ac96-774b-bcce-b302099a8000', projectId: exampleProject.id, kind: 'live' as const, createdAt },
  { id: '01890a5d-ac96-774b-bcce-b302099a8001', projectId: exampleProject.id, kind: 'test' as const, createdAt },
];
