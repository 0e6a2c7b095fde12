import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Bench, Round } from '../bench.js';
import { benchEnvironment, commit, contactStatements, people } from '../floors/contact-rows.js';
import { keysForRate } from '../keys.js';
import { drive, inTurn, posterTo } from '../load.js';

const warmUpMs = 2_000;

/**
 * Creates contacts with ten properties, one per call: thirteen rows and a durable commit. Its floor is the transaction
 * without HTTP.
 */
export const upsert: Bench = {
  name: 'upsert',
  target: 0.55,
  async prepare({ svc, keys, database }) {
    const { post, close } = posterTo(svc.address, '/audience/contact/upsert');
    const round = (ms: number, count: number): Promise<Round> => {
      const key = inTurn(keys, count);
      return drive(ms, () => post({ authorization: `Bearer ${key()}` }, JSON.stringify(people(1, true)[0])));
    };
    const { perSecond } = await round(warmUpMs, keys.length);
    const environment = await benchEnvironment(database);
    const write = (): Promise<void> => {
      const activity = {
        id: idBytes(newId()),
        environment_id: environment,
        account_id: environment,
        account_wide: 0,
        operation: Buffer.from('audience.contact.upsert'),
        actor_kind: Buffer.from('key'),
        actor_id: Buffer.from(newId()),
        actor_label: 'Bench',
        subject_type: Buffer.from('contact'),
        subject_id: Buffer.from(newId()),
        person_id: idBytes(newId()),
        summary: 'Created a contact.',
        changes: '[]',
        request_id: idBytes(newId()),
        ip: '127.0.0.1',
        user_agent: null,
        created_at: new Date(),
      };
      const rows = contactStatements(environment, people(1, true), false);
      return commit(database, [...rows, insertInto('svc_activity', [activity])]);
    };
    await drive(warmUpMs, write);
    return {
      svc: { words: 'audience.contact.upsert', pid: svc.pid, round: (ms) => round(ms, keysForRate(perSecond)) },
      floor: {
        words: 'mysql2: the same rows, one round trip, no HTTP',
        pid: process.pid,
        round: (ms) => drive(ms, write),
      },
      close,
    };
  },
};
