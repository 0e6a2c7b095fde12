import { expect } from 'chai';
import { counted } from '#config/counted.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { describeReferences } from '#core/messaging/references.js';

describe('Texts that count', () => {
  it('have the singular for one and the plural for every other number', () => {
    expect([0, 1, 2].map((count) => counted(count, 'row'))).to.deep.equal(['0 rows', '1 row', '2 rows']);
    expect(counted('1', 'try is', 'tries are')).to.equal('1 try is');
    expect(counted(3, 'try is', 'tries are')).to.equal('3 tries are');
    expect(
      describeReferences([
        { type: 'broadcast', count: 1 },
        { type: 'automation', count: 2 },
      ]),
    ).to.equal('1 broadcast and 2 automations');
  });

  it('are those of refusals too', () => {
    const waiting = (seconds: number): string => refusalOf.rate_limited({ limit: 'a limit', seconds }).fix;
    expect(waiting(1)).to.equal('Wait 1 second, then call again.');
    expect(waiting(30)).to.equal('Wait 30 seconds, then call again.');
  });
});
