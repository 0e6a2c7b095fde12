import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { expectedFields, refusedFields, type RefusedCases } from '../support.js';
import { automationOf, branch, setProperty, wait } from './support.js';

const send = { type: 'send', template: 'welcome', topic: 'news', from: 'hello@shop.example.com' };
const always = { field: 'properties.plan', op: 'exists' };

/** Branches inside of each other. */
const nested = (depth: number): Record<string, unknown> => branch(always, depth > 1 ? [nested(depth - 1)] : [wait(1)]);

const cases: RefusedCases = [
  ['no steps', [], 'steps'],
  ['51 steps', Array.from({ length: 51 }, () => wait(1)), 'steps'],
  [
    '51 steps in an arm',
    [
      branch(
        always,
        Array.from({ length: 51 }, () => wait(1)),
      ),
    ],
    'steps[0].then',
  ],
  ['nine branches deep', [nested(9)], `steps[0]${'.then[0]'.repeat(8)}`],
  ['no type', [{ seconds: 1 }], 'steps[0].type'],
  ['an unknown type', [{ type: 'email' }], 'steps[0].type'],
  ['a wait of 0 s', [wait(0)], 'steps[0].seconds'],
  ['a wait of more than 90 days', [wait(7_776_001)], 'steps[0].seconds'],
  ['a wait of half a second', [wait(0.5)], 'steps[0].seconds'],
  ['a wait without seconds', [{ type: 'wait' }], 'steps[0].seconds'],
  ['a wait with a name', [{ ...wait(1), name: 'x' }], 'steps[0].name'],
  ['a send without template', [{ ...send, template: undefined }], 'steps[0].template'],
  ['a send with an empty template', [{ ...send, template: '' }], 'steps[0].template'],
  ['a send without topic', [{ ...send, topic: undefined }], 'steps[0].topic'],
  ['a send with a topic of 101 characters', [{ ...send, topic: 'x'.repeat(101) }], 'steps[0].topic'],
  ['a send without from', [{ ...send, from: undefined }], 'steps[0].from'],
  ['a send from no address', [{ ...send, from: 'hello' }], 'steps[0].from'],
  ['a send on another channel', [{ ...send, channel: 'fax' }], 'steps[0].channel'],
  ['a text with a sender', [{ ...send, channel: 'sms' }], 'steps[0].from'],
  ['a text with a subject', [{ ...send, channel: 'sms', from: undefined, subject: 'Hi' }], 'steps[0].subject'],
  ['a subject of 301 characters', [{ ...send, subject: 'x'.repeat(301) }], 'steps[0].subject'],
  ['a subject of two lines', [{ ...send, subject: 'a\nb' }], 'steps[0].subject'],
  ['a subject that is not a template', [{ ...send, subject: 'Hi {{ contact.firstName' }], 'steps[0].subject'],
  ['a variable that is a list', [{ ...send, variables: { a: [] } }], 'steps[0].variables.a'],
  ['a property without key', [{ type: 'property.set', value: 1 }], 'steps[0].key'],
  ['a property of 101 characters', [setProperty('x'.repeat(101), 1)], 'steps[0].key'],
  ['a property without value', [{ type: 'property.set', key: 'a' }], 'steps[0].value'],
  ['a property that is an object', [setProperty('a', {})], 'steps[0].value'],
  ['a branch without if', [{ type: 'branch', then: [], else: [] }], 'steps[0].if'],
  ['a branch without then', [{ type: 'branch', if: always, else: [] }], 'steps[0].then'],
  ['a branch without else', [{ type: 'branch', if: always, then: [] }], 'steps[0].else'],
  ['a condition on an unknown field', [branch({ field: 'email', op: 'exists' })], 'steps[0].if.field'],
  [
    'a condition on a long field',
    [branch({ field: `properties.${'x'.repeat(200)}`, op: 'exists' })],
    'steps[0].if.field',
  ],
  ['an unknown operator', [branch({ field: 'properties.a', op: 'gte', value: 1 })], 'steps[0].if.op'],
  ['eq without value', [branch({ field: 'properties.a', op: 'eq' })], 'steps[0].if.value'],
  ['exists with a value', [branch({ ...always, value: true })], 'steps[0].if.value'],
  ['a consent that is a text', [branch({ field: 'consent.news', op: 'eq', value: 'granted' })], 'steps[0].if.value'],
  ['a consent that is greater', [branch({ field: 'consent.sms.news', op: 'gt', value: false })], 'steps[0].if.op'],
  ['a wrong step in an inner arm', [branch(always, [], [wait(1), wait(0)])], 'steps[0].else[1].seconds'],
];

describe('The steps of an automation', () => {
  const platform = usePlatform();

  it('are refused naming the step and its field', async () => {
    const { svc } = await platform.account();
    const inputs = cases.map(
      ([what, steps, field]) => [what, { name: 'Welcome', triggerEvent: 'signup', steps }, field] as const,
    );
    expect(await refusedFields(svc, 'email.automation.create', inputs)).to.deep.equal(expectedFields(inputs));
    expect((await svc.call('email.automation.list', {})).automations).to.deep.equal([]);
  });

  it('are answered as they were given, with the default channel', async () => {
    const { svc } = await platform.account();
    const steps = [
      { ...send, subject: 'Hi {{ contact.firstName }}', variables: { a: 'x', b: 2, c: true } },
      { type: 'send', channel: 'sms', template: 'welcome', topic: 'news' },
      wait(7_776_000),
      setProperty('plan', null),
      nested(8),
      branch({ field: 'consent.sms.news', op: 'eq', value: true }),
    ];
    const automation = await automationOf(svc, { steps });
    expect(automation.steps).to.deep.equal([{ channel: 'email', ...steps[0] }, ...steps.slice(1)]);
    // What was answered can be sent again, and changes nothing.
    const { activityId } = await svc.envelope('email.automation.update', {
      automationId: automation.id,
      steps: automation.steps,
    });
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.changes).to.deep.equal([]);
  });
});
