import { commandPath, flagOf, pythonName, takenInPython, toolName } from '../names.js';

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

/** Which keys of a value the interface names: Python has them in snake_case. Keys of maps are the caller's. */
export interface NamedKeys {
  readonly fields?: Readonly<Record<string, NamedKeys>>;
  readonly items?: NamedKeys;
}

/** A call as a call of the SDK for Python: `svc.email.send(to="ada@example.com")`. */
export function pythonExample({ name, example }: ShownCall, fields: NamedKeys['fields'] = {}): string {
  const method = name
    .split('.')
    .map((part) => pythonName(part, takenInPython))
    .join('.');
  const given = Object.entries(example.input ?? {}).filter(([, value]) => value !== undefined);
  const args = given.map(([field, value]: [string, unknown]) => {
    const key = `${pythonName(field, takenInPython)}=`;
    return key + format(inPython(plain(value), fields[field]), python, 1, key.length);
  });
  const line = `svc.${method}(${args.join(', ')})`;
  if (!line.includes('\n') && line.length <= lineLength) return line;
  return `svc.${method}(\n${args.map((arg) => `${python.indent}${arg},\n`).join('')})`;
}

/** The value with the keys that the interface names in snake_case. */
function inPython(value: unknown, keys: NamedKeys = {}): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => inPython(each, keys.items));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    const known = keys.fields?.[key];
    return [known ? pythonName(key) : key, inPython(each, known ?? keys.items)];
  });
  const renamed: unknown = Object.fromEntries(entries);
  return renamed;
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

/** How a language writes keys and values; brackets are the same in all of them. */
interface Style {
  key(name: string): string;
  text(value: string): string;
  /** A number, a boolean or null. */
  other(value: unknown): string;
  /** Space inside the braces of an object on one line. */
  padding: string;
  indent: string;
  /** What may follow the last element on its own line. */
  last: string;
}

/** Longer objects and lists are broken into lines: examples have a narrow column. */
export const lineLength = 56;

const json: Style = {
  key: (name) => JSON.stringify(name),
  text: (value) => JSON.stringify(value),
  other: (value) => JSON.stringify(value),
  padding: ' ',
  indent: '  ',
  last: '',
};

const typescript: Style = {
  ...json,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  last: ',',
};

const python: Style = {
  ...json,
  other: (value) =>
    value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value),
  padding: '',
  indent: '    ',
  last: ',',
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
export const plain = (value: unknown): unknown => {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? null));
  return copy;
};

/** @param before columns already used on the line on which the value begins */
function format(value: unknown, style: Style, depth: number, before: number): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.other(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = partsOf(value, style, depth);
  if (parts.length === 0) return `${open}${close}`;
  const padding = open === '{' ? style.padding : '';
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (!line.includes('\n') && before + style.indent.length * depth + line.length <= lineLength) return line;
  const indent = style.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}${style.last}\n${style.indent.repeat(depth)}${close}`;
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
