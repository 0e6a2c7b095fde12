import type { Role } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { InviteTexts } from '../members/invite-texts/texts.js';
import { atOwnShard } from '#core/runtime/shard.js';

type Server = Pick<Deployment, 'baseUrl' | 'products' | 'settings'>;

/** What the new member sees. */
interface Joined {
  account: Markup;
  role: Role;
  /** The id of the environment that issues dashboard sessions. */
  environmentId: string;
}

/** The page after the invitation is accepted. */
export const joinedView = ({ account, role, environmentId }: Joined, texts: InviteTexts, server: Server): Markup => {
  const { doneHeading, done, after } = texts.accept;
  const getsInvoices = role === 'owner' && server.products.includes('billing');
  return html`<div class="card accept">
    <h1>${doneHeading}</h1>
    <p role="status">${fill(done, { account: html`<strong>${account}</strong>` })}</p>
    ${nextSteps(environmentId, texts, server, getsInvoices && html`<p>${after.invoices}</p>`)}
  </div>`;
};

/**
 * What a member can do next, in the browser and with programs.
 * @param environmentId the environment that issues dashboard sessions: on its hosted account page, members see and
 *   change how they sign in
 * @param more what else this member can do in the browser
 */
export const nextSteps = (
  environmentId: string,
  texts: InviteTexts,
  { baseUrl, settings }: Server,
  more?: Markup,
): Markup => {
  const { after } = texts.accept;
  const hasConsole = settings.console === 'on';
  return [
    html`<h2>${after.heading}</h2>`,
    hasConsole && html`<p><a class="button" href=${atOwnShard('/console')} hreflang="en">${after.console}</a></p>`,
    html`<p>${after.signInWhy}</p>`,
    signInSettings(environmentId, texts),
    more,
    html`<p>
      ${fill(after.work, { reference: html`<a href="/docs/reference" hreflang="en">${after.reference}</a>` })}
    </p>`,
    html`<p class="command">
      <code>npm install -g ${baseUrl}/clients/svc-cli.tgz</code><br /><code>svc login --base-url ${baseUrl}</code>
    </p>`,
  ];
};

/** The link to the hosted page where a member sees and changes how they sign in. */
export const signInSettings = (environmentId: string, { accept: { after } }: InviteTexts): Markup =>
  html`<p><a class="button" href=${`/auth/${environmentId}/account`}>${after.signIn}</a></p>`;
