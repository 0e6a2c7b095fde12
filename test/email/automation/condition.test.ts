import { expect } from 'chai';
import { parseCondition } from '#plugins/email/automations/conditions/condition.js';
import { evaluate, type Scope } from '#plugins/email/automations/conditions/evaluate.js';

const scope: Scope = {
  context: { total: 49.9, 'a.b': 1, items: ['x', 2], order: { number: 'A-1', paid: true }, empty: null },
  contact: { properties: { plan: 'pro', visits: 3, since: '2026-01-31T09:30:00Z', vip: false, name: 'Ada' } },
  consents: new Map([
    ['email.news', true],
    ['email.offers', false],
    ['sms.news', false],
  ]),
};

const holds = (field: string, op: string, value?: unknown): boolean =>
  evaluate(parseCondition({ field, op, ...(value === undefined ? {} : { value }) }, 'if'), scope);

describe('A condition of an automation', () => {
  it('compares values of one kind alone', () => {
    expect(holds('properties.plan', 'eq', 'pro')).to.equal(true);
    expect(holds('properties.plan', 'eq', 'Pro')).to.equal(false);
    expect(holds('properties.visits', 'eq', 3)).to.equal(true);
    expect(holds('properties.visits', 'eq', '3')).to.equal(false);
    expect(holds('properties.visits', 'gt', 2)).to.equal(true);
    expect(holds('properties.visits', 'gt', 3)).to.equal(false);
    expect(holds('properties.visits', 'lt', '4')).to.equal(false);
    expect(holds('properties.plan', 'gt', 'free')).to.equal(true);
    expect(holds('properties.vip', 'eq', false)).to.equal(true);
  });

  it('compares date-times as times', () => {
    expect(holds('properties.since', 'eq', '2026-01-31T10:30:00+01:00')).to.equal(true);
    expect(holds('properties.since', 'lt', '2026-02-01T00:00:00Z')).to.equal(true);
    expect(holds('properties.since', 'gt', 'a')).to.equal(false);
  });

  it('says that a value that is not there differs from every value, and compares with none', () => {
    expect(holds('properties.nothing', 'eq', 'x')).to.equal(false);
    expect(holds('properties.nothing', 'neq', 'x')).to.equal(true);
    expect(holds('properties.nothing', 'gt', 0)).to.equal(false);
    expect(holds('properties.nothing', 'lt', 0)).to.equal(false);
    expect(holds('properties.nothing', 'exists')).to.equal(false);
    expect(holds('properties.nothing', 'not_exists')).to.equal(true);
    expect(holds('properties.vip', 'exists')).to.equal(true);
    expect(holds('context.empty', 'exists')).to.equal(false);
    expect(holds('properties.toString', 'exists')).to.equal(false);
  });

  it('looks in texts and lists, and in what the event holds inside', () => {
    expect(holds('properties.name', 'contains', 'da')).to.equal(true);
    expect(holds('properties.visits', 'contains', '3')).to.equal(false);
    expect(holds('context.items', 'contains', 2)).to.equal(true);
    expect(holds('context.items', 'contains', '2')).to.equal(false);
    expect(holds('context.order.number', 'eq', 'A-1')).to.equal(true);
    expect(holds('context.a.b', 'eq', 1)).to.equal(true);
    expect(holds('context.order.number.more', 'exists')).to.equal(false);
  });

  it('reads consent as true or false, by email where no channel is named', () => {
    expect(holds('consent.news', 'eq', true)).to.equal(true);
    expect(holds('consent.email.news', 'eq', true)).to.equal(true);
    expect(holds('consent.sms.news', 'eq', true)).to.equal(false);
    expect(holds('consent.offers', 'eq', false)).to.equal(true);
    expect(holds('consent.offers', 'exists')).to.equal(true);
    expect(holds('consent.never', 'eq', false)).to.equal(true);
    expect(holds('consent.never', 'exists')).to.equal(false);
    expect(holds('consent.never', 'neq', true)).to.equal(true);
  });
});
