import { ask } from '../terminal/confirm.js';
import { Cancelled, CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import type { CliConfig } from '../session/config.js';

const howToKeep = 'Pass --profile <name> to keep what is there, or --yes to replace it.';

/**
 * Asks for confirmation before profiles with keys or a session of another server are replaced: the keys may exist
 * nowhere else.
 * @param names of the profiles that are about to be stored
 * @param baseUrl their server
 * @throws Cancelled without a yes; CliError if nobody can be asked
 */
export async function confirmReplacing(
  { profiles }: CliConfig,
  names: readonly string[],
  baseUrl: string,
  { yes }: Pick<OwnOptions, 'yes'>,
): Promise<void> {
  const others = names.flatMap((name) => {
    const { baseUrl: server, key, publishableKey, session, user } = profiles[name] ?? {};
    const isUsed = (key ?? publishableKey ?? session ?? user) !== undefined;
    return isUsed && server !== undefined && server !== baseUrl ? [`The profile ${name} is of ${server}.`] : [];
  });
  if (others.length === 0 || yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new CliError(others.join(' '), howToKeep, exit.conflict);
  const answer = await ask(`${others.join('\n')}\nReplace ${others.length === 1 ? 'it' : 'them'}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Cancelled(`Cancelled: nothing was changed. ${howToKeep}`);
}
