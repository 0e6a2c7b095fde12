import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { OpenWorkFinder } from '#core/messaging/broadcasts/open-work.js';
import type { BroadcastHolds } from '#core/messaging/broadcasts/past-due.js';

import type { imageInput } from './images/input.js';
import type { AutomationRun } from './automations/resources.js';

export { imageInput } from './images/input.js';
export { AutomationRun } from './automations/resources.js';
export { exampleRun } from './automations/examples.js';

/** A run of an automation in the form of replies and events. */
export type AutomationRunValue = ValueOf<typeof AutomationRun>;

type MailVariables = Readonly<Record<string, string>>;

export interface SystemMail {
  template: EmailSystemTemplate;
  to: string;
  /**
   * A function if some of its words or numbers depend on the reader: it takes the BCP 47 tag of the texts, with the
   * reader's region.
   */
  variables: MailVariables | ((formatTag: string) => MailVariables);
  /** The target of the template's button. */
  url?: string;
  /**
   * The recipient's language, BCP 47. The project's language is used if it is not given or the template does not have
   * it, else English.
   */
  locale?: string;
  /** The user it is about, so that erasing the user finds it. */
  personId?: string;
  /** An invitation to the account: a test environment sends it to an address that does not belong to a member yet. */
  toInvited?: boolean;
}

/**
 * System mail: sign-in codes, magic links, invitations, notices. It has its own lane and budgets, and its content is
 * never readable.
 */
export interface TransactionalMail {
  /**
   * Queues a system mail in the caller's transaction. Notices over their budget are sent later. The mail is stored as
   * `suppressed`, with the same answer, if mail to the address has bounced, and in a test environment if the address
   * does not belong to an active member. A confirmation also if the person reported mail as spam, or if the address was
   * suppressed manually. Sign-in mail is sent to an address that has bounced three times a day, because its user waits
   * for it and may have repaired the mailbox.
   * @returns the message's id, and whether the address is suppressed because mail to it bounced
   * @throws auth_send_limited if the budget of sign-in mail, invitations or confirmations is used up, account_closed,
   * provider_not_configured without email
   */
  queue(environment: Environment, mail: SystemMail): Promise<{ messageId: string; hasBounced: boolean }>;
}

export const transactionalMail = definePort<TransactionalMail>('email.transactionalMail');

/** Stores pictures that other products show, such as a theme's logo. */
export interface PictureStore {
  /**
   * Stores a picture in the caller's transaction, once by its content.
   * @param field its path in the request
   * @returns its public address
   * @throws invalid_input, limit_reached
   */
  store(environment: Environment, image: ValueOf<typeof imageInput>, field: string): Promise<string>;
}

export const pictureStore = definePort<PictureStore>('email.pictureStore');

/** The mail server of the deployment. */
interface MailServer {
  /** Whether one is set. Without one, mail is kept in the local mailbox. */
  isSet(): boolean;
}

export const mailServer = definePort<MailServer>('email.mailServer');

/** Whether an automation exists, for other products whose messages automations send. */
interface AutomationNames {
  /** An archived automation also counts. */
  isKnown(environmentId: string, automationId: string): Promise<boolean>;
  /** The text of a refusal for an unknown automation. */
  readonly notFound: { readonly thing: string; readonly lookup: string };
}

export const automationNames = definePort<AutomationNames>('email.automationNames');

/** The stand-in if email is not enabled: no automations exist. */
export const noAutomations = (): AutomationNames => ({
  isKnown: () => Promise.resolve(false),
  notFound: { thing: 'automation', lookup: 'sms.message.list' },
});

/** Billing holds the broadcasts of accounts that are past due, and lets them continue. */
export const emailBroadcastHolds = definePort<BroadcastHolds>('email.broadcastHolds');

/** The commands of `npm run domain-keys`. */
export interface DomainKeyCommands {
  /** One line for each key of the sending domains that are in use. @param domain all domains if not given */
  list(domain: string | undefined): Promise<string[]>;
  /**
   * Creates new DKIM keys for a sending domain and notifies the account's owners. The keys sign after their records are
   * published.
   * @returns what to publish, for people
   * @throws Error if the domain is not in use, or if earlier new keys are not yet published
   */
  rotate(domain: string): Promise<string>;
}

export const domainKeyCommands = definePort<DomainKeyCommands>('email.domainKeyCommands');

/** What of email keeps a project from being archived: open broadcasts and active automations. */
export const emailOpenWork = definePort<OpenWorkFinder>('email.openWork');
