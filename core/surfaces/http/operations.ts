import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Operation } from '#core/kernel/operation.js';
import type { Services } from '#core/kernel/services.js';
import type { Caller, RequestFacts } from '#core/kernel/caller/caller.js';
import { asOfHeader, maxAgeHeader } from '../answer-age.js';
import { bodyLimitOf } from '../body-limit.js';
import { senderOf, type WithBody } from './body.js';
import { bearerOf, header } from './headers.js';
import { parseBody } from './json.js';
import type { Shards } from './shards.js';

/**
 * Browsers may call operations that need no secret key. Any origin, and no cookies: a key's allowedOrigins is checked
 * by the runner.
 */
const isForBrowsers = ({ access }: Operation): boolean => access !== 'secret' && access !== 'operator';

function allowOrigin(context: Context): void {
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Idempotent-Replayed');
}

/** The callers of requests, as far as they are known. */
const callers = new WeakMap<IncomingMessage, Caller>();

/** @returns undefined for a request whose caller is not known, or not yet known */
export const callerOf = ({ req }: Context): Caller | undefined => callers.get(req);

/** How old the answer may be, in seconds. @throws invalid_input */
function maxAgeOf(context: Context): number | undefined {
  if (!(maxAgeHeader.toLowerCase() in context.req.headers)) return undefined;
  const given = context.get(maxAgeHeader);
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw refusalOf.invalid_input({
    field: maxAgeHeader,
    problem: 'must be a whole number of seconds, such as 10',
    details: { field: maxAgeHeader },
  });
}

interface OperationVisit {
  request: RequestFacts;
  withBody: WithBody;
  /** The other shards behind the same address. */
  shards: Shards | undefined;
}

/**
 * Answers an operation's address: admits the caller by the headers, reads the body, runs the call and writes the
 * envelope.
 */
export async function answerOperation(
  context: Context,
  path: string,
  services: Services,
  { request, withBody, shards }: OperationVisit,
): Promise<string> {
  const operation = services.catalogue.at(path);
  if (isForBrowsers(operation)) allowOrigin(context);
  if (context.method === 'OPTIONS' && isForBrowsers(operation)) {
    context.set('Access-Control-Allow-Methods', 'POST');
    context.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key');
    context.set('Access-Control-Max-Age', '7200');
    context.status = 204;
    return operation.name;
  }
  if (context.method !== 'POST') throw refusalOf.method_not_allowed({ method: context.method, path });
  const credentials = { bearer: bearerOf(context), environmentId: header(context, 'Svc-Environment'), request };
  const admission = await services.admit(operation, credentials);
  callers.set(context.req, admission.caller);
  const body = { limit: bodyLimitOf(operation), request, caller: admission.caller };
  const answer = await withBody(context.req, body, async (bytes) => {
    const input = await parseBody(bytes, {
      contentType: header(context, 'Content-Type'),
      contentEncoding: header(context, 'Content-Encoding'),
      ...senderOf(admission.caller),
    });
    // Only the input of a call without a key says which shard it is for.
    const shard = operation.access === 'public' ? shards?.otherOfInput(context, input) : undefined;
    if (shard !== undefined) return shards?.passOn(context, shard, request, bytes);
    return services.call({
      ...credentials,
      operation,
      admission,
      input,
      maxAgeSeconds: maxAgeOf(context),
      // An empty header is refused rather than ignored: its sender relies on it.
      idempotencyKey: 'idempotency-key' in context.req.headers ? context.get('Idempotency-Key') : undefined,
    });
  });
  if (!answer) return operation.name;
  context.status = 200;
  context.type = 'application/json';
  context.body = answer.body;
  if (answer.asOf) context.set(asOfHeader, answer.asOf.toISOString());
  if (answer.replayed) context.set('Idempotent-Replayed', 'true');
  return operation.name;
}
