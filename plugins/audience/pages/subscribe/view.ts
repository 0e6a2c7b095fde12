import type { PageAnswer } from '#core/kernel/page.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { Language } from '#core/kernel/language.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { leadingTo } from '#core/surfaces/pages/leading-to.js';
import { renderPage, type PageContent } from '#core/surfaces/pages/page.js';
import { submitOnce } from '#core/surfaces/pages/submit-once.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import { maskedEmail, wordingOf } from '../../preferences/present.js';
import type { OpenForm } from '../../subscriptions/form.js';
import { confirmationDays, type PendingSubscription } from '../../subscriptions/token.js';
import { subscribePath } from '../../topics/present.js';
import { fields, maxNameLength, type Mistake } from './form.js';
import type { FormField, Outcome, Problem, SubscribeTexts } from './texts.js';

/** The language and theme of a page. */
export interface Appearance {
  lang: Language;
  texts: SubscribeTexts;
  theme: PageTheme;
}

const styles = `
main.frame { display: grid; gap: 1rem; align-content: start; }
.card form { margin-top: 1.5rem; } .field { margin-bottom: 1rem; }
.field input[aria-invalid=true] { border: 2px solid var(--problem); }
.wrong { margin: .375rem 0 0; color: var(--problem); font-weight: 600; font-size: .9375rem; }
label .muted { font-weight: 400; } form > p { margin-top: 1.25rem; font-size: .9375rem; }
.trap { position: absolute; inset-inline-start: -200vw; }
h1 { hyphens: auto; hyphenate-limit-chars: 16 6 6; }
@media (max-width: 30rem) { form button { width: 100%; text-align: center; } }
`;

/**
 * What the page shows about a subscription: the topic, and what the person agrees to. Consent records store it as
 * evidence.
 */
export const consentWording = ({ texts, theme }: Appearance, { topic }: OpenForm): string =>
  `${wordingOf(topic)} – ${fillText(texts.consent, { topic: topic.name, brand: theme.brandName })}`;

/** Identifies a wording in a form of svc's own pages. */
const digestOf = (wording: string): string => sha256(wording).toString('base64url').slice(0, 16);

/**
 * Whether the wording of the page has changed since the submitted form was shown. The consent would then record a
 * wording that the person did not read.
 */
export const isOfOtherWording = (submitted: URLSearchParams, appearance: Appearance, form: OpenForm): boolean => {
  const shown = submitted.get(fields.shown);
  return shown !== null && shown !== digestOf(consentWording(appearance, form));
};

const shownField = (appearance: Appearance, form: OpenForm): Markup =>
  html`<input type="hidden" name=${fields.shown} value=${digestOf(consentWording(appearance, form))} />`;

const namesIn = ({ theme }: Appearance, { topic }: OpenForm): Readonly<Record<string, Markup>> => ({
  topic: html`<bdi>${topic.name}</bdi>`,
  brand: html`<bdi>${theme.brandName}</bdi>`,
  days: String(confirmationDays),
});

/** A title has no markup. */
const titleIn = (text: string, { topic }: OpenForm): string => fillText(text, { topic: topic.name });

const page = ({ lang, theme }: Appearance, content: Omit<PageContent, 'lang' | 'theme' | 'styles'>): PageAnswer =>
  renderPage({ ...content, lang, theme, styles });

/** A form that was sent and is shown again. */
interface Sent extends Pick<Mistake, 'values'> {
  /** The field that is wrong; null if none is. */
  field: FormField | null;
}

/** @param sent the form that is shown again, with its values; null for an empty one */
export function formView(appearance: Appearance, form: OpenForm, sent: Sent | null): PageAnswer {
  const { texts } = appearance;
  const { topic } = form;
  const names = namesIn(appearance, form);
  const mistake = sent?.field ?? null;
  const values = sent?.values ?? { email: '', firstName: '' };
  const answer = page(appearance, {
    title: mistake ? texts.mistakes[mistake] : titleIn(texts.heading, form),
    status: mistake ? 422 : 200,
    script: submitOnce,
    body: html`<div class="card">
      <h1>${fill(texts.heading, names)}</h1>
      ${topic.description !== null && topic.description !== '' && html`<p class="lead"><bdi>${topic.description}</bdi></p>`}
      <form method="post" novalidate>
        ${field('email', { label: texts.email, type: 'email', autocomplete: 'email', maxLength: 254, value: values.email, required: true }, texts, mistake)}
        ${field('firstName', { label: html`${texts.firstName} <span class="muted">${texts.optional}</span>`, type: 'text', autocomplete: 'given-name', maxLength: maxNameLength, value: values.firstName, required: false }, texts, mistake)}
        <div class="trap" aria-hidden="true">
          <label for="website">${texts.leaveEmpty}</label>
          <input id="website" name=${fields.trap} tabindex="-1" autocomplete="off" />
        </div>
        <p>${fill(texts.consent, names)}</p>
        ${shownField(appearance, form)}
        <button>${texts.button}</button>
      </form>
    </div>`,
  });
  // Under no-referrer, browsers without Sec-Fetch-Site would not state that this page sent the form.
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'same-origin' } };
}

