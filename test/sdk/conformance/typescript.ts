import { createInterface } from 'node:readline';
import { isSvcError, Svc } from 'svc-sdk';
import { createTokenVerifier, TokenRejected } from 'svc-sdk/session';
import { constructEvent, WebhookRejected } from 'svc-sdk/webhooks';
import { isRecord } from '#core/runtime/json.js';
import type { ClientSettings, Outcome, Request } from './driver.js';

/* The driver of the TypeScript SDK (driver.ts). */

/** The method of an operation, found by its name. */
function methodOf(svc: Svc, name: string): (...args: unknown[]) => unknown {
  const found = name
    .split('.')
    .reduce<unknown>((node, word) => (node instanceof Object ? Reflect.get(node, word) : undefined), svc);
  if (typeof found !== 'function') throw new Error(`${name} is no method.`);
  return (...args): unknown => Reflect.apply(found, undefined, args);
}

async function withClient(settings: ClientSettings, work: (svc: Svc) => Promise<Outcome>): Promise<Outcome> {
  const waitsMs: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void waitsMs.push(milliseconds);
  const svc = new Svc({ ...settings, random: () => 1, sleep });
  try {
    return { ...(await work(svc)), waitsMs };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const { code, status, message, fix, requestId, operation, details, retryAfter, idempotencyKey } = error;
    const facts = { code, status, message, fix, requestId, operation, details, retryAfter, idempotencyKey };
    return { error: facts, waitsMs };
  }
}

async function itemsOf(items: AsyncIterable<unknown>, take = Infinity): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of items) if (seen.push(item) >= take) break;
  return seen;
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function receive(request: Extract<Request, { do: 'webhook' }>): Outcome {
  const { body, header, secret, nowMs } = request;
  try {
    return { event: constructEvent(Buffer.from(body, 'base64'), header, secret ?? undefined, { now: nowMs }) };
  } catch (error) {
    if (error instanceof WebhookRejected) return { rejected: error.reason };
    if (error instanceof TypeError) return { misused: error.message };
    throw error;
  }
}

async function checkTokens({ baseUrl, environmentId, checks }: Extract<Request, { do: 'tokens' }>): Promise<Outcome> {
  let now = 0;
  const verify = createTokenVerifier({ baseUrl, environmentId, now: () => now });
  const outcomes: Outcome[] = [];
  for (const { token, nowMs } of checks) {
    now = nowMs;
    outcomes.push(
      await verify(token).then(
        ({ sub }) => ({ sub }),
        (error: unknown) => {
          if (error instanceof TokenRejected) return { rejected: error.reason };
          throw error;
        },
      ),
    );
  }
  return { checks: outcomes };
}

async function carryOut(request: Request): Promise<Outcome> {
  switch (request.do) {
    case 'call':
      return withClient(request.client, async (svc) => {
        const { operation, input, options } = request;
        return { result: await methodOf(svc, operation)(input, options) };
      });
    case 'callByName':
      return withClient(request.client, async (svc) => {
        const { operation, options } = request;
        const input = isRecord(request.input) ? request.input : {};
        const { result, activityId, replayed } = await svc.envelope(operation, input, options);
        return { result, activityId, replayed };
      });
    case 'all':
      return withClient(request.client, async (svc) => {
        const items = methodOf(svc, `${request.operation}.all`)(request.input);
        if (!isIterable(items)) throw new Error(`${request.operation}.all returned no iterator.`);
        return { items: await itemsOf(items, request.take) };
      });
    case 'webhook':
      return receive(request);
    case 'tokens':
      return checkTokens(request);
  }
}

/** The test wrote the line. */
function requestIn(line: string): Request;
function requestIn(line: string): unknown {
  const request: unknown = JSON.parse(line);
  return request;
}

for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await carryOut(requestIn(line)).catch((error: unknown) => ({ failed: String(error) }));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
