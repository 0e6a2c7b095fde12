import type { PortContext } from './context.js';

/** What one product offers to the others, by name: questions and commands. News travels as events instead. */
export interface Port<T> {
  readonly name: string;
  /** Carries the type alone. */
  readonly offers?: T;
}

export const definePort = <T>(name: string): Port<T> => ({ name });

/** A port's provider: called per transaction, so that what it writes commits or rolls back with the caller's rows. */
export interface Provision {
  readonly port: Port<unknown>;
  readonly make: (context: PortContext) => unknown;
}

/** A plugin's need of a port, with what stands in where no enabled plugin provides it. */
export interface Need {
  readonly port: Port<unknown>;
  readonly standIn?: (context: PortContext) => unknown;
}

export const provide = <T>(port: Port<T>, make: (context: PortContext) => T): Provision => ({ port, make });

/** @param standIn what answers while no enabled plugin provides the port; without one the deployment does not start */
export const need = <T>(port: Port<T>, standIn?: (context: PortContext) => T): Need =>
  standIn ? { port, standIn } : { port };
