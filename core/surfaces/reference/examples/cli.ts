import type { Operation } from '#core/kernel/operation.js';
import { flagOf, commandPath } from '#core/surfaces/cli/catalogue.js';
import { shellWord } from './shell.js';

/** Texts and numbers as they are, everything else as JSON, which every flag takes. */
function optionOf([field, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const flag = flagOf(field);
  // A field whose flag means something else to every command is a part of the input.
  if (flag === undefined) return `--input.${field}=${shellWord(text)}`;
  // A word that begins with a hyphen would be taken for the next flag.
  return `--${flag}${text.startsWith('-') ? '=' : ' '}${shellWord(text)}`;
}

/** An operation's example as a command: `svc email send --to ada@example.com`. */
export function cliExample({ name, impact, example }: Operation): string {
  const given = Object.entries(example.input ?? {}).filter(([, value]) => value !== undefined);
  // What takes something away asks first; a line to paste does not wait.
  const words = [...given.map(optionOf), ...(impact.destructive ? ['--yes'] : [])];
  const command = ['svc', ...commandPath(name)].join(' ');
  const line = [command, ...words].join(' ');
  return line.length <= 56 ? line : [command, ...words].join(' \\\n  ');
}
