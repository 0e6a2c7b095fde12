import type { OperationName, SvcOperationTypes } from './operations.gen.js';

/**
 * Codes of the client itself: the connection failed; no response in time (both with status 0); a response that is not
 * from svc.
 */
export type ClientCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

/** Codes that an operation can return, and the client's own. Newer servers may return others: keep a default branch. */
export type CodeOf<N extends OperationName> = SvcOperationTypes[N]['code'] | ClientCode;

export interface SvcErrorFacts<Code extends string = string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly fix: string;
  readonly requestId: string;
  readonly operation: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** A call that failed, or that got no response. */
export class SvcError<Code extends string = string> extends Error {
  override readonly name = 'SvcError';
  /** Stable. Branch on the code, never on the message. */
  readonly code: Code;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The next step, in plain language. */
  readonly fix: string;
  /** Identifies the call in the server's log; empty without a response. */
  readonly requestId: string;
  /** The operation's name: `email.send`. */
  readonly operation: string;
  /** More data for programs, depending on the code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry, if the response asks for a wait. */
  readonly retryAfter: number | undefined;
  /**
   * The Idempotency-Key of the call, if it had one. To repeat a call whose response was lost, pass this key: the call
   * then runs only once.
   */
  readonly idempotencyKey: string | undefined;

  constructor(facts: SvcErrorFacts<Code>) {
    const { code, status, message, fix, requestId, operation, details, retryAfter, idempotencyKey, cause } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.fix = fix;
    this.requestId = requestId;
    this.operation = operation;
    this.details = details ?? {};
    this.retryAfter = retryAfter;
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * Whether the error is an SvcError, and from this operation if one is given. `code` is then narrowed to the codes of
 * that operation: `if (isSvcError(error, 'email.send') && error.code === 'sender_not_verified') …`
 */
export function isSvcError<N extends OperationName>(error: unknown, operation: N): error is SvcError<CodeOf<N>>;
export function isSvcError(error: unknown): error is SvcError;
export function isSvcError(error: unknown, operation?: string): boolean {
  return error instanceof SvcError && (operation === undefined || error.operation === operation);
}
