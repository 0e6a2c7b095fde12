import type { Environment, Role, TenantCaller } from './caller/caller.js';
import type { AddressHolder, ErasedPerson, Subjects } from './person.js';
import { definePort } from './port.js';

/*
 * Ports that the kernel uses, and ports that it provides. Any product may use them without naming a need.
 */

export interface FirstKeys {
  secret: string;
  publishable: string;
}

export interface KeyIssuer {
  /**
   * Creates a first secret key with `permissions` and a first publishable key in a new environment.
   * @returns their plaintexts
   */
  issueFirst(holder: {
    environment: Environment;
    permissions: readonly string[];
    role: Role;
    /** The member who creates the keys; null for keys that belong only to the account. */
    memberId: string | null;
  }): Promise<FirstKeys>;
  /**
   * Gives a secret key all permissions of the enabled products that its role allows. Callers grant only what they hold
   * themselves, so without this no key could receive the permissions of a product that was enabled later. Writes the
   * audit record.
   * @returns the key's name and permissions; null if the key does not exist, is revoked or is publishable
   */
  grantAll(keyId: string): Promise<{ name: string; permissions: readonly string[] } | null>;
  /**
   * Lowers the secret keys that a member created, because the member was removed or got a weaker role: their role
   * becomes `developer` at most, and they lose `developers:write`. Locks every environment of the account.
   * @returns every unrevoked secret key that the member created, as it was and as it is now
   * @throws last_key if an environment would be left without a key that holds developers:write, or without one that
   *   holds all permissions
   */
  lowerKeys(accountId: string, memberId: string): Promise<LoweredKey[]>;
  /**
   * The webhook endpoints that a member created or whose address the member last set; the oldest 200. They continue
   * when the member leaves.
   */
  endpointsOf(memberId: string): Promise<MadeEndpoint[]>;
  /**
   * Lowers every secret key of an account, because its first owner has only now proven their address: the account may
   * have been opened by somebody else, who still knows the keys. Their role becomes `developer` at most, and they lose
   * `developers:write` and `account:write`. No environment keeps a key that can administer it; owners do that in the
   * dashboard. Locks every environment of the account.
   */
  lowerAll(accountId: string): Promise<LoweredAccount>;
  /**
   * The caller with its current role and permissions. A request is authenticated before its transaction begins; call
   * this once the account or environment is locked, before anything is granted.
   * @param needs the operation that is called, and the permission that it needs
   * @throws unauthenticated if the key has been revoked since, forbidden if the member was removed, permission_required
   */
  reloadCaller(caller: TenantCaller, needs: { operation: string; permission: string }): Promise<TenantCaller>;
  /**
   * Whether a key, or a member at the dashboard, still holds a permission in an environment. For things that outlast
   * the call that created them but must not outlast its permission.
   */
  stillHolds(
    holder: { kind: 'key' | 'member'; id: string },
    environment: Environment,
    permission: string,
  ): Promise<boolean>;
}

/** A key of a member who was lowered or removed, for the audit record. */
export interface LoweredKey {
  before: KeySummary;
  after: KeySummary;
}

/** Keys and endpoints that were created in an account before an owner proved their address, oldest first. */
export interface LoweredAccount {
  /** At most 200. */
  keys: readonly (LoweredKey & {
    prefix: string;
    kind: Environment['kind'];
    createdAt: Date;
    createdIp: string | null;
  })[];
  /** How many keys were lowered in total. */
  keyCount: number;
  /** The webhook endpoints, which continue; at most 200. */
  endpoints: readonly MadeEndpoint[];
}

/** A webhook endpoint, for audit records. A type, not an interface: they take plain JSON. */
export type MadeEndpoint = { id: string; environmentId: string; url: string };

/** A type, not an interface: audit records take plain JSON. */
export type KeySummary = {
  id: string;
  name: string;
  environmentId: string;
  role: Role;
  permissions: readonly string[];
};

export const keyIssuer = definePort<KeyIssuer>('kernel.keyIssuer');

export interface OpenedAccount {
  accountId: string;
  projectId: string;
  live: Environment;
  test: Environment;
  memberId: string;
}

export interface NewAccount {
  name: string;
  email: string;
  projectName: string;
  country?: string | null;
  /** The owner's address counts as proven. */
  proven: boolean;
  /** The deployment's own account. */
  operator: boolean;
}

export interface AccountOpener {
  /** Whether any account exists. */
  any(): Promise<boolean>;
  /**
   * Opens an account with its owner, first project and that project's environments.
   * @throws email_taken
   */
  open(account: NewAccount): Promise<OpenedAccount>;
}

export const accountOpener = definePort<AccountOpener>('kernel.accountOpener');

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

/** How many requests a key may still make in the current minute. */
interface KeyLimitStatus {
  /** @param lineage the caller's lineage: a rotated key continues the count of the key it replaced */
  of(lineage: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
}

/** Provided by the kernel itself. */
export const keyLimitStatus = definePort<KeyLimitStatus>('kernel.keyLimitStatus');

export interface Erasure {
  /**
   * Erases a person, once the caller's transaction has committed: events, audit records, stored answers, webhook
   * deliveries and messages are redacted, and queued messages are cancelled. Data found only by an address is kept if
   * another person in the environment has that address. The calling operation's event and audit record are redacted
   * too. The product deletes its own rows itself, or in its `eraser` (see Plugin). Input that was accepted earlier does
   * not bring the person back (erasure/erased.ts).
   * @returns the other people in the environment who have one of the addresses; data that names them stays until they
   *   are erased too
   */
  request(
    person: ErasedPerson & { externalId?: { product: string; value: string } | undefined },
  ): Promise<AddressHolder[]>;
  /**
   * Assigns the events and audit records about some things to a person, so that they are erased with the person: an
   * organization with one member often has that member's name. Records that name another person remain that person's.
   */
  attribute(person: Pick<ErasedPerson, 'environment' | 'personId'>, subjects: Subjects): Promise<void>;
}

/** Provided by the kernel itself. */
export const erasure = definePort<Erasure>('kernel.erasure');
