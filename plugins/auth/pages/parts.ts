import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { submitOnce } from '#core/surfaces/pages/submit-once.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import { styles } from './styles.js';
import type { PageProblem } from './problem.js';
import type { Visit } from './visit.js';

interface ViewOptions {
  title: string;
  body: Markup;
  status?: number;
  script?: string;
  /** Additional directives of the page's policy. */
  policy?: Readonly<Record<string, string>>;
  /** See PageContent. */
  formTarget?: string | undefined;
  cookies?: readonly PageCookie[];
}

/** A sign-in page with the environment's theme. */
export const view = ({ lang, theme }: Visit, { title, body, script = '', ...rest }: ViewOptions): PageAnswer =>
  renderPage({ title, lang, theme, styles, body, script: submitOnce + script, ...rest });

/** A text of the page with the brand name in it. */
export const branded = ({ theme }: Visit, text: string): Markup =>
  fill(text, { brand: html`<bdi>${theme.brandName}</bdi>` });

/** The same for a title or a label. */
export const brandedText = ({ theme }: Visit, text: string): string => fillText(text, { brand: theme.brandName });

/** What is wrong with the input. Screen readers read it immediately. */
export const alert = (problem: PageProblem | undefined): Markup =>
  problem &&
  html`<div class="said wrong" role="alert" id="problem">
    <span class="mark" aria-hidden="true">!</span>
    <p>${problem.text}</p>
  </div>`;

/** The result of a form. */
export const status = (text: string | undefined): Markup =>
  text !== undefined &&
  html`<div class="said" role="status" tabindex="-1" autofocus>
    <span class="mark" aria-hidden="true">✓</span>
    <p>${text}</p>
  </div>`;

/**
 * The label of a button that appears several times on a page, together with its subject: screen readers read both, and
 * the page shows only the label. The label comes first, because it is what people who use voice control say (WCAG
 * 2.5.3).
 */
export const labelFor = (label: string, about: string): Markup =>
  html`${label}<span class="unseen"> <bdi>${about}</bdi></span>`;

/** A link that looks like a button: it leads to a page, and changes nothing. */
export const linkButton = (href: string, label: Markup): Markup =>
  html`<a class="button quiet" href=${href}>${label}</a>`;

/** A button that submits the form with `do`. */
export const button = (action: string, label: Markup, quiet = false): Markup =>
  lookedButton(action, label, quiet ? 'quiet' : null);

/** A button that removes something permanently, in the colour of problems, which has the contrast of text. */
export const dangerButton = (action: string, label: Markup): Markup => lookedButton(action, label, 'danger');

const lookedButton = (action: string, label: Markup, look: 'quiet' | 'plain' | 'danger' | null): Markup =>
  html`<button class=${look} name="do" value=${action}>${label}</button>`;

/** A separate form for one button, with additional values. */
export const oneButton = (
  action: string,
  label: Markup,
  values: Readonly<Record<string, string>> = {},
  look: 'quiet' | 'plain' | null = 'quiet',
): Markup =>
  html`<form method="post">
    ${Object.entries(values).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    ${lookedButton(action, label, look)}
  </form>`;

interface FieldOptions {
  name: string;
  label: Markup;
  type?: string;
  value?: string | undefined;
  autocomplete: string;
  hint?: string;
  maxLength?: number;
  /** Only digits. */
  numeric?: boolean;
  autofocus?: boolean;
  problem?: PageProblem | undefined;
  required?: boolean;
}

/** A labelled input. */
export function field({
  name,
  label,
  type = 'text',
  hint,
  numeric = false,
  problem,
  required = true,
  ...rest
}: FieldOptions): Markup {
  const described = [problem ? 'problem' : null, hint ? `${name}-hint` : null].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      type=${type}
      class=${numeric ? 'code' : null}
      inputmode=${numeric ? 'numeric' : null}
      value=${rest.value}
      autocomplete=${rest.autocomplete}
      maxlength=${rest.maxLength}
      required=${required}
      autofocus=${rest.autofocus ?? false}
      autocapitalize=${rest.autocomplete === 'name' ? 'words' : 'none'}
      spellcheck="false"
      aria-invalid=${problem ? 'true' : null}
      aria-describedby=${described === '' ? null : described}
    />
    ${hint !== undefined && html`<small id=${`${name}-hint`}>${hint}</small>`}
  </div>`;
}

/** An entry of a `dl class="facts"`. */
export const fact = (name: string, value: Markup): Markup =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** A line with text on both sides. */
export const divider = (text: string): Markup => html`<p class="or"><span>${text}</span></p>`;

/** A page that cannot continue: states the reason, and links to the sign-in page. */
export const problemView = (visit: Visit, title: string, problem: PageProblem): PageAnswer =>
  view(visit, {
    title,
    status: problem.status,
    body: html`<div class="card">
      <h1>${title}</h1>
      ${alert(problem)}
      <p><a class="button" href=${`${visit.root}/signin`}>${visit.texts.common.signIn}</a></p>
    </div>`,
  });
