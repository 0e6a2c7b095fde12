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

/** Runs one operation's command, from its words to what is printed. */
export async function runOperation(operation: CliOperation, given: Given, options: OwnOptions): Promise<void> {
  const connection = await connectionOf(options);
  const target = { ...connection, key: keyFor(connection, operation.access) };
  const input = await inputOf(operation, given, userFields(operation, connection.accessToken));
  if (operation.destructive && !options.yes)
    await confirm(operation.name, `${operation.summary}\n${operation.name} on ${connection.baseUrl}: go ahead?`);
  const answer = options.all ? await allPages(operation, target, input) : await once(operation, target, input, options);
  print(answer, wantsJson(options.json), operation);
}

/** Operations that act as a user take the profile's access token where the command names no other one. */
const userFields = ({ access, input }: CliOperation, accessToken: string | undefined): Record<string, unknown> =>
  access === 'user' && 'accessToken' in input && accessToken !== undefined ? { accessToken } : {};

async function once(
  operation: CliOperation,
  target: CallTarget,
  input: Record<string, unknown>,
  { verbose, idempotencyKey }: OwnOptions,
): Promise<Answer> {
  const { dim } = painter(process.stderr);
  const say = (text: string): unknown => verbose && process.stderr.write(`${dim(text)}\n`);
  // An operation that is not retry-safe must not happen twice when its answer is lost: its key makes the repeat safe.
  const key = idempotencyKey ?? (operation.retrySafe ? undefined : randomUUID());
  say(
    `POST ${target.baseUrl} ${operation.name} ${target.key === undefined ? 'without a key' : `with the key of ${target.keysFrom ?? 'nowhere'}`}`,
  );
  if (key !== undefined) say(`Idempotency-Key ${key}`);
  const began = performance.now();
  const answer = await withProgress(
    () => operation.name,
    () => callOperation(target, operation.name, input, { idempotencyKey: key }),
  );
  say(
    `requestId ${answer.requestId}, ${Math.round(performance.now() - began)} ms${answer.replayed ? ', replayed' : ''}`,
  );
  return answer;
}

/** Every page of a list as one answer. */
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
