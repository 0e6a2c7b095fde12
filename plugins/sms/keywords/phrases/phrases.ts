import type { Language } from '#core/kernel/language.js';

/** What people write in one language. Lists are separated by commas; patterns are read by `phrasesOf`. */
export interface KeywordPhrases {
  /** The languages in which the answer may be; empty for words that people use in all languages. */
  readonly locales: readonly Language[];
  /** Words that mean STOP, START and HELP. docs/texts.md lists them. */
  readonly stop: string;
  readonly start: string;
  readonly help: string;
  /** Words for the texts that should stop. Phrases have `sms` for each of them. */
  readonly texts: string;
  /**
   * Sentences that can only mean STOP. What is only angry (“Basta!”) is not one, nor what may answer a question (“I
   * want to quit”).
   */
  readonly wishes: readonly string[];
  /**
   * What may be around a word for STOP without changing its meaning: courtesies, and what should stop. Nothing that
   * turns it into a different sentence, such as “don’t”, “by” or “at”.
   */
  readonly around: readonly string[];
  /** Sentences that mean START, from a person who has said STOP. From others they may answer something else. */
  readonly again: readonly string[];
  /** Yes, likewise: “Reply YES to confirm your appointment” must not subscribe anybody. */
  readonly yes: readonly string[];
  /** Courtesies that may be around START and yes. No thanks: “Yes, thank you” may answer that the texts have ended. */
  readonly please: readonly string[];
}
