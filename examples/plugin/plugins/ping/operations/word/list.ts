import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional, text } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { words } from '../../tables/word.js';
import { exampleWord, presentWord, Word } from '../../words/present.js';

export default defineOperation({
  name: 'ping.word.list',
  summary: 'Lists words, newest first.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ word: optional(text('Only this word.', { minLength: 1, maxLength: 100 })), ...page }),
  output: object({ words: list(Word), nextBefore }),
  example: { input: {}, output: { words: [exampleWord], nextBefore: null } },
  async handle({ word, before, limit }, { db, caller }) {
    const query = db
      .select(words, 'word')
      .where('word.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    if (word !== undefined) query.andWhere('word.word = :word', { word });
    const { rows, next } = await paged(query, 'word', 'listed', { before, limit });
    return { words: rows.map(presentWord), nextBefore: next };
  },
});
