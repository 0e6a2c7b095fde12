import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { EmailSystemTemplate } from '#core/kernel/system-template.js';

export interface SystemMail {
  template: EmailSystemTemplate;
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
