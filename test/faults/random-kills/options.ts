import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** The arguments of `npm run faults`. */
interface FaultsRequest {
  readonly kills: number;
  readonly seed: number;
  readonly minutes: number | undefined;
  /** The number of minutes of a run without kills. */
  readonly soak: number | undefined;
  /** The folder of an earlier run that is to be continued. */
  readonly resume: string | undefined;
}

export const usage = [
  'npm run faults -- --kills <number> [--seed <number>] [--minutes <number>] [--resume <folder>]',
  'npm run faults -- --soak <minutes> [--seed <number>] [--resume <folder>]',
  '',
  'Kills nodes and the database at random while clients use the deployment, and then checks the promises of',
  'docs/reliability.md. With --soak, nothing is killed: memory, descriptors, answers and the age of waiting work are',
  'measured each minute, and drawn at the end. It runs the build in dist/: run npm run build first.',
  '',
  '--seed <number>: repeats the kills of a run',
  '--minutes <number>: begins no kill after this time',
  '--resume <folder>: continues the run of this folder, and checks all of its parts; --kills 0 only checks',
].join('\n');

/** Reads the arguments. @returns what is wrong with them, or what to do; undefined to show the usage */
export function readArguments(args: readonly string[]): FaultsRequest | string | undefined {
  let values;
  try {
    values = parseArgs({
      args: [...args],
      options: {
        kills: { type: 'string' },
        seed: { type: 'string' },
        minutes: { type: 'string' },
        soak: { type: 'string' },
        resume: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (values.help) return undefined;
  const soak = values.soak === undefined ? undefined : Number(values.soak);
  if (soak !== undefined && !(Number.isSafeInteger(soak) && soak > 0)) return '--soak wants whole minutes: --soak 60.';
  const kills = Number(values.kills ?? (soak && 0));
  if (soak !== undefined && kills !== 0) return '--soak runs without kills.';
  if (!Number.isSafeInteger(kills) || kills < 0) return '--kills wants a whole number: --kills 100.';
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isSafeInteger(seed) || seed < 0) return '--seed wants a whole number: --seed 7.';
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) return '--minutes wants a number: --minutes 8.';
  return { kills, seed, minutes, soak, resume: values.resume };
}
