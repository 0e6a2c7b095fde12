import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';

export default defineOperation({
  name: 'ping.word.sign',
  summary: 'Says a word back with the signed-in user’s name below it.',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken: text('The user’s access token.'), word: text('What to sign.') }),
  output: object({ word: text(), signedBy: text() }),
  example: {
    input: { accessToken: 'eyJhbGciOiJFUzI1NiJ9…', word: 'hello' },
    output: { word: 'hello', signedBy: 'ada@example.com' },
  },
  async handle({ word }, { caller }) {
    return { word, signedBy: caller.user.label };
  },
});
