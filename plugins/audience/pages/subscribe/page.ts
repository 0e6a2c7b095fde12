import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { findForm, type OpenForm } from '../../subscriptions/form.js';
import { limitForm, limitRequest } from '../../subscriptions/limits.js';
import { requestSubscription } from '../../subscriptions/request.js';
import { subscribePath } from '../../topics/present.js';
import { appearanceFor, plainAppearance } from './appearance.js';
import { readForm, sourceOf } from './form.js';
import { outcomes } from './texts.js';
import { consentWording, doneView, errorView, formView, problemView, type Appearance } from './view.js';

/**
 * The page where people subscribe to a topic. Forms on other sites may post to it: it uses no cookie, and does for
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
  await limitForm(services, environment.id, page.request.ip, email);
  const path = subscribePath(form.topic);
  const entered = {
    email,
    firstName,
    locale: appearance.lang,
    from: sourceOf(page, `${services.deployment.baseUrl}${path}`),
    wording: consentWording(appearance, form),
  };
  if (!isTrapped)
    await services.transaction({ environment, request: page.request }, (context) =>
      requestSubscription(context, form, entered),
    );
  // The same for every address. Another URL, so that reloading the page does not send the form again.
  if (settings.doubleOptIn) return seeOther(`${path}?done=asked`);
  return seeOther(settings.redirectUrl ?? `${path}?done=registered`);
}
