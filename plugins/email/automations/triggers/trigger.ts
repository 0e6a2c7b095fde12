import type { Deployment } from '#core/kernel/deployment.js';
import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';

/** The kinds of subjects of events about one contact. */
const contactSubjects = ['contact', 'message', 'inbound', 'run', 'suppression', 'user', 'session'];
/** The fields through which the data of an event of auth refers to one user. */
const userFields = ['user', 'userId', 'session', 'member'];
/** Products whose events are about contacts; the events of other products are about the account itself. */
const contactProducts = ['audience', 'auth', 'email', 'sms'];

/**
 * Whether an event can enrol a contact. This applies to events that audience.event.record records, and to svc's own
 * events about a contact, or about a user, because a user's verified address may belong to a contact.
 */
export function canEnrol({ events }: Pick<Deployment, 'events'>, name: string): boolean {
  const declaration = events.get(name);
  if (!declaration) return true;
  const product = name.split('.')[0] ?? '';
  if (!contactProducts.includes(product)) return false;
  if (contactSubjects.includes(declaration.subject)) return true;
  const fields = Object.keys(propertiesOf(declaration.data));
  return product === 'auth' && fields.some((field) => userFields.includes(field));
}

/**
 * The fields of the data of one of svc's own events; undefined if they are not known, and for events that callers
 * record.
 */
export function contextFields({ events }: Pick<Deployment, 'events'>, name: string): ReadonlySet<string> | undefined {
  const declaration = events.get(name);
  const fields = declaration ? Object.keys(propertiesOf(declaration.data)) : [];
  return fields.length > 0 ? new Set(fields) : undefined;
}

/**
 * Whether the data of an event may have a value at a path such as `message.template`. False only for one of svc's own
 * events whose declared data has no value there. The contents of lists, maps and events that callers record are not
 * known.
 */
export function mayHave({ events }: Pick<Deployment, 'events'>, name: string, path: string): boolean {
  let within: JsonSchema | undefined = events.get(name)?.data;
  for (const key of path.split('.')) {
    const fields = within === undefined ? {} : propertiesOf(within);
    if (Object.keys(fields).length === 0) return true;
    if (!Object.hasOwn(fields, key)) return false;
    within = withoutNull(fields[key]);
  }
  return true;
}

/** The schema of the values that are not null. */
function withoutNull(schema: JsonSchema | undefined): JsonSchema | undefined {
  const either: unknown = schema?.['anyOf'];
  const [one, ...others] = Array.isArray(either) ? either.filter(isSchema).filter(({ type }) => type !== 'null') : [];
  return one !== undefined && others.length === 0 ? one : schema;
}

/** A name that audience.event.record accepts. The names of svc's own events have this form too. */
export const eventName = /^[a-z0-9][a-z0-9._-]{0,99}$/;
