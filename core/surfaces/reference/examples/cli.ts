import { flagOf, commandPath } from '../../names.js';
import { shellWord } from './shell.js';
import type { ShownCall } from './curl.js';

/** Writes texts as they are and other values as JSON, which every flag accepts. */
function optionOf([field, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const flag = flagOf(field);
  // The command line uses this flag name itself.
  if (flag === undefined) return `--input.${field}=${shellWord(text)}`;
  // A value that begins with a hyphen would be read as the next flag.
  return `--${flag}${text.startsWith('-') ? '=' : ' '}${shellWord(text)}`;
}

/** A call as a command: `svc email send --to ada@example.com`. */
export function cliExample({ name, impact, example }: ShownCall): string {
  const given = Object.entries(example.input ?? {}).filter(([, value]) => value !== undefined);
  // Destructive commands ask for confirmation otherwise.
  const words = [...given.map(optionOf), ...(impact.destructive ? ['--yes'] : [])];
  const command = ['svc', ...commandPath(name)].join(' ');
  const line = [command, ...words].join(' ');
  return line.length <= 56 ? line : [command, ...words].join(' \\\n  ');
}
