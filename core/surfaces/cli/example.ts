import { type CliOperation } from './command-catalogue.js';
import { flagOf, commandPath } from '../names.js';
import type { OwnOptions } from './options.js';

/** Quotes a text for a shell. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Text that begins with @ would be read as a file name. */
const argument = (value: unknown): string =>
  quoted(typeof value === 'string' ? value.replace(/^@/, '@@') : JSON.stringify(value));

/** The operation's example as a command line. */
export function exampleCommand({ name, input, example, destructive }: CliOperation): string {
  const flags = Object.entries(example).flatMap(([field, value]): string[] => {
    const flag = flagOf(field);
    if (flag === undefined) return [`--input.${field}=${argument(value)}`];
    if (value === true) return [`--${flag}`];
    const isMap = ['map', 'object'].includes(input[field]?.type ?? '') && typeof value === 'object' && value !== null;
    const parts = isMap ? Object.entries(value) : [];
    if (parts.length > 0 && parts.every(([key, each]) => typeof each === 'string' && /^[\w-]+$/.test(key)))
      return parts.map(([key, each]) => `--${flag}.${key}=${argument(each)}`);
    const isTexts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
    return isTexts ? value.map((each: unknown) => `--${flag} ${argument(each)}`) : [`--${flag} ${argument(value)}`];
  });
  return ['svc', ...commandPath(name), ...flags, ...(destructive ? ['--yes'] : [])].join(' ');
}

/** The command of a call that follows on another one, for the server and the profile of that one. */
export const followUpCommand = (
  operation: CliOperation,
  input: Readonly<Record<string, unknown>>,
  { profile, baseUrl }: Pick<OwnOptions, 'profile' | 'baseUrl'>,
  switches: readonly string[] = [],
): string =>
  [
    exampleCommand({ ...operation, example: input }),
    ...switches,
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${baseUrl}`]),
  ].join(' ');
