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
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A log that says nothing, for tools that print their own words. */
export const silentLog: Log = pino({ level: 'silent' });
