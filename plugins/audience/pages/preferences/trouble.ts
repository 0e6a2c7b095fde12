import type { SvcError } from '#core/kernel/errors/errors.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { Setting } from './view.js';
import type { Trouble } from './words.js';

const troubles: Readonly<Record<string, Trouble>> = {
  not_found: 'unknown',
  link_expired: 'expired',
  rate_limited: 'limited',
};

/** A page that says what is wrong, and what to do about it. */
export function troubleView({ lang, words, theme }: Setting, refusal: SvcError, requestId: string): PageAnswer {
  const { heading, said, next } = words.troubles[troubles[refusal.code] ?? 'failed'];
  return renderPage({
    title: heading,
    lang,
    theme,
    status: refusal.status,
    body: html`
      <div class="card">
        <h1>${heading}</h1>
        <p class="lead">${said}</p>
        <p>${fill(next, { requestId: html`<code>${requestId}</code>` })}</p>
      </div>
    `,
  });
}
