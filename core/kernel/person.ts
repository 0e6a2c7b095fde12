import type { Environment } from './caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import type { FullContext } from './context.js';

/** A person to erase, as a product stores people: a contact or a user. */
export interface ErasedPerson {
  /** The environment to erase from. Other environments with the same address are not changed. */
  readonly environment: Environment;
  /** The id that events, audit records and the products' rows use for the person. */
  readonly personId: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
}

/** A person whose erasure was requested. */
export interface RequestedErasure extends ErasedPerson {
  /** Rows created later may belong to another person who now has the address. */
  readonly requestedAt: Date;
  /** The audit record of the call that requested it; null if no call requested it. */
  readonly activityId: string | null;
}

/** An address of a person being erased. */
export interface PersonAddress {
  readonly environment: Environment;
  readonly personId: string;
  readonly kind: 'email' | 'phone';
  readonly address: string;
}

/** A person who has an address of an erased one, such as the user beside a contact. */
export interface AddressHolder {
  /** `contact` or `user`. */
  readonly type: string;
  readonly id: string;
  /** The operation that erases this one. */
  readonly operation: string;
}

/**
 * The other person of the environment, known to this product, who has the address; null if there is none. Called before
 * an erasure: data found by an address is erased only if no other person has that address.
 */
export type FindAddressHolder = (db: Session, address: PersonAddress) => Promise<AddressHolder | null>;

/** Things that may be about the person, as events name their subjects: `{ type: 'message', ids }`. */
export interface Subjects {
  readonly type: string;
  readonly ids: readonly string[];
}

/** The context of one step of an erasure: the server's own transaction, acting in the person's environment. */
export interface ErasureContext extends FullContext {
  /**
   * Redacts the events about these things, and the stored responses of the calls that wrote them or whose audit records
   * name them. The audit records themselves are redacted by their `personId`: from those without one, only the origin
   * of a public caller or a user is removed, so `audit` of a thing that is identified only by an address must not name
   * the address. Marks the events with the person's id, so that other products find their copies (deliveries). Runs in
   * this transaction, so pass few things at a time.
   */
  redactAbout(subjects: Subjects): Promise<void>;
}

/** The result of one step. */
export interface ErasureStep {
  /** How many rows or things were redacted; 0 if nothing is left for now. */
  readonly done: number;
  /** A worker is still processing data about the person: the erasure tries again within about a minute. */
  readonly stillInUse?: boolean;
}

/**
 * How a product erases a person. Every step must be repeatable: it may run again after a crash, or on another node at
 * the same time.
 *
 * A product registers it as `eraser` in its index.ts. A deletion stores a request (erasure/request.ts) in its own
 * transaction; the queue (erasure/queue.ts) then runs the products' erasers one after another, in the order of the
 * products' names, and last those of the kernel (erasure/kernel-erasers.ts). A product must not rely on this order:
 * rounds repeat until no eraser finds anything. docs/operating.md (Erasing people) lists what each product erases.
 */
export interface PersonEraser {
  /**
   * Redacts one batch of the product's own rows, at most 500, in one transaction. Called until it returns 0, so it must
   * not find again what it has redacted. All erasers run again until none finds anything.
   */
  readonly step: (person: RequestedErasure, context: ErasureContext) => Promise<ErasureStep>;
  /** Erases data that the product stores outside the database. Runs outside any transaction. */
  readonly outside?: (person: ErasedPerson) => Promise<void>;
}

/** Maximum number of rows per transaction, so that locks are held only briefly. */
export const erasureBatch = 500;
