import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../support/workload.js';
import { checkAll } from './check-all.js';
import { settleEntry, type CallerOptions } from './client.js';
import { startClients } from './clients.js';
import { startDeployment, type Deployment } from './deployment.js';
import { openJournal, type Journal } from './journal.js';
import { carryOut, chooseKill } from './kills.js';
import { sampleOf, type Sample } from './samples.js';
import { prepare } from './setup.js';
import { minuteText, observeMinute, soakCharts, type Minute } from './soak.js';
import { summarize, summaryText, type Summary } from './summary.js';
import { collectViolations } from './violations.js';

export interface RunOptions {
  /** None: only checks what an earlier part of the run has left. */
  readonly kills: number;
  readonly seed: number;
  /** For the database, the journal and the summary. A folder of an earlier run is continued. */
  readonly folder: string;
  /** No kill begins after this time. */
  readonly minutes?: number | undefined;
  /** Runs without kills for this number of minutes, and measures each. */
  readonly soak?: number | undefined;
  readonly say: (line: string) => void;
  /** Ends the run early, with all checks. */
  readonly interrupted?: AbortSignal;
}

/** After this number of kills, the clients pause and everything is checked. */
const checkEvery = 100;
const providersEveryMs = 100;

/** What to answer to calls of an earlier part of the run whose clients no longer wait. */
const refusalsOfAll = ['message_not_cancellable', 'challenge_expired', 'code_invalid', 'refresh_reused'];

/** The next number for the names of clients: 1 in a new run. */
function nextPart({ entries }: Journal): number {
  return 1 + Math.max(0, ...[...entries.keys()].map((key) => Number.parseInt(key, 10)));
}

/**
 * Starts a deployment, kills its parts while clients use it, and checks the promises of docs/reliability.md.
 * @returns the summary, which is also written to the folder
 */
