import { expect } from 'chai';
import { createLimiter } from '#plugins/email/delivery/pace.js';

describe('A limiter of mail', () => {
  it('gives places that are evenly apart, several to a message for several recipients', () => {
    const limiter = createLimiter(10);
    const places = [1, 1, 3, 1].map((count) => limiter.take(count, false, 1_000));
    expect(places).to.deep.equal([1_000, 1_100, 1_200, 1_500]);
    expect(limiter.next(false, 1_000)).to.equal(1_600);
    expect(limiter.take(1, false, 5_000), 'unused places are gone').to.equal(5_000);
  });

  it('lets urgent ones pass the rest, which moves back', () => {
    const limiter = createLimiter(10);
    for (let n = 0; n < 100; n += 1) limiter.take(1, false, 0);
    expect([limiter.take(1, true, 0), limiter.take(1, true, 0)]).to.deep.equal([0, 100]);
    expect(limiter.next(false, 0)).to.equal(10_200);
  });

  it('moves its places with the clock', () => {
    const limiter = createLimiter(10);
    limiter.take(1, false, 86_401_000);
    limiter.move(-86_400_000);
    expect(limiter.next(false, 1_000)).to.equal(1_100);
  });

  it('takes a new rate for what comes', () => {
    const limiter = createLimiter(1);
    limiter.take(1, false, 0);
    limiter.setRate(100);
    expect([limiter.take(1, false, 0), limiter.take(1, false, 0)]).to.deep.equal([1_000, 1_010]);
  });
});
