import type { Page } from '#core/kernel/page.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { failureText } from '../failures/failure-text.js';
import { idOfToken } from '../accounts/links.js';
import { openSetup, settleSetup } from '../payments/setup/from-page.js';
import { paymentSetups, type PaymentSetupRow } from '../tables/payment.js';
import { appearanceFor, cardPage, leaveTo, type Appearance } from './appearance.js';
import { limitForm, limitRequest } from './limits.js';
import type { BillingTexts } from './texts/billing-texts.js';

/**
 * The page that the provider leads back to. It stores the payment method, and leads on to the address that the call
 * that started the setup gave. The credential is the token in the URL.
 */
export const paymentMethodPage: Page = {
  path: '/billing/payment-method',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    await limitRequest(services, page);
    const token = page.query.get('token') ?? '';
    const id = idOfToken(services.vault, 'payment-method', token);
    const found = id === null ? null : await services.database.findOne(paymentSetups, { id });
    if (!found) throw refusalOf.not_found({ thing: 'page', lookup: 'the link that led here' });
    if (page.method === 'POST') await limitForm(services, found.id);
    // This stores what was entered at the provider, so it makes no difference who asks first. A method that was
    // entered before the account's present one does not replace it, for example if a browser restores an old tab.
    const setup = await settleSetup(services, found);
    const appearance = await appearanceFor(page, services);
    if (page.method === 'POST' && setup.status === 'pending') {
      const url = await openSetup(services, setup);
      if (url !== null) return leaveTo(appearance, url);
    }
    if (setup.status === 'active' && setup.returnUrl !== null) return seeOther(setup.returnUrl);
    const { method } = appearance.texts;
    const lead = page.method === 'POST' && setup.status === 'pending' ? method.unavailable : leadOf(appearance, setup);
    return cardPage(
      appearance,
      method.title,
      html`<h1>${method.title}</h1>
        <p class="lead" role="status">${lead}</p>
        ${nextOf(method, setup)}`,
    );
  },
};

function leadOf({ lang, texts: { method } }: Appearance, { status, reason, failureCode }: PaymentSetupRow): string {
  return status === 'failed'
    ? fillText(method.failed, { reason: failureText(lang, failureCode, reason ?? '') })
    : method[status];
}

function nextOf(texts: BillingTexts['method'], { status, failureCode, returnUrl }: PaymentSetupRow): Markup {
  const isOver = status === 'failed' && failureCode !== 'method_superseded';
  return html`<div>
    ${isOver && returnUrl === null && html`<p>${texts.again}</p>`}
    ${status === 'pending' && html`<form method="post"><button>${texts.start}</button></form>`}
    ${returnUrl !== null && html`<p class="actions"><a href=${returnUrl} rel="noreferrer">${texts.back}</a></p>`}
  </div>`;
}
