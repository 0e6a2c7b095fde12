import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { request } from 'undici';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Bench, Round } from '../bench.js';
import { commit } from '../floors/contact-rows.js';
import { isRecord } from '../json.js';
import type { Stage } from '../stage.js';

/** Steps of each run: none of them waits, so a run takes all of them together. */
const stepsPerRun = 10;
const perStatement = 500;
const mostRuns = 10_000;

async function call({ svc, keys }: Stage, name: string, input: unknown): Promise<Record<string, unknown>> {
  const answer = await request(`${svc.address}/${name.replaceAll('.', '/')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0] ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const body: unknown = await answer.body.json();
  const result = isRecord(body) ? body['result'] : undefined;
  if (!isRecord(result)) throw new Error(`${name} answered ${answer.statusCode}: ${JSON.stringify(body)}`);
  return result;
}

async function waiting(database: Pool): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { found: number })[]>(
    'SELECT COUNT(*) AS found FROM email_automation_queue',
  );
  return row?.found ?? Number.NaN;
}

/** An automation of ten branches that lead to nothing: only the bookkeeping of a step remains. */
async function createAutomation(stage: Stage): Promise<Buffer> {
  const condition = { field: 'context.plan', op: 'eq', value: 'pro' };
  const steps = Array.from({ length: stepsPerRun }, () => ({ type: 'branch', if: condition, then: [], else: [] }));
  const { automation } = await call(stage, 'email.automation.create', { name: 'Bench', triggerEvent: 'bench', steps });
  const id = isRecord(automation) && typeof automation['id'] === 'string' ? automation['id'] : '';
  await call(stage, 'email.automation.activate', { automationId: id });
  return idBytes(id);
}

async function automationFacts(
  database: Pool,
  automation: Buffer,
): Promise<{ environment: Buffer; firstStep: number }> {
  const [[row]] = await database.query<(RowDataPacket & { environment_id: Buffer; steps: string })[]>(
    'SELECT environment_id, steps FROM email_automation WHERE id = ?',
    [automation],
  );
  const steps: unknown = JSON.parse(row?.steps ?? '[]');
  const first: unknown = Array.isArray(steps) ? steps[0] : undefined;
  return {
    environment: row?.environment_id ?? Buffer.alloc(16),
    firstStep: isRecord(first) && typeof first['id'] === 'number' ? first['id'] : 0,
  };
}

/** The rows of new runs, and with `queued` those of the queue. */
function runRows(automation: Buffer, environment: Buffer, stepId: number, count: number) {
  const now = new Date();
  const ids = Array.from({ length: count }, () => idBytes(newId()));
  const runs = ids.map((id) => ({
    id,
    environment_id: environment,
    automation_id: automation,
    contact_id: idBytes(newId()),
    person_id: null,
    status: Buffer.from('waiting'),
    step_id: stepId,
    entered: 0,
    position: Buffer.from('steps[0]'),
    context: '{"plan":"free"}',
    steps_taken: 0,
    activity_id: null,
    next_at: now,
    started_at: now,
    ended_at: null,
    end_reason: null,
  }));
  const work = ids.map((id) => ({ id, partition_id: automation, lane: 2, due_at: now, attempts: 0, leased: 0 }));
  return { ids, runs, work };
}

/** The minimum that one step writes: its run's new position and a row of history, many runs per transaction. */
async function stepLoop(database: Pool, automation: Buffer, environment: Buffer, ms: number): Promise<Round> {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < ms) {
    const { ids, runs } = runRows(automation, environment, 0, 100);
    await commit(database, [
      insertInto(
        'email_automation_run',
        runs.map((run) => ({ ...run, status: Buffer.from('completed') })),
      ),
    ]);
    for (let step = 0; step < stepsPerRun; step += 1) {
      await commit(database, [
        {
          sql: ids.map(() => 'UPDATE email_automation_run SET step_id = ?, steps_taken = ? WHERE id = ?').join(';\n'),
          parameters: ids.flatMap((id) => [step, step + 1, id]),
        },
        insertInto(
          'email_automation_history',
          ids.map((id) => ({
            run_id: id,
            position: step,
            step: Buffer.from(`steps[${step}]`),
            type: Buffer.from('branch'),
            at: new Date(),
            outcome: Buffer.from('else'),
            reason: null,
            message_id: null,
          })),
        ),
      ]);
      count += ids.length;
    }
  }
  const took = performance.now() - began;
  return { count, perSecond: (count * 1_000) / took, p50: took, p99: took };
}

/** Steps per second of one worker, for runs that are all due. */
export const automations: Bench = {
  name: 'automations',
  target: 0.5,
  async prepare(stage) {
    const { database } = stage;
    const automation = await createAutomation(stage);
    const { environment, firstStep } = await automationFacts(database, automation);
    const worker = await stage.startNode({ SVC_ROLE: 'worker' });
    let rate = 2_000;
    const round = async (ms: number): Promise<Round> => {
      const count = Math.min(
        mostRuns,
        Math.max(1, Math.round((rate * ms) / 1_000 / stepsPerRun / perStatement)) * perStatement,
      );
      const began = performance.now();
      for (let from = 0; from < count; from += perStatement) {
        const { runs, work } = runRows(automation, environment, firstStep, perStatement);
        await commit(database, [insertInto('email_automation_run', runs), insertInto('email_automation_queue', work)]);
      }
      while ((await waiting(database)) > 0) await pause(10);
      const took = performance.now() - began;
      rate = (count * stepsPerRun * 1_000) / took;
      return { count: count * stepsPerRun, perSecond: rate, p50: took, p99: took };
    };
    await round(2_000);
    await stepLoop(database, automation, environment, 500);
    return {
      svc: { words: 'automation steps of due runs, ten per run, in one worker', pid: worker.pid, round },
      floor: {
        words: 'mysql2: the same updates and history rows, 100 runs per transaction',
        pid: process.pid,
        round: (ms) => stepLoop(database, automation, environment, ms),
      },
      close: () => worker.stop(),
    };
  },
};
