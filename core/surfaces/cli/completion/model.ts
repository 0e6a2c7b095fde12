import type { Command, Option } from 'commander';
import { followUpOf, isWatchable, takesFiles, takesImages, type CliCatalogue } from '../command-catalogue.js';
import { flagOf, commandPath } from '../../names.js';

export interface Choice {
  readonly word: string;
  readonly summary: string;
}

/** What can follow a command. */
export interface Place {
  /** `email broadcast`; empty for `svc` itself. */
  readonly path: string;
  readonly commands: readonly Choice[];
  readonly flags: readonly Choice[];
}

export interface CompletionModel {
  readonly places: readonly Place[];
  readonly ownFlags: readonly Choice[];
  /** Flags with a fixed set of values, by command and flag: `account member invite --role`. */
  readonly values: readonly { readonly path: string; readonly flag: string; readonly choices: readonly string[] }[];
}

/** A colon does not end a sentence: more text follows it. */
const firstSentence = (text: string): string => text.split(/(?<=[.;])\s/)[0]?.replace(/[.;:]$/, '') ?? '';

const summaryOf = (command: Command): string => firstSentence(command.summary() || command.description());

const flagChoice = ({ long, description }: Option): Choice => ({
  word: long ?? '',
  summary: firstSentence(description),
});

/** A command and those below it, each with its path. */
const withSubcommands = (command: Command, path = command.name()): [string, Command][] => [
  [path, command],
  ...command.commands.flatMap((each) => withSubcommands(each, `${path} ${each.name()}`)),
];

/** Collects everything that can be completed: the operations of the catalogue and the built-in commands. */
export function completionModel(program: Command, catalogue: CliCatalogue): CompletionModel {
  const { groups, operations } = catalogue;
  const places = new Map<string, { commands: Map<string, string>; flags: Choice[] }>();
  const at = (path: string): { commands: Map<string, string>; flags: Choice[] } => {
    const found = places.get(path) ?? { commands: new Map<string, string>(), flags: [] };
    places.set(path, found);
    return found;
  };
  for (const command of program.commands) at('').commands.set(command.name(), summaryOf(command));
  const builtins = program.commands.filter((command) => groups[command.name()] === undefined);
  for (const [path, command] of builtins.flatMap((builtin) => withSubcommands(builtin))) {
    const place = at(path);
    for (const each of command.commands) place.commands.set(each.name(), summaryOf(each));
    place.flags.push(...command.options.map(flagChoice));
  }
  at('completion').commands.set('bash', '').set('zsh', '').set('fish', '');
  for (const operation of operations) {
    const { name, summary, input, read, pages } = operation;
    const parts = name.split('.');
    const words = commandPath(name);
    words.forEach((word, depth) => {
      const path = words.slice(0, depth).join(' ');
      const isLeaf = depth === words.length - 1;
      const { commands } = at(path);
      if (isLeaf || !commands.has(word))
        commands.set(word, firstSentence(isLeaf ? summary : (groups[parts.slice(0, depth + 1).join('.')] ?? '')));
    });
    const { flags } = at(words.join(' '));
    for (const [field, { description }] of Object.entries(input)) {
      const flag = flagOf(field);
      if (flag !== undefined) flags.push({ word: `--${flag}`, summary: firstSentence(description ?? '') });
    }
    flags.push({ word: '--input', summary: 'Read the input from a JSON file, - for standard input' });
    if (!read) flags.push({ word: '--idempotency-key', summary: 'Makes retries safe' });
    if (pages) flags.push({ word: '--all', summary: 'Fetch every page' });
    if (takesFiles(operation)) flags.push({ word: '--attach', summary: 'Attach a file' });
    if (takesImages(operation)) flags.push({ word: '--image', summary: 'Store a picture' });
    if (followUpOf(operation, catalogue)?.progress) flags.push({ word: '--wait', summary: 'Wait for the outcome' });
    if (isWatchable(operation)) flags.push({ word: '--watch', summary: 'Print it again when it changes' });
  }
  return {
    places: [...places].map(([path, { commands, flags }]) => ({
      path,
      commands: [...commands].map(([word, summary]) => ({ word, summary })),
      flags,
    })),
    ownFlags: [...program.options.map(flagChoice), { word: '--help', summary: 'Show help' }],
    values: [
      ...builtins.flatMap((builtin) =>
        withSubcommands(builtin).flatMap(([path, { options }]) =>
          options.flatMap(({ long, argChoices }) =>
            long && argChoices ? [{ path, flag: long, choices: argChoices }] : [],
          ),
        ),
      ),
      ...operations.flatMap(({ name, input }) =>
        Object.entries(input).flatMap(([field, { choices, items, type }]) => {
          const words = choices ?? items?.choices ?? (type === 'boolean' ? ['true', 'false'] : undefined);
          const flag = flagOf(field);
          return words && flag !== undefined
            ? [{ path: commandPath(name).join(' '), flag: `--${flag}`, choices: words }]
            : [];
        }),
      ),
    ],
  };
}
