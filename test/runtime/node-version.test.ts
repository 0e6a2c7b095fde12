import { expect } from 'chai';
import { nodeProblem } from '#core/runtime/node-version.js';

describe('nodeProblem', () => {
  for (const version of ['22.0.0', '22.21.1', '24.1.0', '26.0.0'])
    it(`has nothing to say about Node ${version}`, () => expect(nodeProblem(version)).to.equal(undefined));

  for (const version of ['20.19.0', '20.20.2', '21.7.3'])
    it(`warns about Node ${version}, which has reached its end of life`, () =>
      expect(nodeProblem(version)).to.deep.equal({
        message: `Node ${version.slice(0, 2)} has reached its end of life and gets no security fixes.`,
        fix: 'Install Node 22 or 24.',
        isTooOld: false,
      }));

  for (const version of ['20.18.3', '18.20.8'])
    it(`says that Node ${version} is too old`, () => expect(nodeProblem(version)).to.include({ isTooOld: true }));
});