interface FieldFacts {
  label: Markup;
  type: 'email' | 'text';
  autocomplete: string;
  maxLength: number;
  value: string;
  required: boolean;
}

function field(name: FormField, facts: FieldFacts, texts: SubscribeTexts, mistake: FormField | null): Markup {
  const isWrong = mistake === name;
  return html`<div class="field">
    <label for=${name}>${facts.label}</label>
    <input
      id=${name}
      name=${fields[name]}
      type=${facts.type}
      autocomplete=${facts.autocomplete}
      maxlength=${facts.maxLength}
      value=${facts.value}
      required=${facts.required}
      autofocus=${isWrong}
      aria-invalid=${isWrong ? 'true' : null}
      aria-describedby=${isWrong ? 'mistake' : null}
    />
    ${isWrong && html`<p class="wrong" id="mistake" role="alert">${texts.mistakes[name]}</p>`}
  </div>`;
}

/** Asks for the click that subscribes: mail scanners open links. Its form posts to its own URL, which has the token. */
export function confirmView(
  appearance: Appearance,
  form: OpenForm,
  { email, firstName }: Pick<PendingSubscription, 'email' | 'firstName'>,
): PageAnswer {
  const { texts } = appearance;
  const { topic } = form;
  const names = { ...namesIn(appearance, form), email: html`<bdi>${maskedEmail(email)}</bdi>` };
  return page(appearance, {
    title: texts.confirm.heading,
    script: submitOnce,
    body: html`<div class="card">
      <h1>${texts.confirm.heading}</h1>
      <p class="lead">${fill(texts.confirm.text, names)}</p>
      ${firstName !== '' && html`<p><span class="muted">${texts.firstName}</span> <bdi>${firstName}</bdi></p>`}
      ${topic.description !== null && topic.description !== '' && html`<p><bdi>${topic.description}</bdi></p>`}
      <form method="post">
        <p>${fill(texts.consent, names)}</p>
        ${shownField(appearance, form)}
        <button>${texts.confirm.button}</button>
      </form>
    </div>`,
  });
}

/** What the form did. Once a person has subscribed, the page leads on to the address that the topic names, if any. */
export function doneView(appearance: Appearance, form: OpenForm, outcome: Outcome): PageAnswer {
  const { done, continue: label } = appearance.texts;
  const { heading, text } = done[outcome];
  const next = outcome === 'registered' || outcome === 'subscribed' ? form.settings.redirectUrl : null;
  const answer = page(appearance, {
    title: heading,
    body: html`<div class="card">
      <div role="status">
        <h1>${heading}</h1>
        <p>${fill(text, namesIn(appearance, form))}</p>
      </div>
      ${next !== null && html`<p><a class="button" href=${next}>${label}</a></p>`}
    </div>`,
  });
  return next === null ? answer : leadingTo(answer, next);
}

const statuses: Readonly<Record<Exclude<Problem, 'failed'>, number>> = {
  unknown: 404,
  invalid: 404,
  expired: 410,
  void: 410,
  limited: 429,
  closed: 403,
};

/** @param form the form to use instead, if there is one */
export const problemView = (
  appearance: Appearance,
  problem: keyof typeof statuses,
  form: OpenForm | null = null,
): PageAnswer => messageView(appearance, problem, { status: statuses[problem], form, requestId: '' });

const problemOf: Readonly<Record<string, keyof typeof statuses>> = {
  rate_limited: 'limited',
  auth_send_limited: 'limited',
  account_closed: 'closed',
  provider_not_configured: 'closed',
};

/** The page for an error that a form or its confirmation threw. */
export function errorView(appearance: Appearance, refusal: SvcError, requestId: string): PageAnswer {
  const problem = problemOf[refusal.code] ?? 'failed';
  return messageView(appearance, problem, { status: refusal.status, form: null, requestId });
}

function messageView(
  appearance: Appearance,
  problem: Problem,
  { status, form, requestId }: { status: number; form: OpenForm | null; requestId: string },
): PageAnswer {
  const { problems, again } = appearance.texts;
  const { heading, text } = problems[problem];
  const values = { days: String(confirmationDays), requestId: html`<code>${requestId}</code>` };
  return page(appearance, {
    title: heading,
    status,
    body: html`<div class="card">
      <h1>${heading}</h1>
      <p>${fill(text, values)}</p>
      ${form && html`<p><a class="button" href=${subscribePath(form.topic)}>${again}</a></p>`}
    </div>`,
  });
}
