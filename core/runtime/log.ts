import { pino, stdTimeFunctions, type Logger, type LoggerOptions } from 'pino';

/** The structured log: one JSON object per line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Names of fields that are redacted, in the first two levels of a log line. */
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

/**
 * Removes quoted values from a driver's message, such as `Duplicate entry 'ada@example.com'`. Quoted text of the
 * statement is kept.
 */
function withoutValues(message: string, query: string): string {
  const index = / for key '[^']*'$/.exec(message)?.[0] ?? '';
  const text = message.slice(0, message.length - index.length);
  return text.replace(/'.*'/s, (quoted) => (query.includes(quoted.slice(1, -1)) ? quoted : "'…'")) + index;
}

/**
 * The fields of an error that are logged: its message, codes and stack. Other fields are left out: TypeORM's errors
 * contain the values of their statement, mysql2's the statement with its values, and other errors anything.
 */
function describeError(error: unknown, depth = 0): unknown {
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
    // The first lines of the stack repeat the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause === undefined || depth === 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** How often each message was logged at level error or fatal, by log. */
const errorCounts = new WeakMap<object, Map<string, number>>();

/** Messages that contain values could otherwise fill the memory; more than these are counted together. */
const mostMessages = 200;
const otherMessages = 'other';

/** pino's number of the level error. */
const errorLevel = 50;

/**
 * How often each message was logged at level error or fatal since the start. Nothing is counted at a level that is not
 * logged (SVC_LOG_LEVEL=silent).
 * @param log made by `createLog`; for other logs the result is empty
 */
export const loggedErrors = (log: Log): ReadonlyMap<string, number> => errorCounts.get(log) ?? new Map();

/**
 * Counts a message from 0, so that its first line is an increase in what GET /metrics shows. Call it
 * where the message may be logged, for messages that an alert names.
 */
export function countFromZero(log: Log, message: string): void {
  const counts = errorCounts.get(log);
  if (counts && !counts.has(message)) counts.set(message, 0);
}

/**
 * A log on standard output (or `destination`).
 * @param level pino's level name: debug, info, warn, error, silent
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const counts = new Map<string, number>();
  const options: LoggerOptions = {
    hooks: {
      logMethod(given, write, of) {
        if (of >= errorLevel) {
          const text = given.find((each): each is string => typeof each === 'string') ?? otherMessages;
          const message = counts.has(text) || counts.size < mostMessages ? text : otherMessages;
          counts.set(message, (counts.get(message) ?? 0) + 1);
        }
        write.apply(this, given);
      },
    },
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: (error: unknown) => describeError(error) },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = destination ? pino(options, destination) : pino(options);
  errorCounts.set(log, counts);
  return log;
}

/** A log that writes nothing, for tools that print their own output. */
export const silentLog: Log = pino({ level: 'silent' });
