import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { sampleOf, type Sample } from './samples.js';
import { timesOf, type Times } from './times.js';

/** What was measured in one minute of a run without kills. */
export interface Minute {
  readonly minute: number;
  readonly nodes: readonly Sample[];
  /** From the first attempt of a call to its answer, of the calls that were answered in this minute. */
  readonly answers: Times;
  /** How long the work that waits longest has been due, in seconds. */
  readonly oldestDue: number;
}

/** Waits for a minute and measures it. @param answerMs the times of all answers, to which clients add */
export async function observeMinute(
  deployment: Deployment,
  minute: number,
  answerMs: readonly number[],
): Promise<Minute> {
  const before = answerMs.length;
  await pause(60_000);
  const nodes = (await Promise.all(deployment.members.map(sampleOf))).flatMap((sample) => sample ?? []);
  return { minute, nodes, answers: timesOf(answerMs.slice(before)), oldestDue: await oldestDue(deployment) };
}

async function oldestDue(deployment: Deployment): Promise<number> {
  const [address = ''] = deployment.addresses();
  const text = await (await fetch(`${address}/metrics`)).text();
  const ages = [...text.matchAll(/^svc_work_oldest_due_seconds\{[^}]*\} ([\d.e+-]+)$/gm)].map(([, age]) => Number(age));
  return Math.max(0, ...ages);
}

/** A minute as a line for people. */
export const minuteText = ({ minute, nodes, answers, oldestDue: due }: Minute): string =>
  `minute ${minute}: ${answers.count} answers, p50 ${answers.p50} ms, p99 ${answers.p99} ms; oldest work ${due.toFixed(1)} s; ` +
  nodes.map(({ name, mebibytes, descriptors }) => `${name} ${mebibytes} MiB ${descriptors} fds`).join(', ');

/** The most points of a line: more would not be told apart. */
const points = 48;

/** The run as charts for a document (Mermaid). Each point is the most of some minutes. */
export function soakCharts(minutes: readonly Minute[]): string {
  const size = Math.max(1, Math.ceil(minutes.length / points));
  const parts = Array.from({ length: Math.ceil(minutes.length / size) }, (_, index) =>
    minutes.slice(index * size, (index + 1) * size),
  );
  const names = [...new Set(minutes.flatMap(({ nodes }) => nodes.map(({ name }) => name)))].sort();
  const lineOf = (valueOf: (minute: Minute) => number): number[] => parts.map((part) => Math.max(...part.map(valueOf)));
  const ofNode = (name: string, valueOf: (sample: Sample) => number): number[] =>
    lineOf(({ nodes }) => valueOf(nodes.find((node) => node.name === name) ?? { name, mebibytes: 0, descriptors: 0 }));
  const chart = (title: string, axis: string, lines: readonly (readonly number[])[]): string =>
    [
      '```mermaid',
      'xychart-beta',
      `    title "${title}"`,
      `    x-axis "minutes" 0 --> ${minutes.length}`,
      `    y-axis "${axis}" 0 --> ${Math.max(1, Math.ceil(1.1 * Math.max(...lines.flat())))}`,
      ...lines.map((values) => `    line [${values.join(', ')}]`),
      '```',
    ].join('\n');
  const ofNodes = names.join(', ');
  return [
    chart(
      `Memory of ${ofNodes}`,
      'MiB',
      names.map((name) => ofNode(name, ({ mebibytes }) => mebibytes)),
    ),
    chart(
      `Descriptors of ${ofNodes}`,
      'open',
      names.map((name) => ofNode(name, ({ descriptors }) => descriptors)),
    ),
    chart('Answers, p99 of a minute', 'ms', [lineOf(({ answers }) => answers.p99)]),
    chart('Work that waits longest', 's', [lineOf(({ oldestDue: due }) => Math.round(due * 10) / 10)]),
  ].join('\n\n');
}
