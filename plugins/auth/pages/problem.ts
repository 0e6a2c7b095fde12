import { SvcError } from '#core/kernel/errors/errors.js';
import { formatWait } from '#core/surfaces/pages/texts.js';
import { pageErrorCodes, type PageErrorCode } from './texts/texts.js';
import type { Visit } from './visit.js';

/** What went wrong with a form, for the reader. */
export interface PageProblem {
  status: number;
  text: string;
  code: string;
  /** The name of the invalid field in the operation. */
  field?: string;
}

const isKnown = (code: string): code is PageErrorCode => pageErrorCodes.some((known) => known === code);

/** What to enter in a field whose input was refused, by the field's name in the operations. */
const inputTexts: Readonly<Record<string, PageErrorCode>> = {
  email: 'invalid_address',
  phone: 'invalid_number',
  code: 'six_digits',
};

/** The text for codes that do not have their own, by HTTP status. The operation's message is for its callers. */
const byStatus: Readonly<Record<number, PageErrorCode>> = {
  400: 'invalid_input',
  404: 'not_found',
  429: 'rate_limited',
  503: 'unavailable',
};

/** A refusal in words for the reader. */
export function problemOf({ formatTag, texts, theme }: Visit, refusal: SvcError): PageProblem {
  const { status, details, values: given } = refusal;
  // The last try was used: the next one would be refused, so the page starts again immediately.
  const code = refusal.code === 'wrong_code' && details?.['attemptsLeft'] === 0 ? 'challenge_locked' : refusal.code;
  const values: Record<string, string> = {
    brand: theme.brandName,
    wait: formatWait(formatTag, Number(given['seconds'] ?? 60)),
    count: String(given['limit'] ?? ''),
    attempts: JSON.stringify(details?.['attemptsLeft'] ?? 0),
  };
  const field = code === 'invalid_input' && typeof details?.['field'] === 'string' ? details['field'] : undefined;
  const said = (field !== undefined && Object.hasOwn(inputTexts, field) ? inputTexts[field] : undefined) ?? code;
  const text = texts.errors[isKnown(said) ? said : (byStatus[status] ?? 'failed')];
  return {
    status,
    code,
    ...(field === undefined ? {} : { field }),
    text: text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  };
}

/**
 * The text for a link's token that belongs to nothing: nobody entered it, so `not_found` and `invalid_input` would
 * explain nothing.
 */
export const linkProblem = ({ texts }: Visit, problem: PageProblem): PageProblem =>
  ['not_found', 'invalid_input', 'not_a_link'].includes(problem.code)
    ? { ...problem, text: texts.errors.link_unknown }
    : problem;

/**
 * Runs what a form requests.
 * @param passOn codes that the outer caller answers
 * @returns its result, or the problem to show. Errors that are svc's own fault are thrown
 */
export async function attempt<T>(
  visit: Visit,
  work: () => Promise<T>,
  passOn: readonly string[] = [],
): Promise<{ done: T } | { problem: PageProblem }> {
  try {
    return { done: await work() };
  } catch (error) {
    if (!(error instanceof SvcError) || error.status === 500 || passOn.includes(error.code)) throw error;
    return { problem: problemOf(visit, error) };
  }
}
