import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { definePort } from '#core/kernel/port.js';
import type { Meter } from './meters.js';
import type { Standing } from './tables/account.js';
import type { Fee } from './tables/passthrough.js';

export type { Meter } from './meters.js';

/** Something that was used. */
export interface Usage {
  readonly meter: Meter;
  /** How many units. */
  readonly quantity: number;
  /** ISO 3166-1 alpha-2 if the meter has prices by country, otherwise null. */
  readonly country: string | null;
  /** What was used: the id of a message, broadcast, number or user. */
  readonly sourceId: string;
  /**
   * For usage that is reversed: when it was recorded, if that is known. It is reversed at the prices of that month.
   */
  readonly recordedAt?: Date | undefined;
}

export interface MoneyValue {
  readonly currency: string;
  /** A decimal number. */
  readonly amount: string;
}

/**
 * Meters usage in the caller's transaction: it is charged if and only if the transaction commits. Nothing is metered in
 * the dashboard's project.
 */
export interface Metering {
  /**
   * Appends usage that is never refused: system messages, rent, and usage that was already accepted and can no longer
   * be refused.
   */
  record(environment: Environment, usages: readonly Usage[]): Promise<void>;
  /**
   * Appends usage, or refuses it if its highest price would cross the account's spending cap. Call it once for
   * everything that the call accepts and before anything else is written. If it returns a refusal, return that from the
   * handler (or commit the transaction of a worker and queue nothing): the rows written up to then record that the cap
   * was reached.
   * @returns spending_cap_reached, as `refuse` makes it; null once the usage is recorded
   */
  recordWithinCap(environment: Environment, usages: readonly Usage[]): Promise<Refusal | null>;
  /**
   * Gives back usage of work that ended without having been submitted: appends rows with the negative quantity to the
   * months in which the usage is charged. Usage of a closed month is credited in the present one, at what it had cost.
   * Usage that was never recorded, because billing was not enabled then, is not reversed.
   * @param usages as they were recorded; units of one meter and country may be one usage, with the id of their
   * broadcast
   */
  reverse(environment: Environment, usages: readonly Usage[]): Promise<void>;
  /**
   * Corrects usage that was recorded at its most expensive outcome, such as a text whose number of segments was not
   * known.
   * @param usages with the difference as quantity. It is never refused. If it is negative, less was used: it is given
   * back as `reverse` does.
   */
  adjust(environment: Environment, usages: readonly Usage[]): Promise<void>;
  /**
   * The price of usage now, at the tiers that the month has reached. Writes nothing.
   * @returns 0 in test environments; null if billing is not enabled
   */
  estimate(environment: Environment, usages: readonly Usage[]): Promise<MoneyValue | null>;
  /**
   * Whether usage would cross the cap now, for the readiness of broadcasts, regardless of what its source has reserved.
   * Writes nothing.
   * @returns a readiness problem; null if it would not
   */
  capProblem(
    environment: Environment,
    usages: readonly Usage[],
  ): Promise<{ code: 'spending_cap_reached'; message: string; fix: string } | null>;
  /**
   * Reserves usage that is recorded later in steps (`recordReserved`), such as that of a broadcast whose messages have
   * not been made yet, or refuses it as `recordWithinCap` does. It replaces what the same source had reserved.
   * @param usages all of one source
   * @returns spending_cap_reached; null once it is reserved
   */
  reserve(environment: Environment, usages: readonly Usage[]): Promise<Refusal | null>;
  /**
   * Whether `reserve` must come before usage of a source is recorded: the usage costs something, the account has a cap,
   * and the source has reserved nothing of the present month. Writes nothing.
   */
  mustReserve(environment: Environment, usages: readonly Usage[]): Promise<boolean>;
  /**
   * Appends usage as `recordWithinCap` does, but takes it from what its source has reserved first.
   * @param usages of one source, each meter and country once
   */
  recordReserved(environment: Environment, usages: readonly Usage[]): Promise<Refusal | null>;
  /** Returns the part of a source's reservation that is not used. */
  returnReserved(sourceId: string): Promise<void>;
  /** Emits billing.cap.reached, once for each cap and month, for something that is held because of the cap. */
  noteReached(environment: Environment): Promise<void>;
}

export const metering = definePort<Metering>('billing.metering');

/** The stand-in if billing is not enabled: nothing is metered or refused. */
export const noMetering = (): Metering => ({
  record: () => Promise.resolve(),
  recordWithinCap: () => Promise.resolve(null),
  reverse: () => Promise.resolve(),
  adjust: () => Promise.resolve(),
  estimate: () => Promise.resolve(null),
  capProblem: () => Promise.resolve(null),
  reserve: () => Promise.resolve(null),
  mustReserve: () => Promise.resolve(false),
  recordReserved: () => Promise.resolve(null),
  returnReserved: () => Promise.resolve(),
  noteReached: () => Promise.resolve(),
});

/** Monthly active users, for auth. */
export interface ActiveUsers {
  /**
   * Meters a user who signed in or refreshed a session: once per user and month. Never call it for imports and
   * impersonation.
   */
  record(environment: Environment, userId: string): Promise<void>;
  /** Whether `record` has metered the user this month. */
  isRecorded(environment: Environment, userId: string): Promise<boolean>;
}

export const activeUsers = definePort<ActiveUsers>('billing.activeUsers');

export const noActiveUsers = (): ActiveUsers => ({
  record: () => Promise.resolve(),
  isRecorded: () => Promise.resolve(true),
});

/** Whether an account pays its invoices, for the products that send broadcasts. */
export interface Standings {
  /** `past_due`: broadcasts wait (billing_past_due); everything else continues. */
  standing(accountId: string): Promise<Standing>;
}

export const standings = definePort<Standings>('billing.standings');

/** The stand-in if billing is not enabled. */
export const goodStanding = (): Standings => ({ standing: () => Promise.resolve('good') });

/** @throws billing_past_due if an invoice of the account is overdue; never in test environments */
export async function requireGoodStanding(
  { use, fail }: Pick<Context<never, 'billing_past_due'>, 'use' | 'fail'>,
  { kind, accountId }: Environment,
  operation: string,
): Promise<void> {
  if (kind === 'live' && (await use(standings).standing(accountId)) === 'past_due')
    throw fail.billing_past_due({ operation, pay: 'billing.invoice.pay', list: 'billing.invoice.list' });
}

/** Fees at cost, for products for which a carrier charges. They are never refused. */
export interface PassThroughFees {
  /**
   * Adds a fee to the present month of the environment's account, or to the next open one if a wrong clock closed it
   * early, in the caller's transaction, and emits billing.passthrough.recorded. Test environments are not charged. The
   * calling operation declares that event.
   * @param fee its amount as a decimal number above 0 in the deployment's currency; the same reference is recorded only
   * once per account
   */
  record(environment: Environment, fee: Fee & { amount: string; reference: string }): Promise<void>;
}

export const passThroughFees = definePort<PassThroughFees>('billing.passThroughFees');

/** The stand-in if billing is not enabled: nothing is charged. */
export const noFees = (): PassThroughFees => ({ record: () => Promise.resolve() });

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

export const invoiceCommands = definePort<InvoiceCommands>('billing.invoiceCommands');
