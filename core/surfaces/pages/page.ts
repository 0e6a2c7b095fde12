import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { appSchemeOf } from './app-scheme.js';
import { html, markupText, type Markup } from './html.js';
import { stylesheet } from './styles.js';
import { webAddress, type PageTheme } from './theme.js';
import { textTag, type Translations } from '#core/kernel/language.js';
import { textsFor } from './texts.js';

export interface PageContent {
  title: string;
  /** BCP 47 tag of the page's language. */
  lang: string;
  theme: PageTheme;
  /** The content of the main landmark, beginning with the h1. */
  body: Markup;
  /** Default: 200. */
  status?: number;
  /** Additional CSS; must be constant text, never input. */
  styles?: string;
  /** A script; must be constant text, never input. Without it the page's policy allows no script. */
  script?: string;
  /** Additional or replaced directives of the Content-Security-Policy: `{ 'frame-src': "'self'" }`. */
  policy?: Readonly<Record<string, string>>;
  /**
   * Where the page's forms may lead to. Only that of an app with its own scheme matters: it is reached by a
   * redirect, because browsers open apps only after a click. For all others see `leadingTo`.
   */
  formTarget?: string | undefined;
  cookies?: readonly PageCookie[];
}

const frameTexts: Translations<{ help: string }> = {
  en: { help: 'Help' },
  de: { help: 'Hilfe' },
  fr: { help: 'Aide' },
  es: { help: 'Ayuda' },
  pt: { help: 'Ajuda' },
};

/**
 * Renders a hosted page: the whole document with the security headers of all hosted pages (docs/reliability.md). By
 * default the page runs no script and loads only images. Its forms lead only to this server (see `leadingTo`),
 * or to an app.
 */
export function renderPage(content: PageContent): PageAnswer {
  const nonce = randomBytes(16).toString('base64');
  return {
    status: content.status ?? 200,
    body: `<!doctype html>\n${markupText(documentOf(content, nonce))}\n`,
    type: 'text/html; charset=utf-8',
    headers: {
      ...privateHeaders,
      'Content-Language': textTag(content.lang),
      'Content-Security-Policy': policyText({
        'default-src': "'none'",
        'style-src': `'nonce-${nonce}'`,
        'img-src': "'self' https: data:",
        'form-action': ["'self'", appSchemeOf(content.formTarget ?? '') ?? ''].join(' ').trim(),
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        ...(content.script === undefined ? {} : { 'script-src': `'nonce-${nonce}'` }),
        ...content.policy,
      }),
    },
    ...(content.cookies ? { cookies: content.cookies } : {}),
  };
}

/** Headers of every hosted page and file: no caching, no content sniffing, no referrer, no embedding. */
export const privateHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Formats a Content-Security-Policy. */
export const policyText = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');

const documentOf = ({ title, lang, theme, body, styles, script }: PageContent, nonce: string) => html`
  <html lang=${textTag(lang)}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>${title === theme.brandName ? title : `${title} · ${theme.brandName}`}</title>
      <link rel="icon" href="data:," />
      <style nonce=${nonce} dangerouslySetInnerHTML=${{ __html: stylesheet(theme, styles) }} />
      ${script !== undefined && html`<script type="module" nonce=${nonce} dangerouslySetInnerHTML=${{ __html: assertEmbeddable(script) }} />`}
    </head>
    <body>
      <header class="frame">${brand(theme)}</header>
      <main class="frame">${body}</main>
      <footer class="frame foot">${support(theme, textsFor(frameTexts, [lang]).texts.help)}</footer>
    </body>
  </html>
`;

const brand = ({ brandName, logoUrl }: PageTheme): Markup => {
  const logo = webAddress(logoUrl, ['https:']);
  return html`<span class="brand">${logo !== null && html`<img src=${logo} alt="" />`}<bdi>${brandName}</bdi></span>`;
};

const support = ({ supportUrl, supportEmail }: PageTheme, help: string): Markup => {
  const address = webAddress(supportUrl, ['https:', 'http:']);
  return [
    address !== null && html`<a href=${address} rel="noopener noreferrer">${help}</a>`,
    supportEmail !== null && html`<a href=${`mailto:${encodeURIComponent(supportEmail)}`}>${supportEmail}</a>`,
  ];
};

const assertEmbeddable = (script: string): string => {
  if (/<\/script|<!--/i.test(script)) throw new Error('A page’s script must not contain </script or <!--.');
  return script;
};
