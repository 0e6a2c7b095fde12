import { randomUUID } from 'node:crypto';
import type { CliOperation } from './catalogue.js';
import { callOperation, type Answer, type CallTarget } from './call.js';
import { painter } from './colours.js';
import { confirm } from './confirm.js';
import { connectionOf, keyFor } from './connection.js';
import { inputOf, type Given } from './input.js';
import type { OwnOptions } from './options.js';
import { print, wantsJson } from './output.js';
import { withProgress } from './progress.js';

/** Runs an operation's command: builds the input, asks for confirmation, calls and prints the result. */
export async function runOperation(operation: CliOperation, given: Given, options: OwnOptions): Promise<void> {
  const connection = await connectionOf(options);
  const target = { ...connection, key: keyFor(connection, operation.access) };
  const input = await inputOf(operation, given, userFields(operation, connection.accessToken));
  if (operation.destructive && !options.yes)
    await confirm(operation.name, `${operation.summary}\n${operation.name} on ${connection.baseUrl}. Continue?`);
  const answer = options.all ? await allPages(operation, target, input) : await once(operation, target, input, options);
  print(answer, wantsJson(options.json), operation);
}

/** Operations that act as a user take the profile's access token, unless the command gives one. */
const userFields = ({ access, input }: CliOperation, accessToken: string | undefined): Record<string, unknown> =>
  access === 'user' && 'accessToken' in input && accessToken !== undefined ? { accessToken } : {};

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
    `POST ${target.baseUrl} ${operation.name} ${target.key === undefined ? 'without a key' : `with the key of ${target.keysFrom ?? 'nowhere'}`}`,
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

/** Fetches every page of a list and joins them. */
async function allPages(operation: CliOperation, target: CallTarget, input: Record<string, unknown>): Promise<Answer> {
  const field = operation.list?.field ?? '';
  const items: unknown[] = [];
  const pageInput = { ...('limit' in operation.input ? { limit: 100 } : {}), ...input };
  return withProgress(
    () => `${operation.name}: ${items.length}`,
    async () => {
      for (let before: unknown = undefined; ;) {
        const sent = before === undefined ? pageInput : { ...pageInput, before };
        const answer = await callOperation(target, operation.name, sent);
        const found = answer.result[field];
        if (Array.isArray(found)) items.push(...found.map((each: unknown) => each));
        before = answer.result['nextBefore'];
        if (typeof before !== 'string') return { ...answer, result: { ...answer.result, [field]: items } };
      }
    },
  );
}
