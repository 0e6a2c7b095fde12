import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { confirmSubscription } from '../../subscriptions/confirm.js';
import { findForm, type OpenForm } from '../../subscriptions/form.js';
import { limitRequest } from '../../subscriptions/limits.js';
import { formSource } from '../../subscriptions/request.js';
import { hasExpired, openSubscription, type PendingSubscription } from '../../subscriptions/token.js';
import { subscribePath } from '../../topics/present.js';
import { appearanceFor, plainAppearance } from './appearance.js';
import { confirmView, consentWording, errorView, isOfOtherWording, problemView, type Appearance } from './view.js';

/** The page that confirmation mails lead to. Opening it changes nothing: the button subscribes. */
const confirmPage: Page = {
  path: '/subscribe/confirm',
  methods: ['GET', 'POST'],
  async answer(page, services) {
    const { requestId, ip } = page.request;
    const pending = openSubscription(services.vault, page.query.get('token') ?? '');
    // The language of the mail, then the browser's.
    const reader = { languages: [...(pending ? [pending.locale] : []), ...page.languages] };
    let appearance = plainAppearance(reader);
    try {
      await limitRequest(services, ip);
      if (!pending) return problemView(appearance, 'invalid');
      const form = await findForm(services.database, pending.environmentId, pending.topic);
      if (!form) return problemView(appearance, 'unknown');
      appearance = await appearanceFor(reader, services, form.environment);
      if (hasExpired(pending, services.clock.now())) return problemView(appearance, 'expired', form);
      if (form.environment.closedAt) return problemView(appearance, 'closed');
      if (page.method === 'GET' || isOfOtherWording(page.form, appearance, form))
        return confirmView(appearance, form, pending);
      return await confirm(page, services, { appearance, form, pending });
    } catch (error) {
      return errorView(appearance, asRefusal(error, requestId, services.log), requestId);
    }
  },
};

export default confirmPage;

async function confirm(
  { request }: PageRequest,
  services: Services,
  { appearance, form, pending }: { appearance: Appearance; form: OpenForm; pending: PendingSubscription },
): Promise<PageAnswer> {
  const { environment, topic } = form;
  const visitor = { environment, request: { ...request, via: formSource(pending.from) } };
  const outcome = await services.transaction(visitor, (context) =>
    confirmSubscription(context, form, pending, consentWording(appearance, form)),
  );
  if (outcome === 'void') return problemView(appearance, 'void', form);
  return seeOther(`${subscribePath(topic)}?done=${outcome}`);
}
