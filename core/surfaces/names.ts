/** PascalCase for type names: `email.broadcast.pause` → EmailBroadcastPause, `invalid_input` → InvalidInput. */
export const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const abbreviations: ReadonlySet<string> = new Set(['sms']);

/** A product's name as a heading: `email` → Email, `sms` → SMS. */
export const productTitle = (product: string): string =>
  abbreviations.has(product) ? product.toUpperCase() : pascal(product);

/** The command of an operation: `email.broadcast.pauseAll` is `email broadcast pause-all`. */
export const commandPath = (name: string): string[] => name.split('.').map(kebab);

/**
 * The MCP tool of an operation. Tool names cannot contain dots: email.broadcast.pause becomes email_broadcast_pause.
 */
export const toolName = (operation: string): string => operation.replaceAll('.', '_');

/** `broadcastId` as a flag or command: `broadcast-id`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Flags with the same meaning on every command. A field with such a name is set with `--input.<field>`. */
const ownFlags: readonly string[] = [
  'all',
  'attach',
  'base-url',
  'help',
  'idempotency-key',
  'input',
  'json',
  'profile',
  'verbose',
  'version',
  'wait',
  'watch',
  'yes',
];

/** The flag of a field; undefined if the command line uses that name itself. */
export function flagOf(field: string): string | undefined {
  const flag = kebab(field);
  // Commander treats `--no-x` as the negation of `--x`.
  return ownFlags.includes(flag) || flag.startsWith('no-') ? undefined : flag;
}

/** Names that Python uses itself. */
const pythonKeywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A name of the interface in snake_case: `clientDataJSON` is client_data_json. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/**
 * The Python name of a field, group or operation: `replyTo` is reply_to. Names that Python or the SDK uses itself get
 * an underscore at their end: `from` is from_.
 * @param taken names that the SDK uses at this place
 */
export function pythonName(name: string, taken: readonly string[] = []): string {
  const text = snake(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?=[0-9_])/, 'n');
  return pythonKeywords.has(text) || taken.includes(text) ? `${text}_` : text;
}

/** Options of every call in Python. */
export const pythonOptions = ['idempotency_key', 'timeout', 'environment_id', 'max_age'];
/** Names that arguments, groups and methods must not have in Python. */
export const takenInPython = ['self', ...pythonOptions];

/** Words that Go programs write in capitals (https://go.dev/wiki/CodeReviewComments#initialisms). */
const initialisms: ReadonlyMap<string, string> = new Map([
  ...(
    'AAGUID API CSS CSV DKIM DMARC DNS HTML HTTP HTTPS ID IP JSON JWK JWKS MFA MMS MX OK PDF QR RP SMS SMTP SPF SVG ' +
    'TLS TOTP TXT UCS URI URL UUID'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word] as const),
  ['ids', 'IDs'],
  ['ips', 'IPs'],
  ['oauth', 'OAuth'],
  ['uris', 'URIs'],
  ['urls', 'URLs'],
]);

/**
 * A name of the interface as an exported name of Go: `replyTo` is ReplyTo, `messageId` MessageID, `sms.send` SMSSend.
 * Names that begin with a digit get an N before it.
 */
export const goName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => initialisms.get(word.toLowerCase()) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=[0-9])/, 'N');
