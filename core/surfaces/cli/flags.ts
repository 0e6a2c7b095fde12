import { Option, type Command } from 'commander';
import { flagOf, kebab, type CliField, type CliOperation } from './catalogue.js';

const placeholders = {
  text: 'text',
  integer: 'number',
  number: 'number',
  list: 'value',
  object: 'json',
  map: 'json',
  any: 'value',
};

/** What a flag takes, in a word. */
function placeholderOf(field: CliField): string {
  const { type, items, format } = field.type === 'list' && field.items ? field.items : field;
  if (format !== undefined) return format === 'date-time' ? 'time' : format === 'uri' ? 'url' : format;
  if (type === 'boolean') return 'true|false';
  if (type === 'list' && items) return 'json';
  return placeholders[type];
}

/** What a flag means: the field's own words, and how to write it. */
function wordsOf(name: string, field: CliField): string {
  const inner = Object.keys(field.fields ?? {}).map(kebab);
  const choices = field.choices ?? field.items?.choices;
  const flag = flagOf(name) ?? kebab(name);
  const notes = [
    ...(field.required ? ['required'] : []),
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(field.type === 'list' ? ['repeat it for more'] : []),
    ...(field.type === 'object' && inner.length > 0
      ? [
          `JSON or in parts: ${inner
            .slice(0, 8)
            .map((each) => `--${flag}.${each}=…`)
            .join(' ')}`,
        ]
      : []),
    ...(field.type === 'map' ? [`JSON or in parts: --${flag}.<name>=…`] : []),
    ...(field.nullable ? ['null clears it'] : []),
    ...(field.fallback === undefined ? [] : [`default ${JSON.stringify(field.fallback)}`]),
  ];
  return [field.words ?? '', notes.length > 0 ? `(${notes.join('; ')})` : ''].filter((each) => each !== '').join(' ');
}

const gathered = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? before.filter((each): each is string => typeof each === 'string') : []),
  text,
];

/**
 * Gives a command the flags of its operation's input.
 * @returns a reader of what they were given, by field
 */
export function addFlags(
  command: Command,
  { input }: CliOperation,
): (options: Readonly<Record<string, unknown>>) => ReadonlyMap<string, readonly string[]> {
  const flags = Object.entries(input).flatMap(([name, field]): [string, Option][] => {
    const flag = flagOf(name);
    if (flag === undefined) return [];
    const argument = field.type === 'boolean' ? '[true|false]' : `<${placeholderOf(field)}>`;
    const option = new Option(`--${flag} ${argument}`, wordsOf(name, field)).argParser(gathered);
    // The bare flag says yes.
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

/** Fields without a flag of their own, for the help. */
export const flaglessFields = ({ input }: CliOperation): string[] =>
  Object.keys(input).filter((name) => flagOf(name) === undefined);

/** Does the flag stand alone? What follows any other flag is its value. */
export function isSwitch(flag: string, operation: CliOperation | undefined): boolean {
  const switches = ['json', 'no-json', 'yes', 'verbose', 'help', 'version', 'all', 'live', 'publishable', 'no-browser'];
  const field = Object.entries(operation?.input ?? {}).find(([name]) => flagOf(name) === flag)?.[1];
  return switches.includes(flag) || field?.type === 'boolean';
}
