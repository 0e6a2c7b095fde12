import { cpus } from 'node:os';
import type { Bench, Contest, Round } from './bench.js';
import { inFlight } from './load.js';
import type { RoundTrips } from './per-call.js';
import { poolSize, type StageFacts } from './stage.js';

export interface Measured {
  bench: Bench;
  contest: Contest;
  /** By round: rounds with the same index ran directly one after the other. */
  svc: Round[];
  floor: Round[];
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

export function median(values: readonly number[]): number {
  const all = sorted(values);
  const middle = all.length >> 1;
  const upper = all[middle] ?? 0;
  return all.length % 2 === 1 ? upper : ((all[middle - 1] ?? 0) + upper) / 2;
}

/**
 * The rate of svc divided by that of the floor, for each pair of rounds, so that changes of the machine's load cancel
 * out.
 */
const ratios = ({ svc, floor }: Measured): number[] =>
  svc.map((round, index) => round.perSecond / (floor[index]?.perSecond ?? Number.NaN));

const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');
const whole = (value: number): string => Math.round(value).toLocaleString('en');

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function sideRow(words: string, rounds: readonly Round[]): string[] {
  const rates = sorted(rounds.map((round) => round.perSecond));
  const range = `${whole(rates[0] ?? 0)}–${whole(rates.at(-1) ?? 0)}`;
  const of = (name: 'p50' | 'p99'): string => median(rounds.map((round) => round[name])).toFixed(1);
  const cpu = rounds.flatMap(({ count, cpuMs }) => (cpuMs === undefined ? [] : [cpuMs / count]));
  return [words, whole(median(rates)), range, of('p50'), of('p99'), cpu.length > 0 ? median(cpu).toFixed(2) : '?'];
}

/** The report of a run, as text. */
export function report(all: readonly Measured[], facts: StageFacts, loadedMiB: number): string {
  const rounds = all[0]?.svc.length ?? 0;
  const limits = [
    { words: 'start until ready, database running', value: facts.startMs / 1000, limit: 3, unit: 's' },
    { words: 'first start until ready, with migrations', value: facts.firstStartMs / 1000, limit: 3, unit: 's' },
    { words: 'memory of the API process, idle', value: facts.idleMiB, limit: 115, unit: 'MiB' },
    { words: 'memory of the API process, loaded', value: loadedMiB, limit: 220, unit: 'MiB' },
  ];
  return [
    `Node ${process.version}, ${facts.database}, ${cpus().length} cores shared by client, server and database.`,
    `${inFlight} in flight, ${poolSize} database connections, medians of ${rounds} alternating rounds. Keys of one live environment, each at a third of its rate limit.`,
    '',
    ...table([
      ['', 'per second', 'min–max', 'p50 ms', 'p99 ms', 'CPU ms per call'],
      ...all.flatMap((each) => [
        sideRow(`${each.bench.name}: ${each.contest.svc.words}`, each.svc),
        sideRow(`${each.bench.name} floor: ${each.contest.floor.words}`, each.floor),
      ]),
    ]),
    '',
    ...table([
      ['svc ÷ floor', 'median', 'min–max', 'target', ''],
      ...all.map((each) => {
        const found = sorted(ratios(each));
        const range = `${(found[0] ?? 0).toFixed(2)}–${(found.at(-1) ?? 0).toFixed(2)}`;
        const { name, target } = each.bench;
        return [name, median(found).toFixed(2), range, `≥ ${target}`, verdict(median(found) >= target)];
      }),
    ]),
    '',
    ...table(
      limits.map(({ words, value, limit, unit }) => [
        words,
        `${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`,
        `< ${limit} ${unit}`,
        verdict(value < limit),
      ]),
    ),
    '',
  ].join('\n');
}

/** The report of database round trips per call and per idle second, with a column for each role. */
export function reportRoundTrips(all: readonly RoundTrips[]): string {
  const names = [...(all[0]?.perCall.keys() ?? [])];
  return [
    'Database round trips per call, one caller at a time, shared work (key-limit reservations) included.',
    '',
    ...table([
      ['', ...all.map(({ role }) => (role === 'api' ? 'API process' : 'API and workers'))],
      ...names.map((name) => [name, ...all.map(({ perCall }) => (perCall.get(name) ?? Number.NaN).toFixed(2))]),
      ['idle, per second', ...all.map(({ idle }) => idle.toFixed(1))],
    ]),
    '',
  ].join('\n');
}
