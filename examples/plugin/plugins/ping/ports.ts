import { definePort } from '#core/kernel/port.js';

/** The words of an environment. */
export interface WordCount {
  /** The number of words. */
  of(environmentId: string): Promise<number>;
}

export const wordCount = definePort<WordCount>('ping.wordCount');
