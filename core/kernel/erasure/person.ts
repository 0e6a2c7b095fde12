import type { Environment } from '../caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import type { FullContext } from '../context.js';

/** Somebody of whom nothing may be left: a contact, a user. */
export interface ErasedPerson {
  /** Where the person is known. Another environment that knows the same address keeps it. */
  readonly environment: Environment;
  /** The id that News.personId, AuditNote.personId and the products' own rows name the person by. */
  readonly personId: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
}

/** Somebody whose erasure was asked for. */
export interface RequestedErasure extends ErasedPerson {
  /** What is made after this may be somebody else's who has the address since. */
  readonly requestedAt: Date;
}

/** An address of a person being erased. */
export interface PersonAddress {
  readonly environment: Environment;
  readonly personId: string;
  readonly kind: 'email' | 'phone';
  readonly address: string;
}

/**
 * Does another person of the environment, known to this product, have the address? Asked before an erasure: what is found by an address
 * is erased only when nobody else has it.
 */
export type AddressCheck = (db: Session, address: PersonAddress) => Promise<boolean>;

/** Things of which some speak of the person: `{ type: 'message', ids }`, as events name their subjects. */
export interface Subjects {
  readonly type: string;
  readonly ids: readonly string[];
}

/** What one step of an erasure has: a transaction of the server's own, acting in the person's environment. */
export interface ErasureContext extends FullContext {
  /**
   * Redacts the events about these things, and the stored answers of the calls that wrote them or whose audit records name them. From
   * then on the events speak of the person, so that what others keep of them (deliveries) is found by it. Name few at a time: it all
   * belongs to this transaction.
   */
  redactAbout(subjects: Subjects): Promise<void>;
}

/** What one step came to. */
export interface ErasureStep {
  /** Rows or things redacted. 0 ends this eraser's turn: nothing is left for now. */
  readonly done: number;
  /** A worker still has something in hand that speaks of the person: the erasure comes back to it within a minute or so. */
  readonly inWork?: boolean;
}

/** How a product forgets a person. Whatever it does may be done again, after a crash or by another node at the same time. */
export interface PersonEraser {
  /**
   * Redacts one batch of the product's own rows, of at most 500 rows, in one transaction. Called until it says 0, so what it has
   * redacted it must not find again; and called from the beginning after that, until nobody finds anything.
   */
  readonly step: (person: RequestedErasure, context: ErasureContext) => Promise<ErasureStep>;
  /** What the product keeps outside the database. Runs outside any transaction. */
  readonly outside?: (person: ErasedPerson) => Promise<void>;
}

/** Rows of one transaction, at most: few enough to hold no lock for long. */
export const erasureBatch = 500;
