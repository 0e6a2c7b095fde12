import { painter } from './colours.js';
import { plain } from './plain.js';

/** Exit codes by class of trouble; they are part of the command line's contract. */
export const exit = { ok: 0, trouble: 1, usage: 2, access: 3, notFound: 4, conflict: 5, limited: 6 } as const;

/** Something that the command line itself refuses, with the next step. */
export class CliError extends Error {
  override name = 'CliError';
  constructor(
    message: string,
    readonly fix: string,
    readonly exitCode: number = exit.usage,
  ) {
    super(message);
  }
}

/** A refusal of the server's. */
export class Refused extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fix: string,
    readonly requestId: string,
    /** The answer as it came, for --json. */
    readonly answer: unknown,
    /** Where the key that was not accepted comes from, in words. */
    readonly keyFrom?: string,
  ) {
    super(message);
  }
}

/** The exit code of a refusal's status. */
export function exitCodeOf(status: number): number {
  if (status === 408 || status >= 500) return exit.trouble;
  if (status === 429) return exit.limited;
  if (status === 404 || status === 410) return exit.notFound;
  // 402 stands for a state that must change first, as a conflict does.
  if (status === 409 || status === 402) return exit.conflict;
  return status === 401 || status === 403 ? exit.access : exit.usage;
}

/**
 * Says on standard error what went wrong and what to do next.
 * @param json as the server's error envelope, for programs
 * @returns the exit code
 */
export function report(error: unknown, json: boolean): number {
  const { red, dim, bold } = painter(process.stderr);
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  if (error instanceof Refused) {
    if (json) say(JSON.stringify(error.answer));
    else {
      say(`${bold(error.code)}: ${plain(error.message)}`);
      if (error.fix !== '') say(red(`fix: ${plain(error.fix)}`));
      if (error.keyFrom !== undefined) say(`The key that was sent is the one of ${error.keyFrom}.`);
      if (error.requestId !== '') say(dim(`requestId ${plain(error.requestId)}`));
    }
    return exitCodeOf(error.status);
  }
  const message = error instanceof Error ? error.message : String(error);
  const fix =
    error instanceof CliError ? error.fix : 'Run it again with --verbose, and `svc doctor` to see what is wrong.';
  const code = error instanceof CliError ? error.exitCode : exit.trouble;
  if (json)
    say(JSON.stringify({ error: { code: code === exit.usage ? 'usage' : 'failed', message, fix, requestId: '' } }));
  else {
    say(plain(message));
    say(red(`fix: ${plain(fix)}`));
  }
  return code;
}
