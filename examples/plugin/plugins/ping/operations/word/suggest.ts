import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { wordInput, wordReply } from '../../words/input.js';
import { addWord } from '../../words/add-word.js';

export default defineOperation({
  name: 'ping.word.suggest',
  summary: 'Adds a word, from a browser or an app.',
  access: 'publishable',
  limits: [perIp({ name: 'ping.word.suggest', max: 20, windowSeconds: 3600, description: '20 per hour per IP' })],
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
