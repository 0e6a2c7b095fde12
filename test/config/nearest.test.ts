import { expect } from 'chai';
import { nearest } from '#config/nearest.js';

const words = ['/email/send', '/email/batch/send', '/account/get', '/account/member/invite', '/auth/signin/start'];

describe('The nearest word', () => {
  for (const [word, found] of [
    ['/email/send', '/email/send'],
    ['/email/sned', '/email/send'],
    ['/email/sent', '/email/send'],
    ['/acount/get', '/account/get'],
    ['/account/members/invite', '/account/member/invite'],
    ['/Account/Get', '/account/get'],
    ['/x', undefined],
    ['', undefined],
    ['/completely/different/address', undefined],
  ] as const) {
    it(`to "${word}" is ${found ?? 'none'}`, () => {
      expect(nearest(word, words)).to.equal(found);
    });
  }

  it('is none where half of a short word would have to change', () => {
    expect(nearest('to', ['before', 'limit', 'tag'])).to.equal(undefined);
    expect(nearest('tga', ['tag', 'limit'])).to.equal(undefined);
    expect(nearest('tagg', ['tag', 'limit'])).to.equal('tag');
    expect(nearest('al', ['all', 'any'])).to.equal('all');
  });

  it('is none if there are no words', () => {
    expect(nearest('a', [])).to.equal(undefined);
  });

  it('is found quickly among hundreds of words, however long the given word is', () => {
    const many = Array.from({ length: 300 }, (_, index) => `/product/resource/operation/${index}`);
    const began = process.cpuUsage();
    for (let call = 0; call < 50; call += 1) nearest('/'.padEnd(16_000, 'product/'), many);
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(500);
  });
});
