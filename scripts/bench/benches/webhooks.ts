import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool, request } from 'undici';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Bench, Round } from '../bench.js';
import { drive, inFlight } from '../load.js';
import type { Stage } from '../stage.js';
import { makeEndpoints, type Target } from '../webhook-environments.js';

/** 2 KiB of payload. */
const data = JSON.stringify({ account: { id: newId(), name: 'A'.repeat(1_700) } });
const payload: unknown = JSON.parse(data);
const warmUpMs = 2_000;
/** Without email, so that no mail is delivered at the same time. */
const alone = { SVC_PRODUCTS: 'account,developers' };

const countOf = async (sink: string): Promise<number> => Number(await (await request(sink)).body.text());

/** Commits events as operations do, pending fan-out. */
async function commitEvents({ database }: Stage, targets: readonly Target[], each: number): Promise<void> {
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
        pending: 1,
        created_at: new Date(),
      })),
    );
    await database.query(sql, [...parameters]);
  }
}

/** Commits events for about `wanted` deliveries and waits until all have arrived. */
async function deliver(stage: Stage, sink: string, targets: readonly Target[], wanted: number): Promise<Round> {
  const endpoints = targets.reduce((sum, target) => sum + target.endpoints, 0);
  const each = Math.max(1, Math.round(wanted / endpoints));
  const before = await countOf(sink);
  const began = performance.now();
  await commitEvents(stage, targets, each);
  while ((await countOf(sink)) < before + each * endpoints) await pause(5);
  const ms = performance.now() - began;
  return { count: each * endpoints, perSecond: (each * endpoints * 1_000) / ms, p50: ms, p99: ms };
}

/** The floor: a loop that only signs and posts the same body. */
function bareLoop(sink: string): { post: () => Promise<void>; close: () => Promise<void> } {
  const pool = new Pool(sink, { connections: inFlight, pipelining: 1 });
  const body = JSON.stringify({ id: newId(), type: 'account.updated', data: payload });
  const post = async (): Promise<void> => {
    const at = Math.floor(Date.now() / 1_000);
    const v1 = createHmac('sha256', 'svc_wh_bench').update(`${at}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'svc-signature': `t=${at},v1=${v1}` };
    const answer = await pool.request({ path: '/hook', method: 'POST', headers, body });
    await answer.body.dump();
  };
  return { post, close: () => pool.close() };
}

/** Measures the time from commit to delivery of an event on an otherwise idle system, with one process for API and workers. */
async function idleDelays(sink: string, key: string, address: string): Promise<string> {
  const delays: number[] = [];
  for (let index = 0; index < 40; index += 1) {
    const before = await countOf(sink);
    await request(`${address}/account/update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Bench ${index} ${Date.now()}` }),
    }).then((answer) => answer.body.dump());
    const began = performance.now();
    while ((await countOf(sink)) === before) await pause(1);
    delays.push(performance.now() - began);
    await pause(20);
  }
  const sorted = delays.sort((a, b) => a - b);
  return `event to delivery when idle, one process: p50 ${(sorted[20] ?? 0).toFixed(1)} ms, p99 ${(sorted[39] ?? 0).toFixed(1)} ms (target p99 < 50 ms)`;
}

/** Deliveries per second to a local receiver, with every attempt recorded. The floor is a loop that only posts. */
export const webhooks = (endpoints: number): Bench => ({
  name: `webhooks-${endpoints}`,
  target: 0.25,
  async prepare(stage) {
    const sink = await stage.startFloor('sink', { BENCH_SINK_ADDRESSES: String(endpoints) });
    const targets = await makeEndpoints(stage, sink.address, endpoints);
    const worker = await stage.startNode({ ...alone, SVC_ROLE: 'worker' });
    const { post, close } = bareLoop(sink.address);
    let rate = 500;
    const round = async (ms: number): Promise<Round> => {
      const found = await deliver(stage, sink.address, targets, (rate * ms) / 1_000);
      rate = found.perSecond;
      return found;
    };
    await round(warmUpMs);
    await drive(warmUpMs, post);
    return {
      svc: {
        words: `webhook deliveries to ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}, recorded`,
        pid: worker.pid,
        round,
      },
      floor: { words: 'undici: sign and post the same body', pid: process.pid, round: (ms) => drive(ms, post) },
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
        await close();
        await worker.stop();
        await sink.stop();
      },
    };
  },
});
