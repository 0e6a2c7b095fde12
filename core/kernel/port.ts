/**
 * Queries and commands that one product offers to the others, by name. Products announce what happened by events
 * instead.
 */
export interface Port<T> {
  readonly name: string;
  /** Carries only the type. */
  readonly offers?: T;
}

export const definePort = <T>(name: string): Port<T> => ({ name });
