import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { Visit } from './visit.js';

/** What a user is known by. */
export interface Known {
  id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
}

/** A user as the pages name them to themselves. */
export const labelOfUser = ({ email, phone, name, id }: Known): string => email ?? phone ?? name ?? id;

/** Who is signed in. */
export const signedInAs = ({ texts }: Visit, user: Known): Markup =>
  fill(texts.account.signedInAs, { email: html`<bdi>${labelOfUser(user)}</bdi>` });
