import { onOwnPlatform } from '../own-platform.js';
import { fillUsers } from './fill.js';
import { modelUser, rowsRead, sharedReads } from './reads.js';

type Say = (line: string) => unknown;

const fewUsers = 1_000;

/**
 * Counts the rows that sign-ins, sessions and lists read among 1,000 users and among many, each with three sessions, on
 * a private server.
 * Usage: `npm run bench -- many-users [users]`
 * @returns whether each call read as few rows among many users
 */
export const benchManyUsers = (count: number, say: Say): Promise<boolean> =>
  onOwnPlatform(say, async (place) => {
    const { database } = place.services;
    const limit = { max: 100, windowSeconds: 60 };
    await place.call('server', 'auth.settings.set', { rateLimits: { startPerIdentifier: limit, startPerIp: limit } });
    const model = await modelUser(place);
    await fillUsers(database, model, { from: 0, to: fewUsers });
    const few = await rowsRead(place, 'few', model);
    const began = performance.now();
    await fillUsers(database, model, { from: fewUsers, to: count });
    say(
      `${count.toLocaleString('en')} users, ${(3 * count).toLocaleString('en')} sessions, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    );
    const many = await rowsRead(place, 'many', model);
    return compare(few, many, say);
  });

function compare(few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>, say: Say): boolean {
  const line = (name: string, ...cells: (string | number)[]): unknown =>
    say(name.padEnd(48) + cells.map((cell) => String(cell).padStart(12)).join(''));
  line('rows read per call', 'few users', 'many users');
  let asFew = true;
  for (const [name, count] of few) {
    const among = many.get(name) ?? Number.NaN;
    const isMore = among > count + sharedReads;
    asFew &&= !isMore;
    line(name, count, among, isMore ? 'MORE' : '');
  }
  return asFew;
}
