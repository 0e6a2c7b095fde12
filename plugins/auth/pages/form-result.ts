import type { PageAnswer, PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { markedWithoutCookies } from './flow.js';
import { openedCookie, removedCookie, sealedCookie } from './sealed-cookie.js';
import { outcomes } from './texts/texts.js';
import type { PageProblem } from './problem.js';
import type { Visit } from './visit.js';

/*
 * Every form is answered with a redirect, so that reloading a page never submits a form again. The page behind the
 * redirect shows the result of the form once. The result is passed in a sealed cookie, because addresses are shared,
 * logged and kept in histories.
 */

/** The result of a successful form: a sentence of the account page, or a separate view. */
const dones = [...outcomes, 'code_sent', 'approved', 'denied', 'deleted'] as const;
type Done = (typeof dones)[number];

/** The result of a form, for the page that shows it. */
export interface FormResult {
  problem?: PageProblem | undefined;
  done?: Done | undefined;
  /** The button of the form. */
  action?: string | undefined;
  /** What was entered in fields that contain no secret, by the fields' names. */
  entered: ReadonlyMap<string, string>;
}

const kind = 'result';
const lifetimeSeconds = 300;

/** The fields that are filled in again after a refusal. Passwords and codes are not filled in. */
const keptFields = ['email', 'phone', 'name'] as const;
const longestKept = 254;

/** A request for a page whose forms have results. */
export interface FormVisit {
  page: PageRequest;
  visit: Visit;
  services: Services;
}

/** An address as the browser requests it, in a canonical spelling. */
const shownAt = (path: string, query: URLSearchParams): string => `${path}?${query.toString()}`;

/** The requested address, to show the same page again. */
export const pathOf = ({ path, query }: PageRequest): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

/**
 * Redirects the browser from a form to the page that shows its result.
 * @param location a path of this server
 */
export function redirectWithResult(
  { page, visit, services }: FormVisit,
  location: string,
  { problem, done }: Pick<FormResult, 'problem' | 'done'>,
  cookies: readonly PageCookie[] = [],
): PageAnswer {
  const target = markedWithoutCookies(page, location);
  const { pathname, searchParams } = new URL(target, 'http://svc.invalid');
  const { form } = page;
  const texts: Record<string, string> = {
    ...(problem && { status: String(problem.status), code: problem.code, text: problem.text }),
    ...(problem?.field === undefined ? {} : { field: problem.field }),
    ...(done === undefined ? {} : { done }),
    ...(problem && { action: form.get('do') ?? '' }),
    ...(problem && Object.fromEntries(keptFields.map((each) => [each, (form.get(each) ?? '').slice(0, longestKept)]))),
  };
  const use = { kind, boundTo: shownAt(pathname, searchParams) };
  const cookie = sealedCookie(services, visit, use, { texts, maxAgeSeconds: lifetimeSeconds });
  return seeOther(target, [...cookies, cookie]);
}

/** The result of the form before this request, if the form redirected here. @returns null for any other request */
export function formResultIn({ page, visit, services }: FormVisit): FormResult | null {
  if (page.method !== 'GET') return null;
  const texts = openedCookie(services, page, visit, { kind, boundTo: shownAt(page.path, page.query) });
  if (!texts) return null;
  const [code, text, field] = [texts.get('code'), texts.get('text'), texts.get('field')];
  const status = Number(texts.get('status'));
  return {
    problem: code === undefined || text === undefined ? undefined : { status, code, text, ...(field && { field }) },
    done: dones.find((each) => each === texts.get('done')),
    action: texts.get('action'),
    entered: new Map(keptFields.flatMap((each) => (texts.get(each) ? [[each, texts.get(each) ?? '']] : []))),
  };
}

/**
 * Removes the result that was shown. If the address checks whether the browser keeps cookies (see
 * `markedWithoutCookies`), a value without meaning remains, so that the answer is the same when the page is reloaded.
 */
export function noFormResult(page: PageRequest, visit: Visit): PageCookie {
  const removed = removedCookie(visit, kind);
  return page.query.get('cookies') === 'none' ? { name: removed.name, value: 'shown' } : removed;
}
