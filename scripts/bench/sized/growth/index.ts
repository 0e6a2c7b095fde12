import type { Session } from '#core/runtime/database/session.js';
import { isRecord } from '../../json.js';
import { onOwnPlatform, type Place } from '../own-platform.js';
import { fillContacts } from './fill.js';

type Say = (line: string) => unknown;

const fewContacts = 10_000;
/** Other work of the server only adds to the counters, so the least of some runs is the call's own. */
const runs = 3;

const has = (property: string) => ({ field: `properties.${property}`, op: 'eq', value: true });
/** By their names: they match one contact, a hundred, 1%, a tenth, and all but 1%. */
const segments: Readonly<Record<string, object>> = {
  one: has('person'),
  hundred: has('hundred'),
  percent: has('pilot'),
  tenth: { field: 'properties.plan', op: 'eq', value: 'plan-3' },
  others: { not: has('pilot') },
};

const textAt = (value: unknown, ...path: string[]): string =>
  String(path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value));

/** The calls whose rows are counted, by their names. */
async function measuredCalls({ call }: Place): Promise<Map<string, () => Promise<unknown>>> {
  const ask = (operation: string, input: object) => () => call('server', operation, input);
  const draft = { name: 'Bench', template: 'none', topic: 'news', from: 'bench@example.com' };
  const calls = new Map<string, () => Promise<unknown>>([
    ['audience.topic.get', ask('audience.topic.get', { topic: 'news' })],
    ['audience.topic.list', ask('audience.topic.list', {})],
    ['audience.segment.list', ask('audience.segment.list', {})],
    ['audience.suppression.list', ask('audience.suppression.list', {})],
    ['audience.contact.list', ask('audience.contact.list', {})],
    ['audience.contact.list by topic', ask('audience.contact.list', { topic: 'news' })],
    ['audience.contact.list by channel email', ask('audience.contact.list', { channel: 'email' })],
    ['audience.contact.list by channel sms', ask('audience.contact.list', { channel: 'sms' })],
    ['audience.contact.list by address', ask('audience.contact.list', { query: 'person77@' })],
    ['audience.contact.list by nothing', ask('audience.contact.list', { query: 'zzz' })],
    ['email.broadcast.create for everybody', ask('email.broadcast.create', draft)],
  ]);
  for (const [name, definition] of Object.entries(segments)) {
    const segmentId = textAt(await call('server', 'audience.segment.create', { name, definition }), 'segment', 'id');
    calls.set(`audience.segment.get, ${name}`, ask('audience.segment.get', { segmentId }));
    calls.set(`audience.contact.list by segment, ${name}`, ask('audience.contact.list', { segmentId }));
    calls.set(`email.broadcast.create for ${name}`, ask('email.broadcast.create', { ...draft, segmentId }));
  }
  return calls;
}

const readsSoFar = async (db: Session): Promise<number> =>
  (await db.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Handler_read%'")).reduce(
    (sum, { Value }) => sum + Number(Value),
    0,
  );

interface Read {
  rows: number;
  ms: number;
}

async function rowsRead(
  db: Session,
  calls: ReadonlyMap<string, () => Promise<unknown>>,
): Promise<ReadonlyMap<string, Read>> {
  const found = new Map<string, Read>();
  for (const [name, work] of calls) {
    let least: Read = { rows: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };
    for (let run = 0; run < runs; run += 1) {
      const [before, began] = [await readsSoFar(db), performance.now()];
      await work();
      const ms = performance.now() - began;
      const rows = (await readsSoFar(db)) - before;
      least = { rows: Math.min(least.rows, rows), ms: Math.min(least.ms, ms) };
    }
    found.set(name, least);
  }
  return found;
}

/**
 * Counts the rows that reads of the audience and drafts of broadcasts read among 10,000 contacts and among many.
 * Usage: `npm run bench -- growth [contacts]`
 */
export const benchGrowth = (count: number, say: Say): Promise<void> =>
  onOwnPlatform(say, async (place) => {
    const { services, environment, call } = place;
    await call('server', 'audience.topic.create', { key: 'news', name: 'News' });
    await call('server', 'audience.topic.create', { key: 'alerts', name: 'Alerts', channels: ['sms'] });
    await fillContacts(services.database, environment.id, { from: 0, to: fewContacts });
    const calls = await measuredCalls(place);
    const few = await rowsRead(services.database, calls);
    await fillContacts(services.database, environment.id, { from: fewContacts, to: count });
    const many = await rowsRead(services.database, calls);
    const line = (name: string, ...cells: (string | number)[]): unknown =>
      say(name.padEnd(44) + cells.map((cell) => String(cell).padStart(14)).join(''));
    line('rows read per call', `of ${fewContacts}`, `of ${count}`, 'times', 'ms');
    for (const [name, { rows }] of few) {
      const among = many.get(name) ?? { rows: Number.NaN, ms: Number.NaN };
      line(name, rows, among.rows, (among.rows / Math.max(1, rows)).toFixed(1), among.ms.toFixed(0));
    }
  });
