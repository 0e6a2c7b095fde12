import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isSvcError, Svc } from 'svc-sdk';
import { readExport, type Person } from './read-export.js';

/** Calls at once. A key passes 600 requests in any minute. */
const callers = 8;
/** Rows of one import; it takes 50,000 and 32 MiB. */
const rowsPerImport = 10_000;

const svc = new Svc({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['SVC_API_KEY'],
});

/** Addresses that were refused, each with the reason. */
const refused: string[] = [];

/**
 * Makes a call for each person, again where the key’s limit is reached. A refusal is printed at the end and stops
 * nobody else.
 */
async function forEach(people: readonly Person[], call: (person: Person) => Promise<unknown>): Promise<void> {
  const left = [...people];
  const work = async (): Promise<void> => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) {
      try {
        await call(person);
      } catch (error) {
        if (!isSvcError(error) || error.status >= 500) throw error;
        if (error.code === 'rate_limited') {
          left.push(person);
          await wait((error.retryAfter ?? 1) * 1000);
        } else refused.push(`${person.email}: ${error.code}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
}

type Row = Parameters<typeof svc.audience.contact.import>[0]['contacts'] extends (infer R)[] | undefined ? R : never;

/** Imports people and waits until they are there. @param consentsOf the consents that each of them gave */
async function importAll(people: readonly Person[], consentsOf: (person: Person) => readonly object[]): Promise<void> {
  for (let at = 0; at < people.length; at += rowsPerImport) {
    const part = people.slice(at, at + rowsPerImport);
    const contacts: Row[] = part.map((person) => ({
      email: person.email,
      ...person.contact,
      consents: consentsOf(person),
    }));
    const { import: accepted } = await svc.audience.contact.import({ contacts });
    await follow(accepted.id, people, at);
  }
}

/**
 * Waits for the end of an import, and keeps the rows that it refused.
 * @param from the index of its first row among the people
 */
async function follow(importId: string, people: readonly Person[], from: number): Promise<void> {
  let { import: progress } = await svc.audience.import.get({ importId });
  while (progress.status !== 'done' && progress.status !== 'failed') {
    await wait(500);
    ({ import: progress } = await svc.audience.import.get({ importId }));
  }
  if (progress.status === 'failed') throw new Error(`The import ${importId} failed.`);
  for await (const { row, code, message } of svc.audience.import.get.all({ importId }))
    refused.push(`${people[from + row - 1]?.email || `row ${from + row}`}: ${code}: ${message}`);
}

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'the old service' },
    topic: { type: 'string' },
    suppressed: { type: 'string', multiple: true, default: [] },
    unsubscribed: { type: 'string', multiple: true, default: [] },
    subscribed: { type: 'string', multiple: true, default: [] },
  },
});
const { from, topic } = values;
if (topic === undefined) {
  console.error(
    'Usage: npx tsx move-contacts.ts --from Mailchimp --topic news [--suppressed a.csv] [--unsubscribed b.csv] [--subscribed c.csv]',
  );
  process.exit(1);
}
const readAll = async (paths: readonly string[]): Promise<Person[]> =>
  (await Promise.all(paths.map(readExport))).flat();
const on = (time: string | undefined): string => (time === undefined ? '' : ` on ${time}`);

// Every file is read before the first call. Who said no comes first, so that nobody is subscribed in between.
const [suppressed, listed, subscribed] = await Promise.all(
  [values.suppressed, values.unsubscribed, values.subscribed].map(readAll),
);
const unsubscribed = [...(listed ?? []), ...(subscribed ?? []).filter((person) => person.unsubscribed)];
const subscribers = (subscribed ?? []).filter((person) => !person.unsubscribed);
await forEach(suppressed ?? [], ({ email, reason, optedOutAt }) =>
  svc.audience.suppression.add({ email, note: `Moved from ${from}: ${reason ?? 'suppressed'}${on(optedOutAt)}` }),
);
await importAll(unsubscribed, () => []);
await forEach(unsubscribed, ({ email, unsubscribed: fromAll, optedOutAt }) =>
  svc.audience.consent.revoke({
    email,
    channel: 'email',
    source: `Unsubscribed at ${from}${on(optedOutAt)}`,
    ...(fromAll ? {} : { topic }),
  }),
);
await importAll(subscribers, ({ consentGivenAt }) => [
  { topic, channel: 'email', source: `Moved from ${from}`, ...(consentGivenAt ? { givenAt: consentGivenAt } : {}) },
]);
for (const line of refused) console.log(line);
console.log(
  `${suppressed?.length ?? 0} suppressed, ${unsubscribed.length} unsubscribed, ${subscribers.length} subscribed; ${refused.length} refused.`,
);
process.exitCode = refused.length > 0 ? 1 : 0;
