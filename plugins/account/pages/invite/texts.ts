import type { Role } from '#core/kernel/caller/caller.js';

/** Why the page cannot show an invitation. */
export type Problem = 'unknown' | 'expired' | 'revoked' | 'accepted' | 'limited' | 'failed';

/** The page's texts in one language. */
export interface InviteTexts {
  title: string;
  heading: string;
  lead: string;
  leadWithoutInviter: string;
  address: string;
  role: string;
  validUntil: string;
  roles: Readonly<Record<Role, { name: string; description: string }>>;
  next: { heading: string; signIn: string; unavailable: string };
  problems: Readonly<Record<Problem, { heading: string; explanation: string; next: string }>>;
}
