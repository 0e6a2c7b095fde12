import type { Checked } from './check-all.js';
import type { Journal } from './journal.js';
import type { Sample } from './samples.js';
import { timesOf, type Times } from './times.js';
import type { Violation } from './violations.js';

/** The result of a run, over all of its parts. Times are in milliseconds. */
export interface Summary {
  readonly seed: number;
  readonly endedAt: string;
  readonly kills: number;
  readonly calls: number;
  /** Calls with an attempt that did not tell their outcome, in this part of the run. */
  readonly repeatedCalls: number;
  readonly refused: number;
  readonly arrivals: { readonly mails: number; readonly texts: number; readonly webhooks: number };
  /** What arrived more than once, in all. */
  readonly repeats: { readonly mails: number; readonly webhooks: number };
  /** From a kill until everything served again, by what was killed. */
  readonly recovery: Readonly<Record<string, Times>>;
  /** From the first attempt of a call to its answer, in this part of the run. */
  readonly answers: Times;
  /** Attempts that did not tell the outcome of their call, by reason, in this part of the run. */
  readonly opens: Readonly<Record<string, number>>;
  readonly settledMs: number | null;
  /** The most of each node, in this part of the run. */
  readonly nodes: readonly Sample[];
  readonly violations: readonly Violation[];
}

export function summarize(
  seed: number,
  journal: Journal,
  checked: Checked,
  { answerMs, opens }: { answerMs: readonly number[]; opens: ReadonlyMap<string, number> },
  samples: readonly Sample[],
  violations: readonly Violation[],
): Summary {
  const entries = [...journal.entries.values()];
  const kinds = [...new Set(journal.kills.map(({ kind }) => kind))].sort();
  const names = [...new Set(samples.map(({ name }) => name))].sort();
  const most = (name: string, of: (sample: Sample) => number): number =>
    Math.max(...samples.filter((sample) => sample.name === name).map(of));
  return {
    seed,
    endedAt: new Date().toISOString(),
    kills: journal.kills.length,
    calls: entries.length,
    repeatedCalls: entries.filter(({ wasOpen }) => wasOpen === true).length,
    refused: entries.filter(({ answer }) => answer?.accepted === false).length,
    arrivals: { mails: journal.mails.length, texts: journal.texts.length, webhooks: journal.webhooks.length },
    repeats: { mails: checked.mailRepeats, webhooks: checked.webhookRepeats },
    recovery: Object.fromEntries(
      [
        ['all', journal.kills] as const,
        ...kinds.map((kind) => [kind, journal.kills.filter((kill) => kill.kind === kind)] as const),
      ].map(([kind, kills]) => [kind, timesOf(kills.map(({ recoveryMs }) => recoveryMs))]),
    ),
    answers: timesOf(answerMs),
    opens: Object.fromEntries(opens),
    settledMs: checked.settledMs ?? null,
    nodes: names.map((name) => ({
      name,
      mebibytes: most(name, ({ mebibytes }) => mebibytes),
      descriptors: most(name, ({ descriptors }) => descriptors),
    })),
    violations,
  };
}

const line = ({ count, p50, p99, max }: Times): string => `${count}, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;

/** The summary as text. */
export function summaryText(summary: Summary): string {
  const { arrivals, repeats, violations } = summary;
  return [
    `Seed ${summary.seed}: ${summary.kills} kills, ${summary.calls} writes, ${summary.repeatedCalls} of them repeated in this part, ${summary.refused} refused.`,
    `Arrived: ${arrivals.mails} mails (${repeats.mails} repeats), ${arrivals.texts} texts, ${arrivals.webhooks} webhooks (${repeats.webhooks} repeats).`,
    ...Object.entries(summary.recovery).map(([kind, times]) => `Recovery, ${kind}: ${line(times)}`),
    `Answers: ${line(summary.answers)}`,
    `Attempts without an outcome: ${Object.entries(summary.opens)
      .map(([why, count]) => `${count} ${why}`)
      .join(', ')}`,
    ...summary.nodes.map(
      ({ name, mebibytes, descriptors }) => `Node ${name}: up to ${mebibytes} MiB, ${descriptors} descriptors`,
    ),
    ...(violations.length === 0 ? ['Every promise was kept.'] : []),
    ...violations.flatMap(({ promise, count, rows }) => [
      `VIOLATED, ${count} times: ${promise} (seed ${summary.seed})`,
      ...rows.map((row) => `  ${row}`),
    ]),
  ].join('\n');
}
