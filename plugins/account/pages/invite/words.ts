import type { Role } from '#core/kernel/caller/caller.js';

/** What can be wrong with an invitation, as the person who holds it is told. */
export type Trouble = 'unknown' | 'expired' | 'revoked' | 'accepted' | 'limited' | 'failed';

/** What the page says, in one language. */
export interface InviteWords {
  title: string;
  heading: string;
  lead: string;
  leadWithoutPerson: string;
  address: string;
  role: string;
  until: string;
  roles: Readonly<Record<Role, { name: string; may: string }>>;
  next: { heading: string; signIn: string; ask: string };
  troubles: Readonly<Record<Trouble, { heading: string; said: string; next: string }>>;
}
