import { setTimeout as pause } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { request } from 'undici';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Bench, Round } from '../bench.js';
import type { Stage } from '../stage.js';
import { makeEndpoints, type Target } from '../webhook-environments.js';

/** 2 KiB of payload. */
const data = JSON.stringify({ account: { id: newId(), name: 'A'.repeat(1_700) } });
const warmUpMs = 2_000;
/** Without email, so that no mail is delivered during the measurement. */
const alone = { SVC_PRODUCTS: 'account,developers' };

const countOf = async (sink: string): Promise<number> => Number(await (await request(sink)).body.text());

/**
 * Commits events as operations do. @param pending whether svc should deliver them; otherwise only the floor sees them
 */
async function commitEvents(
  { database }: Stage,
  targets: readonly Target[],
  each: number,
  pending: boolean,
): Promise<void> {
  for (let start = 0; start < each; start += 500) {
    const rows = Array.from({ length: Math.min(500, each - start) }, () => targets).flat();
    const { sql, parameters } = insertInto(
      'svc_event',
      rows.map(({ id }) => ({
        id: idBytes(newId()),
        environment_id: idBytes(id),
        type: Buffer.from('account.updated'),
        subject_type: Buffer.from('account'),
        subject_id: Buffer.from(id),
        data,
        pending: pending ? 1 : null,
        created_at: new Date(),
      })),
    );
    await database.query(sql, [...parameters]);
  }
}

/**
 * Commits events for about `wanted` deliveries and waits until all have arrived.
 * @param floor the address of the floor that delivers them; undefined for svc
 */
async function deliver(
  stage: Stage,
  sink: string,
  targets: readonly Target[],
  wanted: number,
  floor?: string,
): Promise<Round> {
  const endpoints = targets.reduce((sum, target) => sum + target.endpoints, 0);
  const each = Math.max(1, Math.round(wanted / endpoints));
  const before = await countOf(sink);
  const last = newId();
  const began = performance.now();
  await commitEvents(stage, targets, each, floor === undefined);
  const done = floor === undefined ? undefined : request(`${floor}/${last}`);
  while ((await countOf(sink)) < before + each * endpoints) await pause(5);
  const ms = performance.now() - began;
  // Waits until the last outcomes are recorded, so that their CPU time counts.
  if (done) await (await done).body.text();
  else await recorded(stage);
  return { count: each * endpoints, perSecond: (each * endpoints * 1_000) / ms, p50: ms, p99: ms };
}

/** Waits until svc has recorded all deliveries. */
async function recorded({ database }: Stage): Promise<void> {
  for (;;) {
    const [rows] = await database.query<RowDataPacket[]>('SELECT 1 FROM developers_webhook_queue LIMIT 1');
    if (rows.length === 0) return;
    await pause(20);
  }
}

/** Events whose delivery is timed; the earlier ones warm up the code. */
const [timed, first] = [200, 20];

/**
 * Measures the time from commit to delivery of an event on an otherwise idle system, with one process for API and
 * workers.
 */
async function idleDelays(sink: string, key: string, address: string): Promise<string> {
  const delays: number[] = [];
  for (let index = 0; index < first + timed; index += 1) {
    const before = await countOf(sink);
    await request(`${address}/account/update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Bench ${index} ${Date.now()}` }),
    }).then((answer) => answer.body.dump());
    const began = performance.now();
    while ((await countOf(sink)) === before) await pause(1);
    if (index >= first) delays.push(performance.now() - began);
    await pause(20);
  }
  const sorted = delays.sort((a, b) => a - b);
  const [p50 = NaN, p99 = NaN] = [0.5, 0.99].map((share) => sorted[Math.ceil(share * timed) - 1]);
  return `event to delivery when idle, one process: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (target p99 < 50 ms)`;
}

/**
 * Deliveries per second to a local receiver, with every attempt recorded. The floor writes the same rows in batches.
 */
export const webhooks = (endpoints: number): Bench => ({
  name: `webhooks-${endpoints}`,
  target: 0.5,
  async prepare(stage) {
    const sink = await stage.startFloor('sink', { BENCH_SINK_ADDRESSES: String(endpoints) });
    const targets = await makeEndpoints(stage, sink.address, endpoints);
    const worker = await stage.startNode({ ...alone, SVC_ROLE: 'worker' });
    const floor = await stage.startFloor('webhook-worker');
    /** Rounds of one side. The number of deliveries of each is based on the rate of the previous one. */
    const rounds = (address?: string): ((ms: number) => Promise<Round>) => {
      let rate = 500;
      return async (ms) => {
        const found = await deliver(stage, sink.address, targets, (rate * ms) / 1_000, address);
        rate = found.perSecond;
        return found;
      };
    };
    const [ours, bare] = [rounds(), rounds(floor.address)];
    for (const round of [ours, bare]) await round(warmUpMs);
    return {
      svc: {
        words: `webhook deliveries to ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}, recorded`,
        pid: worker.pid,
        round: ours,
      },
      floor: { words: 'queue, claim, sign, post and record the same rows in batches', pid: floor.pid, round: bare },
      async notes() {
        const [target] = targets;
        if (endpoints > 1 || !target) return [];
        await worker.stop();
        const all = await stage.startNode({ ...alone, SVC_ROLE: 'all' });
        const line = await idleDelays(sink.address, target.key, all.address);
        await all.stop();
        return [line];
      },
      async close() {
        await floor.stop();
        await worker.stop();
        await sink.stop();
      },
    };
  },
});
