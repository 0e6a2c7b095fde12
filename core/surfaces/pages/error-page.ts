import type { SvcError } from '#core/kernel/errors/errors.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { errorTexts, type CommonPageError, type ErrorText } from './error-texts.js';
import { html } from './html.js';
import { renderPage } from './page.js';
import { defaultPageTheme, type PageTheme } from './theme.js';
import type { Translations } from '#core/kernel/language.js';
import { labelOf, textsFor } from './texts.js';

interface ErrorPageOptions {
  refusal: SvcError;
  requestId: string;
  /** BCP 47 tags, best first. */
  languages: readonly string[];
  /** The environment's theme, if the page knows its environment. */
  theme?: PageTheme;
  /** The page's own texts by error code; they take precedence over the common ones. */
  texts?: Translations<Readonly<Partial<Record<string, ErrorText>>>>;
  /** Replaces the refusal's own HTTP status. */
  status?: number;
  /** Paths with their names: other pages that the reader can visit. */
  links?: readonly (readonly [path: string, name: string])[];
}

/** The text of an error without its own text, by its HTTP status. */
const byStatus: Readonly<Record<number, CommonPageError>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  410: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
};

const isCommon = (code: string, texts: object): code is CommonPageError => Object.hasOwn(texts, code);

/**
 * Renders an error: what happened, what the reader can do and the request id, in the reader's language. The refusal's
 * own message and fix are for callers of operations, and are never shown.
 */
export function errorPage({
  refusal,
  requestId,
  languages,
  theme,
  texts,
  status,
  links,
}: ErrorPageOptions): PageAnswer {
  const { lang, texts: common } = textsFor(errorTexts, languages);
  const { code } = refusal;
  const own = texts?.[lang];
  const text =
    (own && Object.hasOwn(own, code) ? own[code] : undefined) ??
    common.common[isCommon(code, common.common) ? code : (byStatus[refusal.status] ?? 'failed')];
  return renderPage({
    title: text.heading,
    lang,
    theme: theme ?? defaultPageTheme,
    status: status ?? refusal.status,
    body: html`
      <div class="card">
        <h1>${text.heading}</h1>
        <p class="lead">${text.message}</p>
        <p>${text.next}</p>
        ${links && html`<p class="actions">${links.map(([path, name]) => html`<a href=${path}>${name}</a>`)}</p>`}
        <p class="muted">
          <small>${labelOf(lang, common.requestId)} <code>${requestId}</code></small>
        </p>
      </div>
    `,
  });
}
