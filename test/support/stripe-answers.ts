import { createHash } from 'node:crypto';
import type { FakeRequest } from './http-fake.js';

/** A refusal of the fake Stripe. @param body its `error` */
export class StripeProblem extends Error {
  constructor(
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super('A refusal of the fake Stripe');
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const errorOf = (status: number, error: object): Answer => ({ status, body: { error } });

function begun(answer: (request: FakeRequest) => object, request: FakeRequest, failure: number | undefined): Answer {
  if (failure === 429)
    return errorOf(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' });
  if (failure !== undefined) return errorOf(failure, { type: 'api_error', message: 'An error occurred at Stripe.' });
  try {
    return { status: 200, body: answer(request) };
  } catch (error) {
    if (!(error instanceof StripeProblem)) throw error;
    return errorOf(error.status, error.body);
  }
}

/**
 * Answers requests, and stores each answer under its idempotency key as Stripe does, including refusals and failures.
 */
export function keyedAnswers(answer: (request: FakeRequest) => object) {
  const kept = new Map<string, Answer & { fingerprint: string }>();
  return {
    /** @param failure the status of an error to answer instead */
    of(request: FakeRequest, failure: number | undefined): Answer & { replayed: boolean } {
      const given = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
      const key = typeof given === 'string' ? given : undefined;
      const fingerprint = createHash('sha256').update(`${request.path} ${request.body}`).digest('hex');
      const known = key === undefined ? undefined : kept.get(key);
      if (known?.fingerprint === fingerprint) return { ...known, replayed: true };
      if (known)
        return {
          ...errorOf(400, { type: 'idempotency_error', message: 'The key was used with other parameters.' }),
          replayed: false,
        };
      const made = begun(answer, request, failure);
      // The answer to a request that was not begun is not stored.
      if (key !== undefined && made.status !== 429) kept.set(key, { ...made, fingerprint });
      return { ...made, replayed: false };
    },
  };
}
