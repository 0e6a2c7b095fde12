import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { SmsSystemTemplate } from '#core/kernel/system-template.js';

export interface SignInText {
  template: SmsSystemTemplate;
  /** E.164. */
  to: string;
  variables: Readonly<Record<string, string>>;
  /** The recipient's language, BCP 47; else the project's. */
  locale?: string;
  /** The user it is about, so that erasing the user finds it. */
  personId?: string;
}

/** Texts with sign-in codes, of a product that sends texts. */
export interface SignInTexts {
  /** Whether a text could really be sent to somebody: a provider, a number and, where it is required, a registration are there. */
  available(environment: Environment): Promise<boolean>;
  /**
   * Queues a system text in the caller's transaction. Its content is never readable. In a test environment it is not sent.
   * @throws destination_not_allowed, auth_send_limited when the budget of system texts is used up, account_closed
   */
  queue(environment: Environment, text: SignInText): Promise<{ messageId: string }>;
}

export const signInTexts = definePort<SignInTexts>('auth.signInTexts');

/** What other products may know of users who signed up with an environment. */
export interface UserAddresses {
  /**
   * The email addresses that users have proven to be theirs, many at once.
   * @returns by user, the primary one first, then the oldest; users without one, and those who do not exist, are absent
   */
  verifiedEmails(environmentId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

export const userAddresses = definePort<UserAddresses>('auth.userAddresses');

/** The stand-in where auth is not enabled: there are no users. */
export const noUsers = (): UserAddresses => ({ verifiedEmails: () => Promise.resolve(new Map()) });

/** A living session of a user of the dashboard. */
export interface DashboardSession {
  sessionId: string;
  userId: string;
  primaryEmail: string | null;
  /** Addresses that the user has proven, the primary one included. */
  verifiedEmails: readonly string[];
  unverifiedEmails: readonly string[];
  /** Somebody impersonates the user. Such a session is no dashboard session. */
  impersonated: boolean;
  secondFactor: boolean;
  /** The environment's settings want a second factor, and the session has not passed one. */
  lacksRequiredFactor: boolean;
  signedInAt: Date;
}

export interface DashboardSessions {
  /**
   * The session of an access token, as it is now.
   * @param environment the one that issues dashboard sessions
   * @returns null for a token that is invalid, expired, signed out, of a banned user or of another environment
   */
  find(environment: Environment, accessToken: string): Promise<DashboardSession | null>;
}

export const dashboardSessions = definePort<DashboardSessions>('auth.dashboardSessions');
