import { defineOperation } from '#core/kernel/operation.js';
import { wordInput, wordReply } from '../words/input.js';

export default defineOperation({
  name: 'ping.echo',
  summary: 'Says a word back.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: wordInput,
  output: wordReply,
  example: { input: { word: 'hello' }, output: { word: 'hello' } },
  async handle({ word }) {
    return { word };
  },
});
