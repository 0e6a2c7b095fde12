import { expect } from 'chai';
import { definePlugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/provision.js';
import { newId } from '#core/runtime/id.js';
import { eventTriggers, type RecordedEvent } from '#plugins/audience/ports.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf } from '../support.js';

describe('A recorded event and the automations that it triggers', () => {
  const heard: RecordedEvent[] = [];
  const automationId = newId();
  const acting = { fails: false };
  const automations = definePlugin({
    name: 'lab',
    summary: 'Enrols contacts.',
    tables: [],
    operations: [],
    events: {},
    errors: {},
    provides: [
      provide(eventTriggers, () => ({
        async recorded(event) {
          if (acting.fails) throw new Error('The automation cannot take it.');
          heard.push(event);
          return event.name === 'order.placed' ? [automationId] : [];
        },
      })),
    ],
  });
  const platform = usePlatform({
    plugins: [automations],
    // Without email, which provides the port itself.
    settings: () => ({ SVC_PRODUCTS: 'account,developers,audience,lab' }),
  });

  it('reports which automations enrolled the contact, and calls them once', async () => {
    const { svc, live } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const occurredAt = '2026-01-31T09:30:00.000Z';
    const properties = { total: 49.9 };
    const input = { email: 'ada@example.com', name: 'order.placed', properties, occurredAt, eventId: 'order-1' };
    const first = await svc.call('audience.event.record', input);
    expect(first).to.deep.equal({ recorded: true, enrolled: [automationId] });
    expect(await svc.call('audience.event.record', input)).to.deep.equal({ recorded: false, enrolled: [] });
    const visit = await svc.call('audience.event.record', { contactId, name: 'visit' });
    expect(visit).to.deep.equal({ recorded: true, enrolled: [] });
    expect(heard.map((event) => ({ ...event, environment: event.environment.id }))).to.deep.equal([
      { environment: live.id, contactId, name: 'order.placed', properties, occurredAt: new Date(occurredAt) },
      { environment: live.id, contactId, name: 'visit', properties: {}, occurredAt: platform.clock.now() },
    ]);
  });

  it('are committed together or not at all', async () => {
    const { svc } = await platform.account();
    await contactOf(svc);
    const input = { email: 'ada@example.com', name: 'order.placed', eventId: 'order-2' };
    acting.fails = true;
    expect((await svc.raw('/audience/event/record', JSON.stringify(input))).status).to.equal(500);
    acting.fails = false;
    expect((await svc.call('audience.event.record', input)).recorded).to.equal(true);
  });
});
