import { changesBetween } from '#core/kernel/audit/changes.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { words } from '../../tables/word.js';
import { exampleWord, presentWord, Word } from '../../words/present.js';

export default defineOperation({
  name: 'ping.word.correct',
  summary: 'Changes a word.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({
    wordId: uuid('The word to change.'),
    word: text('The new word.', { minLength: 1, maxLength: 100 }),
  }),
  output: object({ word: Word }),
  errors: ['word_known'],
  example: { input: { wordId: exampleWord.id, word: exampleWord.word }, output: { word: exampleWord } },
  async handle({ wordId, word }, { db, caller, audit, fail }) {
    const before = await lockOwned(db, words, caller, wordId);
    const after = { ...before, word };
    const changes = changesBetween(before, after, ['word']);
    audit({
      subject: { type: 'word', id: wordId },
      summary: `Changed the word “${before.word}”.`,
      changes,
      unchanged: `the word “${word}” did not change.`,
    });
    if (changes.length === 0) return { word: presentWord(before) };
    try {
      await db.update(words, { id: wordId }, { word });
    } catch (error) {
      if (isDuplicate(error)) throw fail.word_known({ word, environmentId: caller.environment.id });
      throw error;
    }
    return { word: presentWord(after) };
  },
});
