import type { Deployment } from '#core/kernel/deployment.js';
import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import { developerStyles } from './developer-styles.js';
import { html, type Markup } from './html.js';
import { renderPage } from './page.js';
import { defaultPageTheme } from './theme.js';

/** The host must also be loopback: a site whose name resolves to 127.0.0.1 must not read sign-in codes here. */
const loopbackName = /^(localhost|.+\.localhost|127\.0\.0\.1|\[?::1\]?)$/i;
const loopbackAddress = /^(127(\.\d{1,3}){3}|::1)$/;

/**
 * Whether a request may see messages that were kept instead of being sent. They contain sign-in codes, so only requests
 * from this machine may.
 */
export const isFromDeveloper = (
  { forwarded, host, request }: PageRequest,
  { deployment }: { readonly deployment: Pick<Deployment, 'production'> },
): boolean => !deployment.production && !forwarded && loopbackAddress.test(request.ip) && loopbackName.test(host);

interface DeveloperPage {
  title: string;
  body: Markup;
  status?: number;
  /** Additional CSS and a script; both must be constant text. */
  styles?: string;
  script?: string;
  policy?: Readonly<Record<string, string>>;
}

/**
 * A page for developers, in English. Nothing remote is loaded, not even images; its script may poll the page itself for
 * news.
 */
export const developerPage = ({ policy, styles = '', ...content }: DeveloperPage): PageAnswer =>
  renderPage({
    lang: 'en',
    theme: { ...defaultPageTheme, brandName: 'svc' },
    ...content,
    styles: `${developerStyles}${styles}`,
    policy: {
      'img-src': 'data:',
      ...(content.script === undefined ? {} : { 'connect-src': "'self'" }),
      ...policy,
    },
  });

/** A page of status 404 with a heading and a sentence. */
export const developerNotice = (title: string, words: Markup): PageAnswer =>
  developerPage({
    title,
    status: 404,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p class="lead">${words}</p>
    </div>`,
  });

/** For callers who may not see the page, and for things that do not exist. */
export const nothingHere = (): PageAnswer => developerNotice('Page not found', 'There is nothing at this address.');

/** Words only for screen readers. */
export const unseen = (words: Markup): Markup => html`<span class="unseen">${words}</span>`;

/**
 * A button that asks for confirmation before everything is removed, in a popover, which needs no script. It posts
 * `do=clear`.
 */
export const clearButton = (name: string, total: number, thing: 'message' | 'text'): Markup => html`
  <button class="quiet" type="button" popovertarget="clear">Clear</button>
  <form id="clear" class="card ask" method="post" popover="auto" aria-label=${name}>
    <p>
      ${total === 1 ? `Delete the one ${thing}? It cannot` : `Delete all ${total} ${thing}s? They cannot`} be restored.
    </p>
    <button name="do" value="clear">Delete all</button>
  </form>
`;
