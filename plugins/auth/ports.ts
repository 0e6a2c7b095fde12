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
