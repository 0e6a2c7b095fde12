import { SvcError } from './errors.js';
import { statedSeconds } from './retry.js';
import type { Envelope, FetchAnswer } from './types.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * An answer's envelope, its result as it came: nothing is checked, cut or converted (docs/interface.md, Versioning 3).
 * @throws SvcError for a refusal, and for what is no answer of svc
 */
export function readAnswer(operation: string, { status, headers }: FetchAnswer, text: string): Envelope<unknown> {
  const body = parsed(text);
  const requestId = headers.get('x-request-id') ?? '';
  if (isFields(body) && status >= 200 && status < 300 && 'result' in body) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { result: body['result'], activityId: textOf(body['activityId']), requestId, replayed };
  }
  const error = isFields(body) && isFields(body['error']) ? body['error'] : {};
  const code = textOf(error['code']);
  if (code === '') {
    throw new SvcError({
      code: 'unexpected_answer',
      status,
      message: `${operation} was answered with status ${status} and a body that svc does not send.`,
      fix: 'Check that baseUrl is the address of the svc server, and check proxies in front of it.',
      requestId,
      operation,
      retryAfter: statedSeconds(headers, ''),
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
    details: isFields(error['details']) ? error['details'] : undefined,
    retryAfter: statedSeconds(headers, fix),
  });
}
