import { pino, stdTimeFunctions, type Logger } from 'pino';

/** Structured log: one JSON object a line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Field names whose values never reach a log line, wherever they stand in the first two levels. */
const secretFields = [
  'authorization',
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'plaintext',
  'key',
];

/** The texts of a driver's message that its statement does not hold are values: `Duplicate entry 'ada@example.com'`. */
function withoutValues(message: string, query: string): string {
  const index = / for key '[^']*'$/.exec(message)?.[0] ?? '';
  const said = message.slice(0, message.length - index.length);
  return said.replace(/'.*'/s, (quoted) => (query.includes(quoted.slice(1, -1)) ? quoted : "'…'")) + index;
}

/**
 * What is logged of an error: what it says and where, and none of the fields that hang on it. TypeORM's errors carry the values of
 * their statement, mysql2's the statement with the values in it, and others whatever their thrower had at hand.
 */
function described(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const field = (name: string): unknown => Reflect.get(error, name);
  const query = field('query');
  const fromDatabase = typeof field('sqlState') === 'string';
  return {
    type: error.name,
    message: fromDatabase ? withoutValues(error.message, typeof query === 'string' ? query : '') : error.message,
    code: field('code'),
    errno: field('errno'),
    query,
    // The stack's head repeats the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause === undefined || depth === 3 ? {} : { cause: described(error.cause, depth + 1) }),
  };
}

/**
 * A log on standard output (or `destination`).
 * @param level pino's level name: debug, info, warn, error, silent
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: (error: unknown) => described(error) },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A log that says nothing, for tools that print their own words. */
export const silentLog: Log = pino({ level: 'silent' });
