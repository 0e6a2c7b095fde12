import { counted } from '#config/counted.js';

/*
 * Every refusal has a declared code with its status, a message and a `fix` that names the next step. A text may contain
 * {placeholders}, which the throwing code must fill; the compiler checks it. Plugins declare their own codes the same
 * way and add them to DeclaredErrors; codes that several products use are in common.ts.
 */

export interface ErrorDeclaration {
  readonly status: number;
  readonly message: string;
  readonly fix: string;
  /**
   * Whether the same call may succeed a little later, unchanged. Default: with status 408, 429 and 503. The page of the
   * code says it. The SDKs repeat a call by its status (docs/interface.md, Errors 6), so they leave out codes that pass
   * with another one.
   */
  readonly passes?: boolean;
}

/** Statuses of errors that pass, unless the code's declaration says otherwise. */
export const passingStatuses: readonly number[] = [408, 429, 503];

/** Whether the same call may succeed a little later, unchanged. */
export const passes = ({ status, passes: declared = passingStatuses.includes(status) }: ErrorDeclaration): boolean =>
  declared;

/** The codes of all products, by declaration merging: each errors.ts adds its own. */
export interface DeclaredErrors {}

export type ErrorCode = Extract<keyof DeclaredErrors, string>;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type NamesOf<D> = D extends ErrorDeclaration ? Placeholders<D['message'] | D['fix']> : never;
type ErrorDetails = Readonly<Record<string, unknown>>;
type Parameters<D> = Record<NamesOf<D>, string | number>;
type Make<D, Result> = [NamesOf<D>] extends [never]
  ? (parameters?: { details?: ErrorDetails }) => Result
  : (parameters: Parameters<D> & { details?: ErrorDetails }) => Result;

/** One function per code, which creates the refusal; its parameters are the placeholders of the code's texts. */
export type ErrorMakers<Code extends ErrorCode, Result> = { readonly [C in Code]: Make<DeclaredErrors[C], Result> };

/** Declares codes: `declareErrors({ name_taken: { status: 409, message: '…', fix: '…' } })`. */
export const declareErrors = <const D extends Readonly<Record<string, ErrorDeclaration>>>(declarations: D): D =>
  declarations;

/** The values of the placeholders in a declaration's texts. */
type TextValues = Readonly<Record<string, string | number>>;

/** An error that is returned to the caller. */
export class SvcError extends Error {
  override name = 'SvcError';
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    readonly fix: string,
    readonly details: ErrorDetails | undefined,
    /** Seconds, sent as the header `retry-after`; set by the limits of keys and apps, and for an unknown shard. */
    readonly retryAfter?: number,
    /** The values of the placeholders in its texts, for pages that show the error in the reader's language. */
    readonly values: TextValues = {},
  ) {
    super(message);
  }
}

/** A refusal whose call commits: the handler's writes are kept, then the refusal is returned. */
export interface Refusal {
  readonly refusal: SvcError;
}

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'refusal' in answer && answer.refusal instanceof SvcError;

const textValues = (parameters: Readonly<Record<string, unknown>>): TextValues =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );

/** A placeholder, with the noun that it counts if the error texts have one: `{seconds} seconds`. */
const countedPlaceholder = /\{(\w+)\}(?: (second|minute|byte|character|segment)s\b)?/g;

const fillPlaceholders = (text: string, values: TextValues): string =>
  text.replace(countedPlaceholder, (whole: string, name: string, noun: string | undefined) => {
    const value = values[name];
    if (value === undefined) return whole;
    return noun === undefined ? String(value) : counted(value, noun);
  });

/** The answer's `details`; those of invalid_input name the field if nothing else is given (docs/interface.md). */
const detailsOf = (code: string, { details, field }: Readonly<Record<string, unknown>> & { details?: ErrorDetails }) =>
  details ?? (code === 'invalid_input' && typeof field === 'string' ? { field } : undefined);

/** Creates a refusal from its declaration. */
export function makeError(
  code: string,
  declaration: ErrorDeclaration,
  parameters: Readonly<Record<string, unknown>> & { details?: ErrorDetails } = {},
  retryAfter?: number,
): SvcError {
  const values = textValues(parameters);
  return new SvcError(
    code,
    declaration.status,
    fillPlaceholders(declaration.message, values),
    fillPlaceholders(declaration.fix, values),
    detailsOf(code, parameters),
    retryAfter,
    values,
  );
}

/**
 * Creates one factory per declared code. Each error is passed through `wrap`, which may convert it to a Refusal. The
 * overload ties the parameters to the placeholders of the texts, which a mapped type over the names cannot express.
 */
export function makersOf<Code extends ErrorCode, Result>(
  declarations: Readonly<Record<string, ErrorDeclaration>>,
  wrap: (error: SvcError) => Result,
): ErrorMakers<Code, Result>;
export function makersOf(
  declarations: Readonly<Record<string, ErrorDeclaration>>,
  wrap: (error: SvcError) => unknown,
): unknown {
  return Object.fromEntries(
    Object.entries(declarations).map(([code, declaration]) => [
      code,
      (parameters?: Readonly<Record<string, unknown>> & { details?: ErrorDetails }) =>
        wrap(makeError(code, declaration, parameters)),
    ]),
  );
}
