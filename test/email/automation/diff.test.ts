import { expect } from 'chai';
import { keepIds } from '#plugins/email/automations/steps/diff.js';
import { parseSteps } from '#plugins/email/automations/steps/parse.js';
import { withNewIds, type StoredStep } from '#plugins/email/automations/steps/tree.js';
import { branch, setProperty, wait } from './support.js';

const send = (template: string, more: object = {}): Record<string, unknown> => ({
  type: 'send',
  template,
  topic: 'news',
  from: 'hello@shop.example.com',
  ...more,
});
const pro = { field: 'properties.plan', op: 'eq', value: 'pro' };

/** The ids of a tree in its form: `1 2 (3 4 | 5)`. */
const idsOf = (steps: readonly StoredStep[]): string =>
  steps
    .map((step) => (step.type === 'branch' ? `${step.id}(${idsOf(step.then)}|${idsOf(step.else)})` : step.id))
    .join(' ');

/** The ids of the steps of `after`, which was `before` with ids from 1; new ones begin at 101. */
function edited(before: readonly object[], after: readonly object[]): string {
  let next = 1;
  const old = withNewIds(parseSteps(before), () => next++);
  next = 101;
  return idsOf(keepIds(old, parseSteps(after), () => next++));
}

describe('Which step of an edited tree is which', () => {
  const [a, b, c] = [send('a'), send('b'), send('c')];

  it('keeps the ids of steps that stay, wherever others come or go', () => {
    expect(edited([a, wait(1), b], [a, wait(1), b])).to.equal('1 2 3');
    expect(edited([a, wait(1), b], [c, a, wait(1), b])).to.equal('101 1 2 3');
    expect(edited([a, wait(1), b], [wait(1), b])).to.equal('2 3');
    expect(edited([a, wait(1), b], [a, b])).to.equal('1 3');
    expect(edited([a, wait(1), b, wait(2), c], [a, wait(2), c])).to.equal('1 4 5');
  });

  it('keeps the id of a step that was edited', () => {
    expect(edited([a, wait(1), b], [a, wait(5), b])).to.equal('1 2 3');
    expect(edited([a, wait(1)], [send('a', { subject: 'New' }), wait(1)])).to.equal('1 2');
    expect(edited([setProperty('x', 1), wait(1)], [setProperty('x', 2), wait(1)])).to.equal('1 2');
    expect(edited([wait(1), a, wait(2), b], [wait(1), a, wait(9), b])).to.equal('1 2 3 4');
    expect(edited([a], [b])).to.equal('1');
  });

  it('does not take a step for another one of another type', () => {
    expect(edited([wait(1)], [a])).to.equal('101');
    expect(edited([a, wait(1)], [a, setProperty('x', 1)])).to.equal('1 101');
  });

  it('follows steps into and out of branches', () => {
    expect(edited([a, wait(1), b], [branch(pro, [a, wait(1)], [b])])).to.equal('101(1 2|3)');
    expect(edited([branch(pro, [a, wait(1)], [b])], [a, wait(1), b])).to.equal('2 3 4');
    expect(edited([branch(pro, [a, wait(1)], [b])], [branch(pro, [b], [a, wait(1)])])).to.equal('1(4|2 3)');
  });

  it('follows the steps of a branch whose condition or arms were edited', () => {
    const free = { ...pro, value: 'free' };
    expect(edited([a, branch(pro, [wait(1), b], [c])], [a, branch(free, [wait(1), b], [c])])).to.equal('1 2(3 4|5)');
    expect(edited([a, branch(pro, [wait(1), b], [c])], [a, branch(pro, [wait(7), b], [])])).to.equal('1 2(3 4|)');
    expect(edited([branch(pro, [wait(1)]), wait(1)], [wait(1), branch(pro, [wait(1)])])).to.match(/^\d\(?|101/);
  });

  it('gives each id once, however alike the steps are', () => {
    const many = Array.from({ length: 50 }, () => wait(1));
    const ids = edited(many, [wait(1), branch(pro, many, many), ...many.slice(0, 20)]).match(/\d+/g) ?? [];
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.filter((id) => Number(id) <= 50)).to.have.length(50);
  });
});
