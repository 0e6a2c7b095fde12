import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('ping.word.correct', () => {
  const platform = usePlatform();

  it('changes a word, but not to one that exists', async () => {
    const { svc } = await platform.account();
    for (const word of ['helo', 'tea']) await svc.call('ping.word.add', { word });
    const [found] = (await svc.call('ping.word.list', { word: 'helo' })).words;
    const wordId = found?.id ?? '';
    await svc.call('ping.word.correct', { wordId, word: 'hello' });
    expect((await svc.call('ping.word.list', { limit: 1 })).words[0]?.word).to.equal('tea');
    expect((await svc.call('ping.word.list', { word: 'hello' })).words[0]?.id).to.equal(wordId);
    expect(await svc.refusal('ping.word.correct', { wordId, word: 'tea' })).to.include({ code: 'word_known' });
  });
});
