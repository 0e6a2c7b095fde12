import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { Visit } from './visit.js';

/** The fields of a user that a page can show as their name. */
export interface NamedUser {
  id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
}

/** The name that pages show to a user for that user. */
export const labelOfUser = ({ email, phone, name, id }: NamedUser): string => email ?? phone ?? name ?? id;

/** The line that shows who is signed in. */
export const signedInAs = ({ texts }: Visit, user: NamedUser): Markup =>
  fill(texts.account.signedInAs, { email: html`<bdi>${labelOfUser(user)}</bdi>` });
