import type { Page, PageAnswer } from '#core/kernel/page.js';
import { lacksCookies } from './flow.js';
import { formResultIn, noFormResult, type FormResult, type FormVisit } from './form-result.js';
import { visitOf } from './visit.js';

/** A request for a hosted page. */
export interface HostedVisit extends FormVisit {
  /** The result of the form before this request; empty if there was none. */
  result: FormResult;
}

/** A page of an environment, which shows the result of a form once. */
export const hostedPage = (facts: Omit<Page, 'answer'>, answer: (on: HostedVisit) => Promise<PageAnswer>): Page => ({
  ...facts,
  async answer(page, services) {
    const visit = await visitOf(page, services);
    const found = formResultIn({ page, visit, services });
    const cookiesOff = { status: 400, code: 'cookies_off', text: visit.texts.errors.cookies_off };
    const none = { problem: lacksCookies(page) ? cookiesOff : undefined, entered: new Map<string, string>() };
    const answered = await answer({ page, visit, services, result: found ?? none });
    // A redirect shows nothing: the result is for the page that the person returns to.
    if (found === null || answered.status === 303) return answered;
    return { ...answered, cookies: [...(answered.cookies ?? []), noFormResult(page, visit)] };
  },
});
