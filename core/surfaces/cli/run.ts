import { randomUUID } from 'node:crypto';
import { isRecord } from '#core/runtime/json.js';
import { followUpOf, inputFrom, type CliCatalogue, type CliOperation } from './command-catalogue.js';
import { callOperation, reach, type Answer, type CallTarget } from './call.js';
import { painter } from './terminal/colours.js';
import { confirm } from './terminal/confirm.js';
import { connectionOf, targetFor } from './session/connection.js';
import { callAsUser, userFields } from './session/user.js';
import { exit } from './errors.js';
import { followUpCommand } from './example.js';
import type { End } from './follow.js';
import { idleWork, type IdleWork } from './idle.js';
import { inputOf, type Given } from './input/build.js';
import { withIds } from './input/names.js';
import type { OwnOptions } from './options.js';
import { print, wantsJson } from './output.js';
import { failedParts, type Place } from './parts.js';
import { allPages } from './pages.js';
import { withProgress } from './terminal/progress.js';

/** Runs an operation's command: builds the input, asks for confirmation, calls and prints the result. */
export async function runOperation(
  operation: CliOperation,
  given: Given,
  options: OwnOptions,
  catalogue: CliCatalogue,
): Promise<void> {
  const connection = await connectionOf(options);
  const target = targetFor(connection, operation.access);
  const named = await inputOf(operation, given, await userFields(operation, connection));
  const input = await withIds(operation, named, catalogue, connection);
  const json = wantsJson(options.json);
  if (operation.destructive && !options.yes)
    await confirm(operation.name, async () => {
      const { describeTarget } = await import('./target.js');
      const lines = await describeTarget(operation, catalogue, target, input);
      return [operation.summary, ...lines, `${operation.name}: continue?`].join('\n');
    });
  if (options.watch) {
    const { watch } = await import('./follow.js');
    return conclude(operation, await watch(target, operation, input, json), { target, options, catalogue });
  }
  const answer = options.all
    ? await allPages(operation, target, input)
    : await callAsUser(operation, input, connection, options.idempotencyKey, (fields, { idempotencyKey }) =>
        once(operation, target, fields, { ...options, idempotencyKey }),
      );
  const next = nextCall(operation, answer, catalogue);
  if (options.wait && next) return showOutcome(next, answer, target, { json, options, catalogue });
  print(answer, json, operation);
  const isBlocked = isRecord(answer.result['blocked']);
  if (next && !json && !isBlocked) await printNext(next, target, options);
}

/** The call that shows the outcome of another one. */
interface NextCall {
  readonly operation: CliOperation;
  readonly input: Readonly<Record<string, unknown>>;
  /** The path of a page that shows it. */
  readonly page: string | undefined;
}

function nextCall(operation: CliOperation, { result }: Answer, catalogue: CliCatalogue): NextCall | undefined {
  const next = followUpOf(operation, catalogue);
  if (!operation.followUp || !next) return undefined;
  const { input, page } = operation.followUp;
  return { operation: next, input: inputFrom(result, input), page };
}

/** How the outcome is shown. */
interface Showing {
  readonly json: boolean;
  readonly options: OwnOptions;
  readonly catalogue: CliCatalogue;
}

/**
 * Waits until the work has ended. Prints the outcome with every page of the list, and the number of parts that failed.
 */
async function showOutcome(
  { operation, input }: NextCall,
  { activityId }: Answer,
  target: CallTarget,
  { json, options, catalogue }: Showing,
): Promise<void> {
  const { waitForEnd } = await import('./follow.js');
  const end = await waitForEnd(target, operation, input);
  const answer = operation.pages ? await allPages(operation, target, input) : end?.answer;
  if (answer) print({ ...answer, activityId }, json, { ...operation, read: false });
  await conclude(operation, end, { target, options, catalogue });
}

/** Prints which parts of ended work failed, and sets the exit code. @param end undefined if the work has not ended */
async function conclude(operation: CliOperation, end: End | undefined, place: Place): Promise<void> {
  if (!end) return;
  const idle = idleWork(operation, end.answer, place);
  if (idle) {
    sayIdle(idle);
    return;
  }
  const parts = await failedParts(operation, end.answer, place);
  for (const { text } of parts) process.stderr.write(`${text}\n`);
  if (end.failed || parts.some(({ isFailure }) => isFailure)) process.exitCode = exit.failure;
}

/** Prints that work waits for a call. Work that has not begun is a conflict: its state must change first. */
function sayIdle({ text, fix, hasBegun }: IdleWork): void {
  const { red } = painter(process.stderr);
  process.stderr.write(`${text}\n${red(`fix: ${fix}`)}\n`);
  process.exitCode = hasBegun ? exit.failure : exit.conflict;
}

/** Prints the command that shows the outcome of the call, and the page if the server has one. */
async function printNext(
  { operation, input, page }: NextCall,
  { baseUrl }: CallTarget,
  options: OwnOptions,
): Promise<void> {
  const { bold } = painter(process.stdout);
  const command = followUpCommand(operation, input, options, operation.progress ? ['--watch'] : []);
  process.stdout.write(`\nNext: ${bold(command)}\n`);
  if (page === undefined) return;
  const answer = await reach(baseUrl, page, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answer?.status === 200) process.stdout.write(`  or: ${bold(`${baseUrl}${page}`)}\n`);
}

async function once(
  operation: CliOperation,
  target: CallTarget,
  input: Record<string, unknown>,
  { verbose, idempotencyKey }: OwnOptions,
): Promise<Answer> {
  const { dim } = painter(process.stderr);
  const log = (text: string): unknown => verbose && process.stderr.write(`${dim(text)}\n`);
  // Makes a retry after a lost answer safe for operations that are not.
  const key = idempotencyKey ?? (operation.retrySafe ? undefined : randomUUID());
  log(
    `POST ${target.baseUrl} ${operation.name} ${(target.key ?? target.accessTokenOf) === undefined ? 'without a key' : `with the credentials of ${target.keysFrom ?? 'nowhere'}`}`,
  );
  if (key !== undefined) log(`Idempotency-Key ${key}`);
  const began = performance.now();
  const answer = await withProgress(
    () => operation.name,
    () => callOperation(target, operation.name, input, { idempotencyKey: key }),
  );
  log(
    `requestId ${answer.requestId}, ${Math.round(performance.now() - began)} ms${answer.replayed ? ', replayed' : ''}`,
  );
  return answer;
}
