import type { Environment, Role } from './caller/caller.js';
import type { ErasedPerson } from './erasure/person.js';
import { definePort } from './port.js';

/*
 * What the kernel itself asks of products, and what it provides to them. Any product may use these without naming a need: developers
 * provides keys, account provides the opening of accounts.
 */

export interface FirstKeys {
  secret: string;
  publishable: string;
}

export interface KeyIssuer {
  /** A first secret key with `permissions` and a first publishable key, in a new environment; their plaintexts. */
  issueFirst(holder: {
    environment: Environment;
    permissions: readonly string[];
    role: Role;
    memberId: string | null;
  }): Promise<FirstKeys>;
  /** A member's role sank, or the member left: the keys they made hold no more than this role does. */
  lowerKeys(accountId: string, memberId: string, role: Role): Promise<void>;
}

export const keyIssuer = definePort<KeyIssuer>('kernel.keyIssuer');

export interface OpenedAccount {
  accountId: string;
  projectId: string;
  live: Environment;
  test: Environment;
  memberId: string;
}

export interface AccountOpener {
  /** Is there any account yet? */
  any(): Promise<boolean>;
  /**
   * Opens an account with its owner, first project and that project's environments.
   * @throws email_taken
   */
  open(account: {
    name: string;
    email: string;
    projectName: string;
    country?: string | null;
    heardFrom?: string | null;
    heardFromDetail?: string | null;
    /** The owner's address counts as proven. */
    proven: boolean;
    /** The deployment's own account. */
    operator: boolean;
  }): Promise<OpenedAccount>;
}

export const accountOpener = definePort<AccountOpener>('kernel.accountOpener');

/** What a key has left of its minute. */
export interface KeyLimitStatus {
  of(keyId: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
}

/** Provided by the kernel itself. */
export const keyLimitStatus = definePort<KeyLimitStatus>('kernel.standings');

export interface Erasure {
  /**
   * Erases a person, once the caller's transaction has committed: events, audit records, stored answers, webhook deliveries and
   * messages are redacted, and what still waits to be sent is cancelled. What is found by an address alone is spared when another person
   * of the environment has it. The caller's own event and audit record are among them.
   * The product's own rows of the person are the caller's to delete, or its `eraser`' (see Plugin).
   */
  request(person: ErasedPerson): Promise<void>;
}

/** Provided by the kernel itself. */
export const erasure = definePort<Erasure>('kernel.erasure');
