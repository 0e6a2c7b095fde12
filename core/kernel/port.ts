/** Queries and commands that one product offers to the others, by name. What happened is announced by events instead. */
export interface Port<T> {
  readonly name: string;
  /** Carries the type alone. */
  readonly offers?: T;
}

export const definePort = <T>(name: string): Port<T> => ({ name });
