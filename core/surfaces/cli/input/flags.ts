import { Option, type Command } from 'commander';
import { finderOf, namesOf, type CliCatalogue, type CliField, type CliOperation } from '../command-catalogue.js';
import { flagOf, kebab } from '../../names.js';

const placeholders = {
  text: 'text',
  integer: 'number',
  number: 'number',
  list: 'value',
  object: 'json',
  map: 'json',
  any: 'value',
};

/** The placeholder for a flag's value in help texts. */
function placeholderOf(field: CliField): string {
  const { type, items, format } = field.type === 'list' && field.items ? field.items : field;
  if (format !== undefined) return format === 'date-time' ? 'time' : format === 'uri' ? 'url' : format;
  if (type === 'boolean') return 'true|false';
  if (type === 'list' && items) return 'json';
  return placeholders[type];
}

/** The help text of a flag: the field's description, then notes on how to write the value. */
function helpOf(name: string, field: CliField, catalogue: CliCatalogue): string {
  const inner = Object.keys(field.fields ?? {}).map(kebab);
  const choices = field.choices ?? field.items?.choices;
  const flag = flagOf(name) ?? kebab(name);
  const found = field.format === 'uuid' ? finderOf(name, catalogue)?.namedItems : undefined;
  const notes = [
    ...(field.required ? ['required'] : []),
    ...(found === undefined ? [] : [namesOf(found, 'its')]),
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(field.type === 'list'
      ? [field.items?.type === 'text' ? 'repeatable' : 'repeatable, a JSON list, or JSON lines']
      : []),
    ...(field.type === 'object' && inner.length > 0
      ? [
          `JSON, or one by one: ${inner
            .slice(0, 8)
            .map((each) => `--${flag}.${each}=…`)
            .join(' ')}`,
        ]
      : []),
    ...(field.type === 'map' ? [`JSON, or one by one: --${flag}.<name>=…`] : []),
    ...(field.nullable ? ['null to clear'] : []),
    ...(field.default === undefined ? [] : [`default: ${JSON.stringify(field.default)}`]),
  ];
  return [field.description ?? '', notes.length > 0 ? `(${notes.join('; ')})` : '']
    .filter((each) => each !== '')
    .join(' ');
}

/** Collects the values of a repeatable flag. */
export const collect = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? before.filter((each): each is string => typeof each === 'string') : []),
  text,
];

/**
 * Adds a flag to the command for each field of the operation's input.
 * @returns a function that reads the flags' texts from the parsed options, by field
 */
export function addFlags(
  command: Command,
  { input }: CliOperation,
  catalogue: CliCatalogue,
): (options: Readonly<Record<string, unknown>>) => ReadonlyMap<string, readonly string[]> {
  const flags = Object.entries(input).flatMap(([name, field]): [string, Option][] => {
    const flag = flagOf(name);
    if (flag === undefined) return [];
    const argument = field.type === 'boolean' ? '[true|false]' : `<${placeholderOf(field)}>`;
    const option = new Option(`--${flag} ${argument}`, helpOf(name, field, catalogue)).argParser(collect);
    // `--flag` without a value means true.
    if (field.type === 'boolean') option.preset('true');
    command.addOption(option);
    return [[name, option]];
  });
  return (options) =>
    new Map(
      flags.flatMap(([name, option]): [string, string[]][] => {
        const found = options[option.attributeName()];
        return Array.isArray(found) ? [[name, found.map(String)]] : [];
      }),
    );
}

/** Fields without their own flag. */
export const flaglessFields = ({ input }: CliOperation): string[] =>
  Object.keys(input).filter((name) => flagOf(name) === undefined);

/** Whether the flag takes no value. The word after any other flag is its value. */
export function isSwitch(flag: string, operation: CliOperation | undefined): boolean {
  const switches = [
    'json',
    'no-json',
    'yes',
    'verbose',
    'help',
    'version',
    'all',
    'wait',
    'watch',
    'live',
    'publishable',
    'no-browser',
  ];
  const field = Object.entries(operation?.input ?? {}).find(([name]) => flagOf(name) === flag)?.[1];
  return switches.includes(flag) || field?.type === 'boolean';
}
