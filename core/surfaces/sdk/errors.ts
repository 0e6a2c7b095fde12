import type { OperationName, SvcOperationTypes } from './operations.gen.js';

/**
 * Codes of the client's own, with status 0 where nobody answered: the connection broke; no answer came in time; what came is no
 * answer of svc (a proxy's page, say).
 */
export type ClientCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

/** Codes that an operation can answer, and the client's own. A newer server may answer others: keep a default branch. */
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
  readonly cause?: unknown;
}

/** A call that was refused, or that got no answer. A class because an `Error` must be one. */
export class SvcError<Code extends string = string> extends Error {
  override readonly name = 'SvcError';
  /** Stable: branch on it, never on the message. */
  readonly code: Code;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The next step, for people. */
  readonly fix: string;
  /** Finds the call in the server's log; empty when no answer came. */
  readonly requestId: string;
  /** The operation's name: `email.send`. */
  readonly operation: string;
  /** More, for programs; by code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which a repeat makes sense, where the answer states them. */
  readonly retryAfter: number | undefined;

  constructor({ code, status, message, fix, requestId, operation, details, retryAfter, cause }: SvcErrorFacts<Code>) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.fix = fix;
    this.requestId = requestId;
    this.operation = operation;
    this.details = details ?? {};
    this.retryAfter = retryAfter;
  }
}

/**
 * Is it an SvcError, of this operation where one is named? Then `code` is one of those that the operation can answer:
 * `if (isSvcError(error, 'email.send') && error.code === 'sender_not_verified') …`
 */
export function isSvcError<N extends OperationName>(error: unknown, operation: N): error is SvcError<CodeOf<N>>;
export function isSvcError(error: unknown): error is SvcError;
export function isSvcError(error: unknown, operation?: string): boolean {
  return error instanceof SvcError && (operation === undefined || error.operation === operation);
}
