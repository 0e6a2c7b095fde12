import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';

/** A mail that the service itself sends on a project's behalf, in every language it speaks. Texts are Liquid templates. */
export interface SystemTemplate {
  /** Its name, such as account.member.invite. */
  readonly name: string;
  /** Variables that every text is given. */
  readonly variables: readonly string[];
  readonly locales: Readonly<
    Record<string, { subject: string; heading: string; body: string; button?: string; footer: string }>
  >;
}

export interface SystemMail {
  template: SystemTemplate;
  to: string;
  variables: Readonly<Record<string, string>>;
  /** Where the template's button leads. */
  url?: string;
  /** BCP 47; English where the template does not speak it. */
  locale?: string;
}

/** Sign-in codes, magic links, invitations: in their own lane and budget, their content never readable. */
export interface TransactionalMail {
  /**
   * Queues a system mail with the caller's rows.
   * @returns the message's id
   * @throws auth_send_limited when the environment's budget is used up, account_closed, provider_not_configured without email
   */
  queue(environment: Environment, mail: SystemMail): Promise<{ messageId: string }>;
}

export const transactionalMail = definePort<TransactionalMail>('email.transactionalMail');
