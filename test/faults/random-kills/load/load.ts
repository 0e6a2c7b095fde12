import type { Random } from '../../support/workload.js';
import type { Caller } from '../client.js';
import type { Deployment } from '../deployment.js';

/** What one client of a load works with. */
export interface Client extends Caller {
  /** Unique in the run, also as part of an address: `1-mail-2`. */
  readonly name: string;
  readonly random: Random;
  readonly deployment: Deployment;
  /** The same client with the publishable key, as an app of an end user would call. */
  readonly app: Caller;
  /** A client without a key. */
  readonly visitor: Caller;
  /** A client with another key. */
  callerWith(bearer: string): Caller;
  /**
   * Delivers something to svc as a provider does, until svc has taken it.
   * @param operation its name in the journal
   * @param send posts it to a node. @returns the status
   */
  callback(
    label: string,
    operation: string,
    input: Record<string, unknown>,
    send: (address: string) => Promise<number>,
  ): Promise<void>;
  /** True once the clients are to end. A turn under way may end early. */
  ending(): boolean;
}

/** A kind of work that clients do again and again while things are killed. */
export interface Load {
  readonly name: string;
  readonly clients: number;
  /** The wait between two turns of a client. */
  readonly everyMs: number;
  readonly permissions: readonly string[];
  /** @param label unique in the run, for keys, addresses and names */
  turn(client: Client, label: string): Promise<void>;
}
