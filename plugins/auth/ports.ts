import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { SmsSystemTemplate } from '#core/messaging/system-template.js';

export interface SignInText {
  template: SmsSystemTemplate;
  /** E.164. */
  to: string;
  variables: Readonly<Record<string, string>>;
  /** The recipient's language, BCP 47. Default: the project's language. */
  locale?: string;
  /** The user whom the text is about, so that erasing the user finds it. */
  personId?: string;
}

/** Texts with sign-in codes, provided by a product that sends texts. */
export interface SignInTexts {
  /** Whether a text could really be sent. This needs a provider, a number and, if required, a registration. */
  available(environment: Environment): Promise<boolean>;
  /**
   * Queues a system text in the caller's transaction. Its content is never readable. In a test environment it is not
   * sent.
   * @throws destination_not_allowed, auth_send_limited if the budget of system texts is used up, account_closed
   */
  queue(environment: Environment, text: SignInText): Promise<{ messageId: string }>;
}

export const signInTexts = definePort<SignInTexts>('auth.signInTexts');

/** What other products may read about users who signed up with an environment. */
export interface UserAddresses {
  /**
   * The email addresses that users have proven to be theirs, for many users at once.
   * @returns by user, the primary address first, then the oldest; users without an address, and those who do not exist,
   *   are absent
   */
  verifiedEmails(environmentId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

export const userAddresses = definePort<UserAddresses>('auth.userAddresses');

/** Used if auth is not enabled: no users exist. */
export const noUsers = (): UserAddresses => ({ verifiedEmails: () => Promise.resolve(new Map()) });

/** A live session of a user of the dashboard. */
interface DashboardSession {
  sessionId: string;
  userId: string;
  primaryEmail: string | null;
  /** Addresses that the user has proven, including the primary one. */
  verifiedEmails: readonly string[];
  unverifiedEmails: readonly string[];
  /** Whether someone impersonates the user. Such a session is not a dashboard session. */
  impersonated: boolean;
  secondFactor: boolean;
  /** Whether the environment's settings require a second factor that the session has not passed. */
  lacksRequiredFactor: boolean;
  signedInAt: Date;
}

export interface DashboardSessions {
  /**
   * The session of an access token in its current state.
   * @param environment the environment that issues dashboard sessions
   * @returns null if the token is invalid, expired, signed out, of a banned user or of another environment
   */
  find(environment: Environment, accessToken: string): Promise<DashboardSession | null>;
}

export const dashboardSessions = definePort<DashboardSessions>('auth.dashboardSessions');
