import { painter } from './terminal/colours.js';
import { sanitize } from './terminal/sanitize.js';

/** Exit codes by kind of error. Scripts rely on them: do not change them. */
export const exit = { ok: 0, failure: 1, usage: 2, access: 3, notFound: 4, conflict: 5, rateLimited: 6 } as const;

/**
 * An error of the command line itself. `fix` is the next step; undefined for the help of the command that was called.
 */
export class CliError extends Error {
  override name = 'CliError';
  constructor(
    message: string,
    readonly fix: string | undefined,
    readonly exitCode: number = exit.usage,
  ) {
    super(message);
  }
}

/**
 * svc did not answer: the connection failed, or a gateway answered instead. The call may have been carried out.
 */
export class NoAnswer extends CliError {
  override name = 'NoAnswer';
  constructor(
    message: string,
    fix: string,
    /** Seconds to wait before a repeat, if the gateway states them. */
    readonly retryAfter?: number,
  ) {
    super(message, fix, exit.failure);
  }
}

/** The person did not confirm. This is not an error, so there is nothing to correct. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** The error for a file that cannot be read. @param error the error of reading it */
export function unreadable(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ENOENT') return `The file ${path} does not exist.`;
  return `The file ${path} cannot be read${code === undefined ? '' : ` (${code})`}.`;
}

/** An error that the server answered. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fix: string,
    readonly requestId: string,
    /** The response body, for --json. */
    readonly answer: unknown,
    /** The source of the key that was not accepted: `SVC_API_KEY`, `profile shop`. */
    readonly keysFrom?: string,
    /** Seconds to wait before a repeat, if the answer states them. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The exit code for an HTTP status. */
export function exitCodeOf(status: number): number {
  if (status === 408 || status >= 500) return exit.failure;
  if (status === 429) return exit.rateLimited;
  if (status === 404 || status === 410) return exit.notFound;
  // Like a conflict, 402 means that some state must change first.
  if (status === 409 || status === 402) return exit.conflict;
  return status === 401 || status === 403 ? exit.access : exit.usage;
}

/**
 * Prints an error and its fix to standard error.
 * @param help the command that shows how the command which failed is called
 * @param json print it as an error envelope, for programs
 * @returns the exit code
 */
export function report(error: unknown, help: string, json: boolean): number {
  const { red, dim, bold } = painter(process.stderr);
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  if (error instanceof ApiError) {
    if (json) say(JSON.stringify(error.answer));
    else {
      say(`${bold(error.code)}: ${sanitize(error.message)}`);
      const fix = error.code === 'invalid_input' ? `${error.fix} See \`${help}\`.` : error.fix;
      if (fix !== '') say(red(`fix: ${sanitize(fix)}`));
      if (error.keysFrom !== undefined) say(`The key came from ${error.keysFrom}.`);
      if (error.requestId !== '') say(dim(`requestId ${sanitize(error.requestId)}`));
    }
    return exitCodeOf(error.status);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Cancelled) {
    say(json ? JSON.stringify({ error: { code: 'cancelled', message, fix: '', requestId: '' } }) : message);
    return exit.usage;
  }
  const fix =
    error instanceof CliError
      ? (error.fix ?? `See \`${help}\`.`)
      : 'Run the command again with --verbose, and run `svc doctor`.';
  const code = error instanceof CliError ? error.exitCode : exit.failure;
  if (json)
    say(JSON.stringify({ error: { code: code === exit.usage ? 'usage' : 'failed', message, fix, requestId: '' } }));
  else {
    say(sanitize(message));
    say(red(`fix: ${sanitize(fix)}`));
  }
  return code;
}
