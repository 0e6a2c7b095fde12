import { boolean, list, object, propertiesOf, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';

/** Each statement reads few rows, however many contacts and events there are. */
const mostContacts = 200;
const mostNames = 100;
const mostOfEach = 20;

/** Products whose events are about a contact, or about a user with the address of one. */
const products = ['audience', 'email', 'sms', 'auth'];

export const Suggestions = object(
  {
    properties: list(text(), `Keys of the properties of the newest ${mostContacts} contacts.`),
    events: list(
      object({
        name: text('The name of the event.'),
        properties: list(text(), 'Names of its properties, or of the fields of its data.'),
        recorded: boolean('Whether you recorded it; false for the events of svc.'),
      }),
      `Up to ${mostNames} recorded events, and the events of svc about contacts, messages and users.`,
    ),
  },
  { description: 'What conditions and triggers can name, for a choice.' },
);

type Read = Pick<ReadSession, 'rows'>;

const namesIn = (keys: readonly (string | null)[]): string[] => {
  const found = new Set<string>();
  for (const each of keys) {
    const names: unknown = each === null ? [] : JSON.parse(each);
    if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') found.add(name);
  }
  return [...found].sort();
};

/** What the conditions of an environment can name. */
export async function suggestionsFor(
  db: Read,
  { events }: Pick<Deployment, 'events'>,
  environmentId: string,
): Promise<ValueOf<typeof Suggestions>> {
  const environment = idBytes(environmentId);
  const [contacts, names] = await Promise.all([
    db.rows<{ names: string | null }>(
      `SELECT CAST(JSON_KEYS(properties) AS CHAR) AS names FROM audience_contact FORCE INDEX (environment)
       WHERE environment_id = ? ORDER BY id DESC LIMIT ?`,
      [environment, mostContacts],
    ),
    namesOfEvents(db, environment),
  ]);
  const recorded = await keysOfEvents(db, environment, names);
  const own = [...events].filter(([name]) => products.includes(name.split('.')[0] ?? ''));
  return {
    properties: namesIn(contacts.map((row) => row.names)),
    events: [
      ...recorded,
      ...own.map(([name, { data }]) => ({ name, properties: Object.keys(propertiesOf(data)), recorded: false })),
    ],
  };
}

/** Reads one row for each name: DISTINCT would read all events, because no server is sure to skip in an index. */
async function namesOfEvents(db: Read, environment: Buffer): Promise<Buffer[]> {
  const names: Buffer[] = [];
  while (names.length < mostNames) {
    const [next] = await db.rows<{ name: Buffer }>(
      `SELECT name FROM audience_event FORCE INDEX (name_event_id)
       WHERE environment_id = ? AND name > ? ORDER BY name LIMIT 1`,
      [environment, names.at(-1) ?? Buffer.alloc(0)],
    );
    if (!next) break;
    names.push(next.name);
  }
  return names;
}

async function keysOfEvents(
  db: Read,
  environment: Buffer,
  names: readonly Buffer[],
): Promise<{ name: string; properties: string[]; recorded: boolean }[]> {
  if (names.length === 0) return [];
  const one = `(SELECT name, CAST(JSON_KEYS(properties) AS CHAR) AS names FROM audience_event
    FORCE INDEX (name_event_id) WHERE environment_id = ? AND name = ? LIMIT ${mostOfEach})`;
  const rows = await db.rows<{ name: Buffer; names: string | null }>(
    names.map(() => one).join(' UNION ALL '),
    names.flatMap((name) => [environment, name]),
  );
  return names.map((name) => ({
    name: name.toString(),
    properties: namesIn(rows.filter((row) => row.name.equals(name)).map((row) => row.names)),
    recorded: true,
  }));
}
