import type { Role } from './caller/caller.js';
import { definePort } from './port.js';

/*
 * Ports for the operator's tasks on the server's machine: the start (core/platform) uses them, and the scripts `npm run
 * bootstrap`, `npm run billing` and `npm run domain-keys`. Products provide them.
 */

/** The owners of the deployment's own (first) account, as a start sees them. */
export interface FirstOwners {
  /** Whether mail leaves the server; an owner then needs an address that somebody reads. */
  isMailSent(): boolean;
  /** The addresses of the account's active owners, in lower case; empty before the account is open. */
  addresses(): Promise<string[]>;
  /**
   * Gives the active owner who has the address `from` the address `to`, which counts as proven. Writes the audit
   * record. Dashboard sessions belong to addresses, so sessions of `from` no longer act for a member.
   * @returns the member who has `to` already, in which case nothing was changed; null if the change was made
   */
  changeAddress(from: string, to: string): Promise<{ role: Role; status: string } | null>;
}

export const firstOwners = definePort<FirstOwners>('kernel.firstOwners');

/** Restores access for an operator who has no working key or session: see `npm run bootstrap -- --unsuppress`. */
export interface BouncedMail {
  /**
   * Lifts the suppression that a bounce left on an address in the dashboard's environment, so that sign-in codes are
   * sent to it again. Writes the audit record. Repeating it changes nothing.
   * @returns whether the address was suppressed; null if there is no dashboard because auth is not enabled
   */
  allowInDashboard(address: string): Promise<boolean | null>;
}

/** Provided by the product that keeps suppressions. */
export const bouncedMail = definePort<BouncedMail>('kernel.bouncedMail');

/** The commands of `npm run billing`. */
export interface InvoiceCommands {
  /**
   * One line for each invoice, newest first.
   * @param status a status of issued invoices; all if not given
   * @throws Error for any other status
   */
  list(status: string | undefined): Promise<string[]>;
  /**
   * Marks an open or past-due invoice as paid.
   * @param override allows it even while a payment is pending at a payment provider that is no longer configured
   * @returns what happened, for people
   * @throws Error if it cannot
   */
  markPaid(number: string, override?: boolean): Promise<string>;
  /**
   * Cancels an open or past-due invoice: nothing remains to be paid.
   * @param override as for markPaid
   * @returns what happened
   * @throws Error if it cannot
   */
  markVoid(number: string, reason: string, override?: boolean): Promise<string>;
}

export const invoiceCommands = definePort<InvoiceCommands>('invoiceCommands');

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

export const domainKeyCommands = definePort<DomainKeyCommands>('domainKeyCommands');
