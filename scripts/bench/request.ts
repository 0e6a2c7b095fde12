import { parseArgs } from 'node:util';
import type { Bench } from './bench.js';
import { betterAuthBenches } from './better-auth/index.js';
import { rateBenches } from './rates.js';
import { sizedBenches, type SizedBench } from './sized/index.js';

/** The arguments of `npm run bench`. */
export type BenchRequest =
  | {
      readonly kind: 'rates';
      readonly benches: readonly Bench[];
      /** Whether the round trips of each kind of call are counted too. */
      readonly roundTrips: boolean;
      readonly quick: boolean;
      readonly profile: string | undefined;
    }
  | {
      readonly kind: 'sized';
      readonly bench: SizedBench;
      readonly sizes: readonly number[];
      readonly profile: string | undefined;
    }
  /** The requested help, or what is wrong with the arguments. */
  | { readonly kind: 'answer'; readonly text: string; readonly exitCode: 0 | 1 };

const usage = (): string =>
  [
    'npm run bench -- [--quick] [--profile <folder>] [name …]',
    '',
    'Rates beside their floors, all of them without a name:',
    `  ${rateBenches.map(({ name }) => name).join(', ')}`,
    '  better-auth: sign-ins and session reads beside better-auth',
    '  round-trips: database round trips of each kind of call',
    '',
    'One of these, with its size:',
    ...[...sizedBenches].map(([name, { words, sizes }]) => `  ${name} [${sizes.usual.join(' ')}]: ${words}`),
    '',
    '--quick: five rounds of a second instead of seven of four, and smaller broadcasts',
    '--profile <folder>: CPU profiles of the server process',
  ].join('\n');

const answer = (text: string, exitCode: 0 | 1): BenchRequest => ({ kind: 'answer', text, exitCode });

/** Reads the arguments of `npm run bench`. Invalid arguments are answered with a message that names them. */
export function readRequest(args: readonly string[]): BenchRequest {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    return answer(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`, 1);
  }
  const { values, positionals } = parsed;
  const { quick, profile } = values;
  if (values.help) return answer(usage(), 0);
  const [first = '', ...others] = positionals;
  const bench = sizedBenches.get(first);
  if (bench) {
    const given = others.map(Number);
    const wrong = others.find((_, index) => !Number.isSafeInteger(given[index]) || (given[index] ?? 0) < 1);
    if (wrong !== undefined) return answer(`${first} wants sizes as whole numbers, not ${wrong}.\n\n${usage()}`, 1);
    const usual = (quick ? bench.sizes.quick : undefined) ?? bench.sizes.usual;
    return { kind: 'sized', bench, sizes: given.length > 0 ? given : usual, profile };
  }
  const all = positionals.length === 0;
  const known = new Set(['better-auth', 'round-trips', ...rateBenches.map(({ name }) => name)]);
  const unknown = positionals.filter((name) => !known.has(name));
  if (unknown.length > 0) return answer(`Unknown bench: ${unknown.join(', ')}.\n\n${usage()}`, 1);
  const benches = [
    ...rateBenches.filter(({ name }) => all || positionals.includes(name)),
    ...(positionals.includes('better-auth') ? betterAuthBenches : []),
  ];
  return { kind: 'rates', benches, roundTrips: all || positionals.includes('round-trips'), quick, profile };
}
