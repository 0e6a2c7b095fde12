import { parseArgs } from 'node:util';
import { counted } from '#config/counted.js';
import { decideOutgoing, outgoingKinds, readOutgoing, type OutgoingLine } from '#core/platform/after-restore.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Decision, OutgoingKind } from '#core/kernel/outgoing/kind.js';
import type { Services } from '#core/kernel/services.js';
import { directory } from '#plugins/account/ports.js';
import { runScript, whatItNeeds, type Command } from './run-command.js';

const usage = `Shows what would go out of a restored database once workers run, by environment: mail, texts, broadcasts, steps of automations, webhook
deliveries, invoices and charges. Writes nothing:

  npm run after-restore

Holds all of it, before workers start. What is accepted afterwards goes out as usual:

  npm run after-restore -- --hold

Then, for what had not gone out before the backup was restored, and for what had:

  npm run after-restore -- --release
  npm run after-restore -- --cancel

--hold, --release and --cancel take --kind mail, --environment <id>, and --due-from and --due-before with a time (2026-11-26T09:00:00Z) for
what is planned from then on, or before. They may be repeated, also after they were killed: they continue where they were.

${whatItNeeds}`;

/** A time of an option. @throws TypeError */
function timeOf(name: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  const at = new Date(given);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(given) || Number.isNaN(at.getTime()))
    throw new TypeError(`--${name} is a time with its offset, such as 2026-11-26T09:00:00Z.`);
  return at;
}

function wanted(): Command | undefined {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      hold: flag,
      release: flag,
      cancel: flag,
      kind: text,
      environment: text,
      'due-from': text,
      'due-before': text,
    },
  });
  const chosen = (['hold', 'release', 'cancel'] as const).filter((each) => values[each]);
  if (positionals.length > 0 || chosen.length > 1) return undefined;
  const [decision] = chosen;
  const environmentId = values.environment?.toLowerCase();
  if (environmentId !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(environmentId))
    throw new TypeError('--environment is the id of an environment, which this command shows.');
  const due = {
    from: timeOf('due-from', values['due-from']),
    before: timeOf('due-before', values['due-before']),
  };
  return async (services, plugins) => {
    const all = outgoingKinds(plugins);
    const kinds = values.kind === undefined ? all : all.filter(({ name }) => name === values.kind);
    if (kinds.length === 0)
      throw new Error(
        `The kind ${values.kind ?? ''} is unknown. The kinds are: ${all.map(({ name }) => name).join(', ')}.`,
      );
    const print = (line: string): boolean => process.stderr.write(`${line}\n`);
    if (!decision) return [await shown(services, all), whatNext].join('\n\n');
    const decided = decision === 'cancel' ? cancellable(kinds, values.kind) : kinds;
    const total = await decideOutgoing(services, plugins, { decision, kinds: decided, environmentId, due }, print);
    const left = kinds.filter((kind) => !decided.includes(kind));
    return [
      await shown(services, all),
      `${did[decision]} ${counted(total, 'item')}. ${then[decision]}`,
      ...(await notCancelled(services, left)),
    ].join('\n\n');
  };
}

const did: Readonly<Record<Decision, string>> = { hold: 'Held', release: 'Released', cancel: 'Cancelled' };
const then: Readonly<Record<Decision, string>> = {
  hold: 'Nothing that is held goes out, whatever runs, until it is released: npm run after-restore -- --release, or --cancel.',
  release: 'Running workers send what is due within seconds.',
  cancel: 'Messages, broadcasts and runs have the status cancelled, deliveries the status dead: these can be replayed.',
};
const whatNext = 'To hold what waits: npm run after-restore -- --hold';

/** @throws Error if the only kind cannot be cancelled */
function cancellable(kinds: readonly OutgoingKind[], only: string | undefined): OutgoingKind[] {
  const [first] = kinds;
  if (only !== undefined && first?.insteadOfCancel !== undefined)
    throw new Error(`This command does not cancel ${only}. ${first.insteadOfCancel}`);
  return kinds.filter(({ insteadOfCancel }) => insteadOfCancel === undefined);
}

/** What to do about work that is held and was not cancelled. */
async function notCancelled(services: Services, kinds: readonly OutgoingKind[]): Promise<string[]> {
  const lines = await readOutgoing(services, kinds);
  return kinds
    .filter(({ name }) => lines.some(({ kind, held }) => kind === name && held > 0))
    .map(({ name, insteadOfCancel }) => `Still held: ${name}. ${insteadOfCancel ?? ''}`);
}

const columns = ['environment', 'kind', 'waits', 'held', 'due now', 'oldest (UTC)', 'newest (UTC)'] as const;
const minute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** The table of what waits and what is held. */
async function shown(services: Services, kinds: readonly OutgoingKind[]): Promise<string> {
  const lines = await readOutgoing(services, kinds);
  if (lines.length === 0) return 'Nothing waits in this database that would go out.';
  const rows = lines.map(({ environmentId, kind, waiting, held, due, oldest, newest }: OutgoingLine) =>
    [environmentId, kind, waiting, held, due, minute(oldest), minute(newest)].map(String),
  );
  const widths = columns.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const names = await namesOf(services, [...new Set(lines.map(({ environmentId }) => environmentId))]);
  const byDue = kinds.filter((kind) => kind.byDue && lines.some((each) => each.kind === kind.name));
  return [
    ...names,
    '',
    line(columns),
    ...rows.map(line),
    ...(byDue.length === 0
      ? []
      : ['', `The times of ${byDue.map(({ name }) => name).join(' and ')} are those at which they are due.`]),
  ].join('\n');
}

/** A line for each environment: its id, and the account and project that it belongs to. */
const namesOf = ({ read }: Services, ids: readonly string[]): Promise<string[]> =>
  read('npm run after-restore', async ({ db, use }) => {
    const names: string[] = [];
    for (const id of ids) {
      const environment = await findEnvironment(db, id);
      const of = environment && (await use(directory).describe(environment));
      names.push(of ? `${id}  ${of.account.name} / ${of.project.name} / ${of.environment.kind}` : id);
    }
    return names;
  });

await runScript(usage, wanted);
