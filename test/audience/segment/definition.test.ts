import { expect } from 'chai';
import { DefinitionError } from '#plugins/audience/segments/definition-error.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import { usePlatform } from '#test/support/platform.js';

const condition = { field: 'email', op: 'exists' };
const property = (op: string, value?: unknown) => ({ field: 'properties.plan', op, value });

/** A condition within `groups` groups: a tree of depth `groups` + 1. */
const nested = (groups: number): object =>
  Array.from({ length: groups }).reduce<object>((inside) => ({ not: inside }), condition);

/** Invalid definitions, each with the invalid node and part of the message. */
const invalidDefinitions: readonly [definition: unknown, node: string, words: string][] = [
  [{}, 'definition', 'is empty'],
  [{ al: [condition] }, 'definition', 'did you mean all?'],
  [{ and: [condition] }, 'definition', 'did you mean all?'],
  [{ all: [condition, { OR: [condition] }] }, 'all[1]', 'did you mean any?'],
  [{ all: [] }, 'all', 'must not be empty'],
  [{ any: [] }, 'any', 'must not be empty'],
  [{ all: condition }, 'all', 'must be a list'],
  [{ all: [condition, 'email'] }, 'all[1]', 'must be an object'],
  [{ all: [condition, null] }, 'all[1]', 'must be an object'],
  [{ all: [condition, [condition]] }, 'all[1]', 'must be an object'],
  [{ not: null }, 'not', 'must be an object'],
  [{ not: [condition] }, 'not', 'must be an object'],
  [{ all: [condition], any: [condition] }, 'any', 'is not allowed beside all'],
  [{ all: [condition], name: 'x' }, 'name', 'is not allowed beside all'],
  [{ any: [{ all: [condition, { not: {} }] }] }, 'any[0].all[1].not', 'is empty'],
  [{ ...condition, valu: 1 }, 'valu', 'did you mean value?'],
  [{ field: 7, op: 'eq', value: 1 }, 'field', 'must be the name of a field'],
  [{ field: 'emial', op: 'exists' }, 'field', 'did you mean email?'],
  [{ field: 'createdat', op: 'exists' }, 'field', 'did you mean createdAt?'],
  [{ field: 'propertis.plan', op: 'exists' }, 'field', 'did you mean properties?'],
  [{ field: 'plan', op: 'exists' }, 'field', 'a contact’s property is “properties.plan”'],
  [{ field: 'properties', op: 'exists' }, 'field', 'is incomplete'],
  [{ field: 'properties.', op: 'exists' }, 'field', 'is incomplete'],
  [{ field: `properties.${'k'.repeat(101)}`, op: 'exists' }, 'field', '1 to 100 characters'],
  [{ field: 'properties.a\nb', op: 'exists' }, 'field', 'control'],
  [{ field: 'consent.emali.news', op: 'exists' }, 'field', 'did you mean email?'],
  [{ field: 'consent.email.', op: 'exists' }, 'field', 'valid topic key'],
  [{ field: 'consent.email.a.b', op: 'exists' }, 'field', 'valid topic key'],
  [{ field: 'event.order.placed', op: 'exists' }, 'field', '.count or .lastAt'],
  [{ field: 'event.order.placed.lastat', op: 'exists' }, 'field', 'did you mean lastAt?'],
  [{ field: 'event.count', op: 'exists' }, 'field', '.count or .lastAt'],
  [{ field: 'event.Order.count', op: 'exists' }, 'field', 'valid event name'],
  [{ field: 'message.sms.lastSentAt', op: 'exists' }, 'field', '(did you mean message.email.lastSentAt?)'],
  [{ field: 'email' }, 'op', 'is missing'],
  [{ field: 'email', op: 5 }, 'op', 'must be the name of an operator'],
  [{ field: 'email', op: 'equals' }, 'op', 'there is no operator “equals”'],
  [{ field: 'email', op: 'starts' }, 'op', 'supported are'],
  [{ field: 'email', op: 'startswith' }, 'op', 'did you mean starts_with?'],
  [{ all: [condition, { not: { field: 'email', op: 'within_days', value: 3 } }] }, 'all[1].not.op', 'this field takes'],
  [{ field: 'createdAt', op: 'contains', value: 'x' }, 'op', 'this field takes'],
  [{ field: 'consent.email.news', op: 'gt', value: 'granted' }, 'op', 'this field takes'],
  [{ field: 'event.x.count', op: 'starts_with', value: '1' }, 'op', 'this field takes'],
  [{ field: 'email', op: 'eq' }, 'value', 'is missing'],
  [{ field: 'email', op: 'eq', value: null }, 'value', 'must be a string'],
  [{ all: [condition, { not: { field: 'email', op: 'eq', value: 3 } }] }, 'all[1].not.value', 'must be a string'],
  [{ field: 'createdAt', op: 'gt', value: 'yesterday' }, 'value', 'must be a date and time'],
  [{ field: 'createdAt', op: 'gt', value: 5 }, 'value', 'must be a date and time'],
  [{ field: 'event.x.count', op: 'gt', value: '5' }, 'value', 'must be a number'],
  [{ field: 'event.x.lastAt', op: 'lt', value: true }, 'value', 'must be a date and time'],
  [{ field: 'message.email.lastSentAt', op: 'lt', value: '2026-01-31' }, 'value', 'must be a date and time'],
  [{ field: 'consent.email.news', op: 'eq', value: 'grantd' }, 'value', 'did you mean granted?'],
  [{ field: 'consent.email.news', op: 'eq', value: false }, 'value', 'granted or revoked'],
  [property('eq', { a: 1 }), 'value', 'must be a string, a number or a boolean'],
  [property('eq', ['pro']), 'value', 'must be a string, a number or a boolean'],
  [property('eq', 'x'.repeat(501)), 'value', 'longer than 500'],
  [property('gt', true), 'value', 'have no order'],
  [property('lt', '2026-06-01'), 'value', 'write a date-time'],
  [{ not: property('gte', '2026-06-01T09:00') }, 'not.value', 'write a date-time'],
  [property('lte', '2026-06-01 09:00:00.5'), 'value', 'write a date-time'],
  [property('contains', 5), 'value', 'must be a string'],
  [property('contains', ''), 'value', 'must not be empty'],
  [property('starts_with', ''), 'value', 'must not be empty'],
  [{ field: 'phone', op: 'starts_with', value: '( ) -' }, 'value', 'must not be empty'],
  [property('exists', true), 'value', 'is not allowed with exists'],
  [property('not_exists', null), 'value', 'is not allowed with not_exists'],
  [property('in', 'pro'), 'value', 'must be a list'],
  [property('in', []), 'value', 'must not be empty'],
  [
    property(
      'in',
      Array.from({ length: 101 }, (_, index) => index),
    ),
    'value',
    'maximum is 100',
  ],
  [property('in', ['pro', null]), 'value[1]', 'must be a string, a number or a boolean'],
  [{ field: 'email', op: 'in', value: ['a@b.com', 5] }, 'value[1]', 'must be a string'],
  [property('within_days'), 'value', 'whole number of days'],
  [property('within_days', 0), 'value', 'whole number of days'],
  [property('within_days', 1.5), 'value', 'whole number of days'],
  [property('within_days', '7'), 'value', 'whole number of days'],
  [property('within_days', 36_501), 'value', 'whole number of days'],
  [nested(8), 'not.not.not.not.not.not.not.not', 'deeper than 8'],
  [{ all: Array.from({ length: 101 }, () => condition) }, 'all[100]', '100 conditions'],
  [
    {
      any: [{ all: Array.from({ length: 60 }, () => condition) }, { all: Array.from({ length: 41 }, () => condition) }],
    },
    'any[1].all[40]',
    '100 conditions',
  ],
];

