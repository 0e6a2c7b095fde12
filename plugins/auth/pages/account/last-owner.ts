import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import memberUpdate from '../../operations/org/member/update.js';
import type { Visit } from '../visit.js';

/*
 * The only owner of an organization cannot leave it. The hosted pages show no members: another owner must be made in
 * the app.
 */

/** Why a person cannot leave an organization, and where to make another owner. */
export const leaveBlocked = (visit: Visit, organization: string): Markup => [
  html`<p>${said(visit, visit.texts.confirm.leaveBlocked, organization)}</p>`,
  forDevelopers(visit),
];

/** Why a person cannot delete their account, by organization. */
export const deletionBlocked = (visit: Visit, organizations: readonly string[]): Markup => [
  ...organizations.map((each) => html`<p>${said(visit, visit.texts.confirm.deleteBlocked, each)}</p>`),
  forDevelopers(visit),
];

const said = ({ theme }: Visit, text: string, organization: string): Markup =>
  fill(text, {
    organization: html`<strong><bdi>${organization}</bdi></strong>`,
    brand: html`<bdi>${theme.brandName}</bdi>`,
  });

const forDevelopers = ({ texts }: Visit): Markup =>
  html`<p class="muted">${fill(texts.confirm.developer, { operation: html`<code>${memberUpdate.name}</code>` })}</p>`;
