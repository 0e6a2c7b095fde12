import type { FullContext } from './context.js';
import type { Port } from './port.js';

/** A port's provider: called per transaction, so that its writes commit or roll back with the caller's rows. */
export interface Provision {
  readonly port: Port<unknown>;
  readonly make: (context: FullContext) => unknown;
}

/** A port that a plugin needs, with a stand-in for deployments in which no enabled plugin provides it. */
export interface Need {
  readonly port: Port<unknown>;
  readonly standIn?: (context: FullContext) => unknown;
}

export const provide = <T>(port: Port<T>, make: (context: FullContext) => T): Provision => ({ port, make });

/**
 * @param standIn the implementation if no enabled plugin provides the port; without one the deployment does not start
 */
export const need = <T>(port: Port<T>, standIn?: (context: FullContext) => T): Need =>
  standIn ? { port, standIn } : { port };
