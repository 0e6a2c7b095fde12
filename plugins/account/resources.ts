import { roles } from '#core/kernel/caller/caller.js';
import { dateTime, email, list, named, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';

export const heardFrom = oneOf(
  ['search', 'ai_assistant', 'social', 'referral', 'content', 'community', 'event', 'other'],
  'Where you heard of svc.',
);
export const country = text('ISO 3166-1 alpha-2 code, such as DE.', { pattern: '^[A-Z]{2}$' });
export const role = oneOf(roles);
export const memberStatus = oneOf(['invited', 'active', 'removed']);

export const Account = named(
  'Account',
  object({
    id: uuid(),
    name: text(),
    country: nullable(country),
    heardFrom: nullable(heardFrom),
    heardFromDetail: nullable(text()),
    createdAt: dateTime(),
    closedAt: nullable(dateTime()),
    closedReason: nullable(text()),
  }),
);

const projectFields = {
  id: uuid(),
  name: text(),
  slug: text('The label of the project’s own sending domain.'),
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

export const Member = named(
  'Member',
  object({
    id: uuid(),
    email: email('The invited address.'),
    role,
    status: memberStatus,
    invitedBy: nullable(text()),
    inviteExpiresAt: nullable(dateTime()),
    acceptedAt: nullable(dateTime()),
    createdAt: dateTime(),
  }),
);
