import { isId } from '#core/runtime/id-form.js';
import { readConfig, updateConfig, withProfile } from '../session/config.js';
import { connectionOf, targetFor, type Connection } from '../session/connection.js';
import { CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { wantsJson } from '../output.js';
import { oneLine } from '../terminal/sanitize.js';
import {
  chosenEnvironment,
  environmentChoices,
  unlistedEnvironment,
  type EnvironmentChoice,
} from '../session/dashboard.js';
import { table } from '../terminal/table.js';

/** The environments that the signed-in person may act in. @throws CliError if nobody is signed in */
async function choicesOf(options: OwnOptions): Promise<{ connection: Connection; choices: EnvironmentChoice[] }> {
  const connection = await connectionOf(options);
  if (!connection.session)
    throw new CliError(
      'Nobody is signed in: a key acts in its own environment.',
      'Sign in with `svc login`, or switch between the profiles of keys with `svc profiles --use <name>`.',
      exit.access,
    );
  return { connection, choices: await environmentChoices(targetFor(connection, 'secret')) };
}

/** Lists the environments that the signed-in person may act in. */
export async function listEnvironments(options: OwnOptions): Promise<void> {
  const { connection, choices } = await choicesOf(options);
  const current = connection.session?.environment?.id;
  const rows = choices.map(({ id, kind, project, account }) => ({
    current: id === current,
    account,
    project,
    kind,
    environmentId: id,
  }));
  const shown = wantsJson(options.json)
    ? JSON.stringify(rows, null, 2)
    : rows.length === 0
      ? 'You are not a member of any account: ask an owner to invite you.'
      : table(rows, ['current', 'account', 'project', 'kind', 'environmentId'], undefined);
  process.stdout.write(`${shown}\n`);
}

/** Makes calls act in the environment that the words name. */
export async function useEnvironment(options: OwnOptions, words: readonly string[]): Promise<void> {
  const { connection, choices } = await choicesOf(options);
  const [word = ''] = words;
  const isUnlisted = isId(word) && !choices.some(({ id }) => id === word.toLowerCase());
  const unlisted = isUnlisted
    ? await unlistedEnvironment(targetFor(connection, 'secret'), word.toLowerCase())
    : undefined;
  const { id, kind, name } = unlisted ?? chosenEnvironment(choices, words);
  await updateConfig((config) =>
    withProfile(config, connection.profile, (profile) =>
      profile.session ? { ...profile, session: { ...profile.session, environment: { id, kind, name } } } : profile,
    ),
  );
  const other = (await readConfig()).current === connection.profile ? '' : ` with --profile ${connection.profile}`;
  process.stderr.write(`Calls${other} act in ${oneLine(name)}, ${kind} (${id}).\n`);
}
