import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { RowDataPacket } from 'mysql2/promise';
import { textAt } from '#core/runtime/json.js';
import { call } from '../../call.js';
import { mintKeys } from '../../keys.js';
import { loopCpuMs } from '../../process.js';
import { inTurn, percentile, posterTo, type Poster } from '../../load.js';
import type { Stage } from '../../stage.js';
import { attacks, contactsFor, type HostileKeys } from './attacks.js';

type Say = (line: string) => void;

/** Milliseconds between two calls of each kind. */
const everyMs = 150;
const idleMs = 6_000;
const attackMs = 15_000;
/** How long an attack runs before others are measured. */
const settleMs = 2_000;
/** The ordinary account's calls are at a third of the rate limit of its keys. */
const ordinaryKeys = 20;
const targetMs = 250;

/** An ordinary call, and the milliseconds that each took. */
interface Ordinary {
  readonly operation: string;
  readonly poster: Poster;
  readonly body: () => string;
}

/** Another account, opened as anybody may. */
async function openOrdinary(stage: Stage): Promise<{ kinds: Ordinary[]; keys: string[]; close: () => Promise<void> }> {
  const email = 'ordinary@example.com';
  const opened = await call({ ...stage, keys: [] }, 'account.signup', { name: 'Ordinary', email });
  const secret = textAt(opened, 'keys', 'secret');
  if (secret === null) throw new Error('The new account has no key.');
  const kind = (operation: string, input: object): Ordinary => ({
    operation,
    poster: posterTo(stage.svc.address, `/${operation.replaceAll('.', '/')}`),
    body: () => JSON.stringify(input),
  });
  const content = { subject: 'Your receipt', html: '<p>Hello {{ firstName }}</p>' };
  const kinds = [
    kind('account.get', {}),
    kind('email.send', { to: email, subject: 'Receipt', text: 'Thank you.' }),
    kind('email.template.preview', { content, variables: { firstName: 'Ada' } }),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(kinds.map(({ poster }) => poster.close()));
  };
  return { kinds, keys: await mintKeys(stage.database, secret, ordinaryKeys), close };
}

/** Makes the hostile account's projects. @returns the keys of all its environments */
async function openHostile(stage: Stage, projects: number, say: Say): Promise<HostileKeys[]> {
  const keys: HostileKeys[] = [];
  for (let index = 0; index < projects; index += 1) {
    const made = await call(stage, 'account.project.create', { name: `Hostile ${index}` });
    for (const kind of ['live', 'test'])
      keys.push({
        secret: textAt(made, 'keys', kind, 'secret') ?? '',
        publishable: textAt(made, 'keys', kind, 'publishable') ?? '',
      });
  }
  say(`hostile account: ${keys.length} environments`);
  return keys;
}

interface Measured {
  readonly operation: string;
  readonly took: number[];
  /** Milliseconds that the server's event loop computed during each call, for it and for others. */
  readonly computed: number[];
  refused: number;
}

/** Makes each ordinary call at a steady rate, even if answers are late. @returns the milliseconds of each kind */
async function measure(
  { kinds, keys }: Awaited<ReturnType<typeof openOrdinary>>,
  pid: number,
  ms: number,
): Promise<Measured[]> {
  const key = inTurn(keys, keys.length);
  const results = kinds.map(({ operation }): Measured => ({ operation, took: [], computed: [], refused: 0 }));
  const open: Promise<void>[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    for (const [index, { poster, body }] of kinds.entries()) {
      const began = performance.now();
      const computed = loopCpuMs(pid) ?? 0;
      const result = results[index];
      open.push(
        poster.post({ authorization: `Bearer ${key()}` }, body()).then(
          () => {
            result?.took.push(performance.now() - began);
            result?.computed.push((loopCpuMs(pid) ?? 0) - computed);
          },
          () => {
            if (result) result.refused += 1;
          },
        ),
      );
    }
    await pause(everyMs);
  }
  await Promise.all(open);
  return results;
}

const tell = (results: readonly Measured[]): string =>
  results
    .map(({ operation, took, computed, refused }) => {
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
      const failed = refused === 0 ? '' : `, ${refused} of ${took.length + refused} REFUSED`;
      const ofLoop = `(loop ${percentile(computed, 0.5).toFixed(0)}/${percentile(computed, 0.99).toFixed(0)})`;
      return `${operation} ${p50.toFixed(0)}/${p99.toFixed(0)}${p99 > targetMs ? ' !' : ''} ${ofLoop}${failed}`;
    })
    .join('; ');

/** The next message of a thread. */
const messageOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve) => worker.once('message', (message: unknown) => resolve(message)));

/** Waits until the imports that were accepted are done, at most a minute: they would count for the next attack. */
async function importsDone({ database }: Stage): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const [rows] = await database.query<RowDataPacket[]>('SELECT id FROM audience_import_queue LIMIT 1');
    if (rows.length === 0) return;
    await pause(500);
  }
}

/**
 * Measures what one account with many environments can do to another: the times of ordinary calls, idle and during each
 * attack. The node has all roles; client, attacker, server and database share the machine.
 */
export async function benchHostile(stage: Stage, projects: number, say: Say): Promise<void> {
  const svc = await stage.startNode({ SVC_ROLE: 'all', SVC_SIGNUP: 'open', SVC_TRUST_PROXY: '127.0.0.1' });
  const attacked = { ...stage, svc };
  const only = (process.env['BENCH_ATTACKS'] ?? '').split(',').filter((name) => name !== '');
  const hostile = await openHostile(attacked, projects, say);
  const ordinary = await openOrdinary(attacked);
  for (const { secret } of hostile.slice(0, 4))
    await call({ ...attacked, keys: [secret] }, 'audience.contact.import', JSON.parse(contactsFor(10_000)));
  const worker = new Worker(new URL('./attacker.js', import.meta.url), {
    workerData: { address: svc.address, keys: hostile },
  });
  const url = await messageOf(worker);
  for (const { secret } of hostile.filter((_, index) => index % 2 === 1))
    await call({ ...attacked, keys: [secret] }, 'developers.webhook.create', { url, eventTypes: ['audience.*'] });
  await importsDone(stage);
  await measure(ordinary, svc.pid, idleMs);
  say(
    `milliseconds p50/p99 (of which the event loop computed); ! is over ${targetMs}; ${availableParallelism()} cores`,
  );
  for (const { name } of attacks.filter((each) => only.length === 0 || only.includes(each.name))) {
    const load = (): string => `load ${loadavg()[0]?.toFixed(1) ?? '?'}`;
    say(`${name}, idle before: ${tell(await measure(ordinary, svc.pid, idleMs))}; ${load()}`);
    worker.postMessage(name);
    await pause(settleMs);
    const during = await measure(ordinary, svc.pid, attackMs);
    worker.postMessage('stop');
    const statuses = await messageOf(worker);
    say(`${name}, attacked:    ${tell(during)}; ${load()}; attacker got ${JSON.stringify(statuses)}`);
    await importsDone(stage);
    await pause(settleMs);
  }
  await worker.terminate();
  await ordinary.close();
  await svc.stop();
}
