import { SvcError } from '#core/kernel/errors/errors.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { findForm, type OpenForm } from '../../subscriptions/form.js';
import { limitForm, limitRequest } from '../../subscriptions/limits.js';
import { requestSubscription, type Entered } from '../../subscriptions/request.js';
import { subscribePath } from '../../topics/present.js';
import { appearanceFor, plainAppearance } from './appearance.js';
import { fields, readForm, sourceOf } from './form.js';
import { outcomes } from './texts.js';
import {
  consentWording,
  doneView,
  errorView,
  formView,
  isOfOtherWording,
  problemView,
  type Appearance,
} from './view.js';

/**
 * The page where people subscribe to a topic. Forms on other sites may post to it: it uses no cookie, and treats
 * everybody the same.
 */
const subscribePage: Page = {
  path: '/subscribe/{environmentId}/{topic}',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    let appearance = plainAppearance(page);
    const { requestId, ip } = page.request;
    try {
      await limitRequest(services, ip);
      const form = await findForm(services.database, page.params['environmentId'] ?? '', page.params['topic'] ?? '');
      if (!form) return problemView(appearance, 'unknown');
      appearance = await appearanceFor(page, services, form.environment);
      if (page.method === 'POST') return await submit(page, services, form, appearance);
      const done = outcomes.find((outcome) => outcome === page.query.get('done'));
      if (done) return doneView(appearance, form, done);
      return form.environment.closedAt ? problemView(appearance, 'closed') : formView(appearance, form, null);
    } catch (error) {
      return errorView(appearance, asRefusal(error, requestId, services.log), requestId);
    }
  },
};

export default subscribePage;

async function submit(
  page: PageRequest,
  services: Services,
  form: OpenForm,
  appearance: Appearance,
): Promise<PageAnswer> {
  const submitted = readForm(page.form);
  if ('field' in submitted) return formView(appearance, form, submitted);
  const { environment, settings } = form;
  const { email, firstName, isTrapped } = submitted;
  // With double opt-in, the person reads the wording on the confirmation page.
  // Anybody can read the field on svc's page and add it to a form of another site, which shows something else.
  const isShown = page.fromOwnPage && page.form.has(fields.shown);
  if (!settings.doubleOptIn && isShown && isOfOtherWording(page.form, appearance, form))
    return formView(appearance, form, { field: null, values: submitted });
  await limitForm(services, environment.id, page.request.ip, email);
  const path = subscribePath(form.topic);
  const entered = {
    email,
    firstName,
    locale: appearance.lang,
    from: sourceOf(page, `${services.deployment.baseUrl}${path}`),
    // What a form on another site shows is not known.
    wording: isShown ? consentWording(appearance, form) : null,
  };
  if (!isTrapped) await request(page, services, form, entered);
  // The same for every address. Another URL, so that reloading the page does not send the form again.
  return seeOther(`${path}?done=${settings.doubleOptIn ? 'asked' : 'registered'}`);
}

/**
 * Without double opt-in, only an address that opted out needs a mail. If it cannot be sent, the answer must still be
 * the same as for others.
 */
async function request({ request }: PageRequest, services: Services, form: OpenForm, entered: Entered): Promise<void> {
  try {
    await services.transaction({ environment: form.environment, request }, (context) =>
      requestSubscription(context, form, entered),
    );
  } catch (error) {
    if (form.settings.doubleOptIn || !isMailRefusal(error)) throw error;
  }
}

const isMailRefusal = (error: unknown): boolean =>
  error instanceof SvcError && ['auth_send_limited', 'provider_not_configured'].includes(error.code);
