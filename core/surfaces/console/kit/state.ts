import { signal } from '@preact/signals';
import type { OperationName } from '../../sdk/operations.gen.js';
import type { ConsoleCatalogue, ConsoleOperation } from '../shared.js';

/* What every screen of the console reads: the server's catalogue, who is signed in, and the environment on screen. */

/** A JSON object of a reply, or the input of a call. */
export type Row = Readonly<Record<string, unknown>>;

/** The fields of an operation's input. */
export type ConsoleFields = ConsoleOperation['input'];

/** An environment that the person may act in. */
export interface EnvironmentChoice {
  readonly environmentId: string;
  readonly kind: string;
  readonly project: string;
  readonly account: string;
  /** Its project is archived: nothing in it can be changed. */
  readonly archived?: boolean;
}

/** Who acts, where, and with which permissions: the reply of developers.key.current. */
export interface Acting {
  readonly environmentId: string;
  readonly kind: string;
  readonly account: string;
  readonly project: string;
  /** The signed-in member; null if a secret key is used. */
  readonly member: { readonly email: string; readonly id: string; readonly isNarrowed: boolean } | null;
  /** Of the member or the key. */
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

export const catalogue = signal<ConsoleCatalogue | undefined>(undefined);
export const choices = signal<readonly EnvironmentChoice[]>([]);
export const acting = signal<Acting | undefined>(undefined);

/** What the loaded catalogue has under a name; undefined if the product is off or the operation does not exist. */
export const operationNamed = (name: string): ConsoleOperation | undefined =>
  catalogue.value?.operations.find((each) => each.name === name);

/** Whether the server has an operation. */
export const has = (name: string): boolean => operationNamed(name) !== undefined;

/** Why the person may not do what only owners may. @returns a sentence for the disabled button; undefined for owners */
export function refusalForOwners(): string | undefined {
  const here = acting.value;
  if (!here || here.role === 'owner') return undefined;
  const whose = here.member ? 'Your role' : 'The role of this key';
  return `Only an owner of the account can do this. ${whose} is ${here.role}.`;
}

/**
 * Why the person may not call an operation here, also if the server does not have it.
 * @returns a sentence for the disabled button; undefined if they may
 */
export function refusalFor(named: ConsoleOperation | OperationName): string | undefined {
  const operation = typeof named === 'string' ? operationNamed(named) : named;
  if (!operation) return 'This server does not have the operation.';
  const here = acting.value;
  if (!here) return undefined;
  if (operation.refusesTest === 'everyone' && here.kind === 'test') return 'Only available in the live environment.';
  if (operation.refusesTest === 'keys' && here.kind === 'test' && !here.member)
    return 'Keys of the test environment may not do this. Use a key of the live environment.';
  if (operation.access === 'publishable' || operation.access === 'user' || operation.access === 'public')
    return undefined;
  if (operation.permission !== undefined && !here.permissions.has(operation.permission)) {
    const who = !here.member
      ? 'This key does not have it'
      : `${here.member.isNarrowed ? 'Your access' : `Your role, ${here.role},`} does not include it`;
    return `Needs the permission ${operation.permission}. ${who}.`;
  }
  return operation.ownerOnly ? refusalForOwners() : undefined;
}
