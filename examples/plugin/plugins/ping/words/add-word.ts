import { newFields } from '#core/kernel/audit/changes.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { words } from '../tables/word.js';
import { queueForward } from './forward.js';

/**
 * Adds a word to an environment.
 * @throws word_known
 */
export async function addWord(
  context: Context<'ping.word.added', 'word_known'>,
  environment: Environment,
  word: string,
): Promise<void> {
  const { db, clock, audit, emit, fail } = context;
  const id = newId();
  try {
    await db.insert(words, { id, environmentId: environment.id, word, createdAt: clock.now() });
  } catch (error) {
    // The unique key decides, so two calls at the same time cannot both add the word.
    if (isDuplicate(error)) throw fail.word_known({ word, environmentId: environment.id });
    throw error;
  }
  audit({
    subject: { type: 'word', id },
    summary: `Added the word “${word}”.`,
    changes: newFields({ word }, ['word']),
    operation: 'ping.word.add',
  });
  emit('ping.word.added', { subjectId: id, data: { word } }, environment);
  await queueForward(context, environment, id);
}