export async function runFaults(options: RunOptions): Promise<Summary> {
  const { folder, seed, kills, say, interrupted } = options;
  await mkdir(folder, { recursive: true });
  const journal = openJournal(folder);
  const part = nextPart(journal);
  const violations = collectViolations();
  // The kills depend only on the seed and on their number, whatever the clients do.
  const random = randomFrom(seed + journal.kills.length);
  const answerMs: number[] = [];
  const opens = new Map<string, number>();
  const deployment = await startDeployment(folder, journal);
  const journalProviders = providerWriter(deployment, journal);
  const timer = setInterval(journalProviders, providersEveryMs);
  const callers: CallerOptions = {
    journal,
    violations,
    addresses: deployment.addresses,
    random: randomFrom(seed + part),
    onAnswer: (ms) => answerMs.push(ms),
    onOpen: (why, address) => {
      const stopped = why === 'timed out' && !deployment.isStopped(address);
      const name = stopped ? 'timed out at a node that ran' : why;
      opens.set(name, (opens.get(name) ?? 0) + 1);
    },
  };
  const samples: Sample[] = [];
  const until = options.minutes === undefined ? Infinity : Date.now() + options.minutes * 60_000;
  const isOver = (): boolean => Date.now() > until || interrupted?.aborted === true || violations.all.length > 0;
  try {
    if (part === 1) await prepare(deployment, callers);
    for (const entry of journal.entries.values())
      if (entry.answer === undefined && !entry.operation.startsWith('callback.'))
        await settleEntry(entry, callers, refusalsOfAll);
    let done = 0;
    const killOne = async (): Promise<void> => {
      await pause(500 + random() * 2_500);
      const kind = chooseKill(random);
      // If it fails, the next one does it.
      await endHours(deployment).catch(() => undefined);
      try {
        journal.killed(await carryOut(kind, deployment, random, violations));
      } catch (error) {
        violations.add('What was killed serves again', `${kind}: ${String(error)}`);
        return;
      }
      done += 1;
      const taken = (await Promise.all(deployment.members.map(sampleOf))).flatMap((sample) => sample ?? []);
      samples.push(...taken);
      checkAlive(deployment, violations);
      say(progressLine(`${done}/${kills}`, journal, taken));
    };
    for (let phase = 0; done < kills && !isOver(); phase += 1) {
      const clients = await startClients(`${part}${phase === 0 ? '' : `x${phase}`}`, deployment, callers);
      const last = Math.min(kills, done + checkEvery);
      while (done < last && !isOver()) await killOne();
      await pause(1_000);
      await clients.end();
      if (done < kills && !isOver()) {
        await checkAll(deployment, callers, journalProviders);
        say(`Checked after ${journal.kills.length} kills: ${violations.all.length} promises violated.`);
      }
    }
    if (options.soak !== undefined) {
      const minutes: Minute[] = [];
      const clients = await startClients(`${part}`, deployment, callers);
      while (minutes.length < options.soak && !isOver()) {
        await endHours(deployment);
        const minute = await observeMinute(deployment, minutes.length + 1, answerMs);
        minutes.push(minute);
        samples.push(...minute.nodes);
        checkAlive(deployment, violations);
        say(minuteText(minute));
        await writeFile(join(folder, 'charts.txt'), `${soakCharts(minutes)}\n`);
      }
      await clients.end();
    }
    const checked = await checkAll(deployment, callers, journalProviders);
    const codes = await deployment.stop();
    if (codes.some((code) => code !== '0')) violations.add('SIGTERM ends a node in an orderly way', codes.join());
    const summary = summarize(seed, journal, checked, { answerMs, opens }, samples, violations.all);
    await writeFile(join(folder, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
    await writeFile(join(folder, 'summary.txt'), `${summaryText(summary)}\n`);
    return summary;
  } finally {
    clearInterval(timer);
    await deployment.kill();
    journal.close();
  }
}

function progressLine(count: string, { kills, entries }: Journal, samples: readonly Sample[]): string {
  const kill = kills.at(-1);
  const nodes = samples.map(({ name, mebibytes, descriptors }) => `${name} ${mebibytes} MiB ${descriptors} fds`);
  const ended = kill?.kind === 'SIGTERM' ? ` (ended after ${kill.endMs} ms)` : '';
  const what = `${kill?.kind ?? ''} ${kill?.victim ?? ''}${ended}: served after ${kill?.recoveryMs ?? 0} ms`;
  return `${count} ${what}; ${entries.size} writes; ${nodes.join(', ')}`;
}

/** Writes down new texts and charges of the providers, which other tests use without a journal. */
function providerWriter({ twilio, stripe }: Deployment, journal: Journal): () => void {
  let texts = 0;
  const charged = new Map<string, number>();
  return () => {
    for (const { body, to, sid, createdAt } of twilio.texts.slice(texts))
      journal.text({ id: body, to, begunAt: createdAt.getTime(), at: createdAt.getTime(), digest: sid });
    texts = twilio.texts.length;
    const now = Date.now();
    for (const { id, customer, amount, charges } of stripe.intents.values()) {
      for (let count = charged.get(id) ?? 0; count < charges; count += 1) {
        const name = stripe.customers.get(customer)?.name ?? customer;
        journal.charge({ id: name, to: String(amount), begunAt: now, at: now, digest: id });
      }
      charged.set(id, charges);
    }
  };
}

/**
 * Ends the hours of request limits: a run makes more calls than an environment may make in one. In a transaction, which
 * is repeated if it deadlocks with a call.
 */
const endHours = ({ db }: Deployment): Promise<unknown> =>
  db.transaction((session) =>
    session.run('DELETE FROM svc_limit WHERE resets_at > UTC_TIMESTAMP(3) + INTERVAL 5 MINUTE LIMIT 1000'),
  );

/** A node ends only when it is killed. */
function checkAlive({ members }: Deployment, violations: CallerOptions['violations']): void {
  for (const { name, process: node } of members)
    if (node.ending() !== undefined)
      violations.add(
        'A node survives what happens to others',
        `${name} ended by ${node.ending() ?? ''}: ${node.printed()}`,
      );
}
