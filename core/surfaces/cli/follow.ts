import { setTimeout as pause } from 'node:timers/promises';
import { at } from '#core/runtime/json.js';
import type { Answer, CallTarget } from './call.js';
import type { CliOperation } from './command-catalogue.js';
import { painter } from './terminal/colours.js';
import { print } from './output.js';
import { NoAnswer } from './errors.js';
import { patientCall } from './patient-call.js';
import { withProgress } from './terminal/progress.js';

/** Shortly after a call its work is often done; later a poll per second leaves most of the key's requests to others. */
const firstWaitMs = 100;
const longestWaitMs = 1_000;
const watchMs = 2_000;

type Following = CliOperation & Required<Pick<CliOperation, 'progress'>>;

const valueAt = ({ result }: Answer, path: string | undefined): unknown =>
  path === undefined ? undefined : at(result, ...path.split('.'));

const hasProgress = (operation: CliOperation): operation is Following => operation.progress !== undefined;

/** The status if it is final. */
function outcomeOf({ progress }: Following, answer: Answer): 'succeeded' | 'failed' | undefined {
  const status = String(valueAt(answer, progress.status));
  return progress.succeeded.includes(status) ? 'succeeded' : progress.failed.includes(status) ? 'failed' : undefined;
}

/** A bar if the reply has counts, otherwise the status. */
export function progressText({ progress }: Pick<Following, 'progress'>, answer: Answer): string {
  const [done, total] = [valueAt(answer, progress.done), valueAt(answer, progress.total)];
  const status = String(valueAt(answer, progress.status));
  if (typeof done !== 'number' || typeof total !== 'number' || total === 0) return status;
  const cells = 30;
  const full = Math.floor((cells * done) / total);
  return `${status} [${'#'.repeat(full)}${'.'.repeat(cells - full)}] ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

/** Work that has ended. */
export interface End {
  /** The last answer. */
  readonly answer: Answer;
  readonly failed: boolean;
}

/** The call that began the work was answered, so the work does not depend on this connection. */
const continues = (error: unknown): never => {
  if (!(error instanceof NoAnswer)) throw error;
  const fix = `The work continues on the server: look at it before you begin it again. ${error.fix ?? ''}`.trimEnd();
  throw new NoAnswer(error.message, fix, error.retryAfter);
};

/**
 * Calls the operation until its reply's status is final, with progress at the terminal.
 * @returns undefined for an operation without progress
 */
export async function waitForEnd(target: CallTarget, operation: CliOperation, input: object): Promise<End | undefined> {
  if (!hasProgress(operation)) return undefined;
  const state = { text: operation.name };
  return withProgress(
    () => state.text,
    async () => {
      for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
        const answer = await patientCall(target, operation.name, input, { hasAnswered: true }).catch(continues);
        const outcome = outcomeOf(operation, answer);
        if (outcome !== undefined) return { answer, failed: outcome === 'failed' };
        state.text = progressText(operation, answer);
        await pause(wait);
      }
    },
  );
}

/**
 * Prints the operation's answer again whenever it changes, until its status is final or Ctrl-C.
 * @returns undefined after Ctrl-C
 */
export async function watch(
  target: CallTarget,
  operation: CliOperation,
  input: object,
  json: boolean,
): Promise<End | undefined> {
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const isScreen = process.stdout.isTTY && !json;
  const { dim } = painter(process.stdout);
  for (let shown = ''; !stop.signal.aborted;) {
    const options = { signal: stop.signal, hasAnswered: shown !== '' };
    const answer = await patientCall(target, operation.name, input, options).catch((error: unknown) => {
      if (stop.signal.aborted) return undefined;
      throw error;
    });
    if (!answer) return undefined;
    const outcome = hasProgress(operation) ? outcomeOf(operation, answer) : undefined;
    const text = JSON.stringify({ activityId: answer.activityId, result: answer.result });
    // At a terminal each poll redraws, because the relative times change.
    if (isScreen) process.stdout.write('\u001b[2J\u001b[H');
    if (isScreen || text !== shown) {
      if (json) process.stdout.write(`${text}\n`);
      else print(answer, false, operation);
    }
    shown = text;
    if (outcome !== undefined) return { answer, failed: outcome === 'failed' };
    if (isScreen) process.stdout.write(dim(`Asked every ${watchMs / 1000} s. Press Ctrl-C to stop.\n`));
    await pause(watchMs, undefined, stop).catch(() => undefined);
  }
  return undefined;
}
