import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { idBytes } from '#core/runtime/id.js';
import type { Stage } from '../stage.js';
import { makeEndpoints } from '../webhook-environments.js';

const calls = 20;
const rowsAtOnce = 100_000;

const received = async (sink: string): Promise<number> => Number(await (await request(sink)).body.text());

/**
 * Measures the time from the commit of an event to its delivery while `waiting` events of another environment wait for
 * fan-out and delivery, all in one process.
 */
export async function benchWaitingEvents(stage: Stage, waiting: number, say: (line: string) => void): Promise<void> {
  const [crowdSink, sink] = [await stage.startFloor('sink'), await stage.startFloor('sink')];
  const [crowd] = await makeEndpoints(stage, crowdSink.address, 1, 'Crowd');
  const [single] = await makeEndpoints(stage, sink.address, 1, 'Single');
  if (!crowd || !single) throw new Error('The environments were not created.');
  for (let rest = waiting; rest > 0; rest -= rowsAtOnce) {
    await stage.database.query(
      `INSERT INTO svc_event (id, environment_id, type, subject_type, subject_id, data, pending, created_at)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400)
       SELECT UNHEX(LEFT(SHA2(CONCAT(UUID(), a.n, '-', b.n), 256), 32)), ?, 'account.updated', 'account', 'bench', '{}', 1, UTC_TIMESTAMP(3)
       FROM numbers a, numbers b LIMIT ?`,
      [idBytes(crowd.id), Math.min(rest, rowsAtOnce)],
    );
  }
  const node = await stage.startNode({ SVC_PRODUCTS: 'account,developers', SVC_ROLE: 'all' });
  const delays: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const before = await received(sink.address);
    const answer = await request(`${node.address}/account/update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${single.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Bench ${index} ${Date.now()}` }),
    });
    await answer.body.dump();
    const began = performance.now();
    while ((await received(sink.address)) === before) await pause(2);
    delays.push(performance.now() - began);
    await pause(200);
  }
  const sorted = delays.sort((a, b) => a - b);
  const left = waiting - (await received(crowdSink.address));
  say(
    `webhook beside ${waiting} waiting events of another environment: p50 ${(sorted[calls / 2] ?? 0).toFixed(0)} ms, ` +
      `slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms (target < 1000 ms); ${left} of them still waited at the end`,
  );
  await node.stop();
  await crowdSink.stop();
  await sink.stop();
}
