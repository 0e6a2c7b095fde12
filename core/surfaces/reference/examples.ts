import { flagOf, commandPath, toolName } from '../names.js';

/** The variable with the secret key; the command line reads the same ones. */
export const keyVariable = 'SVC_API_KEY';
export const publishableVariable = 'SVC_PUBLISHABLE_KEY';

/** A call that is shown as code: an operation's example, or what a form of the console sends. */
export interface ShownCall {
  readonly name: string;
  readonly access: string;
  readonly impact: { readonly destructive: boolean };
  readonly example: { readonly input: unknown };
}

/** A call as a curl command. */
export function curlExample({ name, access, example }: ShownCall, baseUrl: string): string {
  const variable = access === 'publishable' || access === 'user' ? publishableVariable : keyVariable;
  return [
    `curl ${shellWord(`${baseUrl}/${name.replaceAll('.', '/')}`)}`,
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(jsonText(example.input))}`,
  ].join(' \\\n  ');
}

/** A call as a call of the SDK: `await svc.email.send({ … })`. */
export function sdkExample({ name, example }: ShownCall): string {
  const input = typescriptText(example.input);
  return `await svc.${name}(${input === '{}' ? '' : input});`;
}

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

/** A call as a call of its MCP tool. */
export const mcpExample = ({ name, example }: ShownCall): string =>
  jsonText({ name: toolName(name), arguments: example.input });

/** How a language writes keys and texts; brackets are the same in JSON and TypeScript. */
interface Style {
  key(name: string): string;
  text(value: string): string;
  /** Space inside the braces of an object on one line. */
  padding: string;
}

/** Longer objects and lists are broken into lines: examples have a narrow column. */
const lineLength = 56;

const json: Style = { key: (name) => JSON.stringify(name), text: (value) => JSON.stringify(value), padding: ' ' };

const typescript: Style = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  padding: ' ',
};

/** A TypeScript string: in single quotes, or in double quotes if it contains single ones. */
function singleQuoted(value: string): string {
  const double = JSON.stringify(value);
  if (value.includes("'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** A value as JSON, broken into lines only if it is long. */
export const jsonText = (value: unknown): string => format(plain(value), json, 0, 0);

/** A value as a TypeScript literal. */
export const typescriptText = (value: unknown): string => format(plain(value), typescript, 0, 0);

/** The value without undefined fields. */
const plain = (value: unknown): unknown => {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? null));
  return copy;
};

/** @param before columns already used on the line on which the value begins */
function format(value: unknown, style: Style, depth: number, before: number): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = partsOf(value, style, depth);
  if (parts.length === 0) return `${open}${close}`;
  const padding = open === '{' ? style.padding : '';
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (!line.includes('\n') && before + 2 * depth + line.length <= lineLength) return line;
  const indent = '  '.repeat(depth + 1);
  // JSON allows no trailing comma.
  const last = style === typescript ? ',' : '';
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}${last}\n${'  '.repeat(depth)}${close}`;
}

function partsOf(value: object, style: Style, depth: number): string[] {
  if (Array.isArray(value)) return value.map((each: unknown) => format(each, style, depth + 1, 0));
  return Object.entries(value).map(([name, each]: [string, unknown]) => {
    const key = `${style.key(name)}: `;
    return `${key}${format(each, style, depth + 1, key.length)}`;
  });
}

/** Texts without characters that are special to a shell. */
const unquoted = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** Quotes a text for a POSIX shell, if needed. */
export const shellWord = (text: string): string =>
  unquoted.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
