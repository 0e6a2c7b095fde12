import { SvcError } from './errors.js';
import { retryAfterOf } from './retry.js';
import type { Envelope, FetchAnswer } from './types.js';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a response into an envelope. The result is passed on unchanged: no validation, no conversion
 * (docs/interface.md, Versioning 3).
 * @throws SvcError for an error response, and for a response that is not from svc
 */
export function readAnswer(
  { operation, idempotencyKey }: { readonly operation: string; readonly idempotencyKey: string | undefined },
  { status, headers }: FetchAnswer,
  text: string,
): Envelope<unknown> {
  const body = parseJson(text);
  const requestId = headers.get('x-request-id') ?? '';
  if (isRecord(body) && status >= 200 && status < 300 && 'result' in body) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    const dataAsOf = headers.get('svc-data-as-of');
    return {
      result: body['result'],
      activityId: textOf(body['activityId']),
      requestId,
      replayed,
      ...(dataAsOf === null ? {} : { dataAsOf }),
    };
  }
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const code = textOf(error['code']);
  if (code === '') {
    throw new SvcError({
      code: 'unexpected_answer',
      status,
      message: `${operation} got a response with status ${status} that is not from svc.`,
      fix: 'Check that baseUrl is the address of the svc server, and check the proxies in front of it.',
      requestId,
      operation,
      idempotencyKey,
      retryAfter: retryAfterOf(headers, ''),
    });
  }
  const fix = textOf(error['fix']);
  throw new SvcError({
    code,
    status,
    message: textOf(error['message']),
    fix,
    requestId: textOf(error['requestId']) || requestId,
    operation,
    idempotencyKey,
    details: isRecord(error['details']) ? error['details'] : undefined,
    retryAfter: retryAfterOf(headers, fix),
  });
}
