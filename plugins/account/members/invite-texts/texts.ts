import type { Role } from '#core/kernel/caller/caller.js';

export const mistakes = ['wrongCode', 'codeEnded', 'nothingWaits'] as const;

/** Why the visitor must enter something again: it was not accepted, or no sign-in is waiting for it in this browser. */
export type Mistake = (typeof mistakes)[number];

/** Why the page cannot show an invitation. */
export type Problem = 'unknown' | 'expired' | 'revoked' | 'accepted' | 'limited' | 'secondStep' | 'failed';

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
  /** In place of the role's description, if the invitation has only some permissions of the role. */
  narrowed: {
    /** The areas that the member can change. */
    change: string;
    /** The areas that the member can only see. */
    see: string;
    /** By product. */
    areas: Readonly<Record<string, string>>;
  };
  /** If invitations cannot be accepted. */
  next: { heading: string; unavailable: string };
  accept: {
    heading: string;
    start: string;
    sendCode: string;
    sendAgain: string;
    sent: string;
    code: string;
    second: string;
    secondCode: string;
    button: string;
    /** If codes are off: on the hosted sign-in page. */
    signIn: string;
    signInButton: string;
    doneHeading: string;
    done: string;
    /** What a new member can do in the browser, and how to work with the account. */
    after: {
      heading: string;
      signIn: string;
      signInWhy: string;
      /** For owners, if billing is enabled. */
      invoices: string;
      /** A button, if the console is on. */
      console: string;
      work: string;
      reference: string;
    };
    mistakes: Readonly<Record<Mistake, string>>;
  };
  problems: Readonly<Record<Problem, { heading: string; explanation: string; next: string }>>;
}
