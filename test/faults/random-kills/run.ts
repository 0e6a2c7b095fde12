import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../support/workload.js';
import { checkAll, type Checked } from './check-all.js';
import { settleEntry, type CallerOptions } from './client.js';
import { startClients } from './clients.js';
import { startDeployment, type Deployment } from './deployment.js';
import { openJournal, type Journal } from './journal.js';
import { carryOut, chooseKill } from './kills.js';
import { sampleOf, type Sample } from './samples.js';
import { prepare } from './setup.js';
import { summarize, summaryText, type Summary } from './summary.js';
import { collectViolations } from './violations.js';

export interface RunOptions {
  readonly kills: number;
  readonly seed: number;
  /** For the database, the journal and the summary. A folder of an earlier run is continued. */
  readonly folder: string;
  /** No kill begins after this time. */
  readonly minutes?: number | undefined;
  readonly say: (line: string) => void;
  /** Ends the run early, with all checks. */
  readonly interrupted?: AbortSignal;
}

/** After so many kills, the clients pause and everything is checked. */
const checkEvery = 100;
const textsEveryMs = 100;

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
  const deployment = await startDeployment(folder, journal);
  const journalTexts = textWriter(deployment, journal);
  const timer = setInterval(journalTexts, textsEveryMs);
  const callers: CallerOptions = {
    journal,
    violations,
    addresses: deployment.addresses,
    random: randomFrom(seed + part),
    onAnswer: (ms) => answerMs.push(ms),
  };
  const samples: Sample[] = [];
  const until = options.minutes === undefined ? Infinity : Date.now() + options.minutes * 60_000;
  const isOver = (): boolean => Date.now() > until || interrupted?.aborted === true || violations.all.length > 0;
  try {
    if (part === 1) await prepare(deployment, callers);
    for (const entry of journal.entries.values())
      if (entry.answer === undefined) await settleEntry(entry, callers, refusalsOfAll);
    let done = 0;
    let checked: Checked = { settledMs: undefined, mailRepeats: 0, webhookRepeats: 0 };
    for (let phase = 0; phase === 0 || (done < kills && !isOver()); phase += 1) {
      const clients = await startClients(`${part}${phase === 0 ? '' : `x${phase}`}`, deployment, callers);
      for (const last = Math.min(kills, done + checkEvery); done < last && !isOver(); done += 1) {
        await pause(1_000 + random() * 3_000);
        const kind = chooseKill(random);
        try {
          journal.killed(await carryOut(kind, deployment, random, violations));
        } catch (error) {
          violations.add('What was killed serves again', `${kind}: ${String(error)}`);
          break;
        }
        const taken = (await Promise.all(deployment.members.map(sampleOf))).flatMap((sample) => sample ?? []);
        samples.push(...taken);
        checkAlive(deployment, violations);
        const kill = journal.kills.at(-1);
        say(
          `${done + 1}/${kills} ${kind} ${kill?.victim ?? ''}: served after ${kill?.recoveryMs ?? 0} ms; ${journal.entries.size} writes; ` +
            taken.map(({ name, mebibytes, descriptors }) => `${name} ${mebibytes} MiB ${descriptors} fds`).join(', '),
        );
      }
      await pause(1_000);
      await clients.end();
      checked = await checkAll(deployment, callers, journalTexts);
      say(`Checked after ${journal.kills.length} kills: ${violations.all.length} promises violated.`);
    }
    const codes = await deployment.stop();
    if (codes.some((code) => code !== '0')) violations.add('SIGTERM ends a node in an orderly way', codes.join());
    const summary = summarize(seed, journal, checked, answerMs, samples, violations.all);
    await writeFile(join(folder, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
    await writeFile(join(folder, 'summary.txt'), `${summaryText(summary)}\n`);
    return summary;
  } finally {
    clearInterval(timer);
    await deployment.kill();
    journal.close();
  }
}

/** Writes down new texts of the provider. */
function textWriter({ twilio }: Deployment, journal: Journal): () => void {
  let written = 0;
  return () => {
    for (const { body, to, sid, createdAt } of twilio.texts.slice(written))
      journal.text({ id: body, to, begunAt: createdAt.getTime(), at: createdAt.getTime(), digest: sid });
    written = twilio.texts.length;
  };
}

/** A node ends only when it is killed. */
function checkAlive({ members }: Deployment, violations: CallerOptions['violations']): void {
  for (const { name, process: node } of members)
    if (node.ending() !== undefined)
      violations.add(
        'A node survives what happens to others',
        `${name} ended by ${node.ending() ?? ''}: ${node.printed()}`,
      );
}
