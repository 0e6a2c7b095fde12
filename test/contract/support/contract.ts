import type { Place } from './place.js';

/** Creates the things that an id field names. */
export interface Maker {
  /** What the thing belongs to. Things of an account can be reached from each of its environments. */
  owner: 'account' | 'environment';
  /** Creates one. @returns its id */
  make(place: Place): Promise<string>;
}

/**
 * What the contract tests cannot know of a product's operations: the default export of test/<product>/contract.ts,
 * where the product needs it. Operations are named in full: `ping.word.add`.
 */
export interface Contract {
  /**
   * Creates what an id names, by the input field that takes it. Each required id of the product's operations needs one.
   */
  readonly things?: Readonly<Record<string, Maker>>;
  /**
   * By operation: makes what must exist before the example goes through, beside what its required ids name.
   * @returns fields of the input that no example can know; they replace those of the example
   */
  readonly preparations?: Readonly<Record<string, (place: Place) => Promise<object>>>;
  /** Operations that are refused in a live environment: the tests call them in the test environment. */
  readonly testEnvironmentOnly?: readonly string[];
}

/** Defines a contract. */
export const defineContract = (contract: Contract): Contract => contract;
