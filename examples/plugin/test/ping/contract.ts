import { defineContract } from '#test/contract/support/contract.js';
import { apiOf } from '#test/contract/support/place.js';

export default defineContract({
  things: {
    wordId: {
      owner: 'environment',
      make: async (place) => {
        await apiOf(place).call('ping.word.add', { word: 'helo' });
        return (await apiOf(place).call('ping.word.list', { word: 'helo' })).words[0]?.id ?? '';
      },
    },
  },
});
