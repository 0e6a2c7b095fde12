import { defineOperation } from '#core/kernel/operation.js';
import { wordInput, wordReply } from '../../words/input.js';
import { addWord } from '../../words/add-word.js';

export default defineOperation({
  name: 'ping.word.add',
  summary: 'Adds a word.',
  access: 'secret',
  input: wordInput,
  output: wordReply,
  errors: ['word_known'],
  events: ['ping.word.added'],
  example: { input: { word: 'hello' }, output: { word: 'hello' } },
  async handle({ word }, context) {
    await addWord(context, context.caller.environment, word);
    return { word };
  },
});
