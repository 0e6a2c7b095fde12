import { flagOf, wordsOf, type CliOperation } from './catalogue.js';

/** A text as a shell takes it. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A text that begins with @ would be a file’s name. */
const written = (value: unknown): string =>
  quoted(typeof value === 'string' ? value.replace(/^@/, '@@') : JSON.stringify(value));

/** The operation's own example as a command. */
export function exampleCommand({ name, input, example, destructive }: CliOperation): string {
  const flags = Object.entries(example).flatMap(([field, value]): string[] => {
    const flag = flagOf(field);
    if (flag === undefined) return [`--input.${field}=${written(value)}`];
    if (value === true) return [`--${flag}`];
    const isMap = ['map', 'object'].includes(input[field]?.type ?? '') && typeof value === 'object' && value !== null;
    const parts = isMap ? Object.entries(value) : [];
    if (parts.length > 0 && parts.every(([key, each]) => typeof each === 'string' && /^[\w-]+$/.test(key)))
      return parts.map(([key, each]) => `--${flag}.${key}=${written(each)}`);
    const isTexts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
    return isTexts ? value.map((each: unknown) => `--${flag} ${written(each)}`) : [`--${flag} ${written(value)}`];
  });
  return ['svc', ...wordsOf(name), ...flags, ...(destructive ? ['--yes'] : [])].join(' ');
}
