import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { pathOf } from '#core/kernel/operation.js';
import type { Operation } from '#core/kernel/operation.js';
import type { plugins } from '#plugins/all.gen.js';
import { unknownNamesIn } from './named-operations.js';

type AnyOperation = (typeof plugins)[number]['operations'][number];
export type OperationName = AnyOperation['name'];
type Named<N extends OperationName> = Extract<AnyOperation, { readonly name: N }>;
export type InputOf<N extends OperationName> = Named<N> extends Operation<infer _V, infer S, infer _R> ? S : never;
export type ReplyOf<N extends OperationName> = Named<N> extends Operation<infer _V, infer _S, infer R> ? R : never;

export interface CallOptions {
  key?: string | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
}

/** An HTTP response. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Refused {
  status: number;
  code: string;
  message: string;
  fix: string;
  requestId: string;
  details: Record<string, unknown>;
  headers: Headers;
}

/** Calls operations over HTTP, like a customer's program. */
export interface Api {
  /** Sends any body to any path. */
  raw(path: string, body: string | undefined, options?: CallOptions & { method?: string }): Promise<RawAnswer>;
  /** The result of a call that must succeed. */
  call<N extends OperationName>(name: N, input: InputOf<N>, options?: CallOptions): Promise<ReplyOf<N>>;
  /** The same, with the audit record's id. */
  envelope<N extends OperationName>(
    name: N,
    input: InputOf<N>,
    options?: CallOptions,
  ): Promise<{ activityId: string; result: ReplyOf<N> }>;
  /** The error of a call that must be refused; `input` may be anything. */
  refusal(name: OperationName | (string & {}), input: unknown, options?: CallOptions): Promise<Refused>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textAt = (value: Record<string, unknown>, name: string): string =>
  typeof value[name] === 'string' ? value[name] : '';

/**
 * @param address where the server answers
 * @param defaultKey the bearer key of calls that name none
 * @param catalogue what the server offers; if given, the fix of every refusal may name only operations in it
 */
export function apiAt(address: () => string, defaultKey: () => string | undefined, catalogue?: () => Catalogue): Api {
  const raw: Api['raw'] = async (path, body, { key, idempotencyKey, headers, method = 'POST' } = {}) => {
    const bearer = key ?? defaultKey();
    const answer = await fetch(`${address()}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(bearer === undefined || bearer === '' ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const post = (name: string, input: unknown, options?: CallOptions): Promise<RawAnswer> =>
    raw(pathOf(name), JSON.stringify(input), options);
  const envelope: Api['envelope'] = async (name, input, options) => {
    const { status, text } = await post(name, input, options);
    if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
    return typedEnvelope(name, text);
  };
  return {
    raw,
    envelope,
    call: async (name, input, options) => (await envelope(name, input, options)).result,
    async refusal(name, input, options) {
      const { status, text, headers } = await post(name, input, options);
      const body: unknown = JSON.parse(text);
      const error = isRecord(body) ? body['error'] : undefined;
      if (!isRecord(error)) throw new Error(`${name} was not refused: ${status} ${text}`);
      const unknown = catalogue ? unknownNamesIn(textAt(error, 'fix'), catalogue()) : [];
      if (unknown.length > 0)
        throw new Error(`A fix of ${name} names ${unknown.join(', ')}, which is not there: ${text}`);
      const details = isRecord(error['details']) ? error['details'] : {};
      return {
        status,
        headers,
        details,
        code: textAt(error, 'code'),
        message: textAt(error, 'message'),
        fix: textAt(error, 'fix'),
        requestId: textAt(error, 'requestId'),
      };
    },
  };
}

/** In tests, the server validates every reply against its schema (strictReplies), from which the types are derived. */
function typedEnvelope<N extends OperationName>(name: N, text: string): { activityId: string; result: ReplyOf<N> };
function typedEnvelope(_name: string, text: string): unknown {
  const envelope: unknown = JSON.parse(text);
  return envelope;
}