function errorOf(definition: unknown): DefinitionError {
  try {
    parseDefinition(definition);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error(`No error for ${JSON.stringify(definition)}.`);
}

describe('An invalid definition', () => {
  const platform = usePlatform();

  it('has no suggestion for a name that every object has', () => {
    expect(errorOf({ constructor: [condition] }).problem)
      .to.contain('contains “constructor”; supported are')
      .and.not.contain('function');
  });

  for (const [definition, node, words] of invalidDefinitions) {
    it(`is refused for ${node}, which ${words}: ${JSON.stringify(definition).slice(0, 70)}`, () => {
      const error = errorOf(definition);
      expect(error.node).to.equal(node);
      expect(error.problem).to.contain(words);
    });
  }

  it('is refused alike by create, update and preview, with the node in message, fix and details', async () => {
    const { svc } = await platform.account();
    const { segment } = await svc.call('audience.segment.create', { name: 'All', definition: condition });
    const definition = { all: [condition, { not: { field: 'createdAt', op: 'lt', value: 'soon' } }] };
    for (const [name, input] of [
      ['audience.segment.create', { name: 'Other', definition }],
      ['audience.segment.update', { segmentId: segment.id, definition }],
      ['audience.segment.preview', { definition }],
    ] as const) {
      const refused = await svc.refusal(name, input);
      expect(refused, name).to.include({ status: 400, code: 'invalid_definition' });
      expect(refused.message).to.contain('all[1].not.value');
      expect(refused.message).to.contain('must be a date and time');
      expect(refused.fix).to.contain('all[1].not.value');
      expect(refused.details).to.deep.equal({ node: 'all[1].not.value' });
    }
    expect((await svc.call('audience.segment.list', {})).segments).to.deep.equal([segment]);
  });

  it('is not one at the documented limits of depth and conditions', () => {
    expect(() => parseDefinition(nested(7))).not.to.throw();
    expect(() => parseDefinition({ all: Array.from({ length: 100 }, () => condition) })).not.to.throw();
    expect(() =>
      parseDefinition(
        property(
          'in',
          Array.from({ length: 100 }, (_, index) => index),
        ),
      ),
    ).not.to.throw();
  });

  it('that is not an object is refused as invalid_input', async () => {
    const { svc } = await platform.account();
    for (const definition of ['email', 5, null, [condition]]) {
      const refused = await svc.refusal('audience.segment.preview', { definition });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'definition' });
    }
  });
});
