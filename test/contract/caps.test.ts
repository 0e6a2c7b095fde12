import { expect } from 'chai';
import { allOperations } from './support/operations.js';

/** How many things something has at most, or the setting that says so. */
const cap = /\bhas at most \d|\bit can have \d|\bat most [\d,]+ \w+ per environment|\bmaxPer[A-Z]/i;

describe('The description of an operation that answers limit_reached', () => {
  for (const { name, summary, description = '' } of allOperations.filter(({ errors }) =>
    errors.includes('limit_reached'),
  ))
    it(`of ${name} states how many there may be`, () => {
      expect(`${summary} ${description}`).to.match(cap);
    });
});
