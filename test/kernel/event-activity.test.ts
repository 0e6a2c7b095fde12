import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { usePlatform, type StoredEvent } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import type { Environment } from '#core/kernel/caller/caller.js';

describe('Events of background work refer to the call that started it', () => {
  needProducts('email');
  const platform = usePlatform();
  /** The activities of an environment's events, by type. */
  async function activities(environment: Environment): Promise<Record<string, StoredEvent['activityId'][]>> {
    await platform.settled();
    const found: Record<string, StoredEvent['activityId'][]> = {};
    for (const { type, activityId } of await platform.events(environment)) (found[type] ??= []).push(activityId);
    return found;
  }
  const letter = { to: 'ada@example.com', subject: 'Hello', text: 'Hi' };

  it('a delivered message: to email.send, whose audit record lists both events', async () => {
    const { svc, live } = await platform.account();
    const { activityId } = await svc.envelope('email.send', letter);
    expect(await activities(live)).to.deep.include({ 'email.queued': [activityId], 'email.sent': [activityId] });
    const { events } = await svc.call('account.activity.get', { activityId });
    expect(events.map(({ type }) => type)).to.deep.equal(['email.queued', 'email.sent']);
  });

  it('a cancelled message: to email.message.cancel', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { result, activityId: sent } = await svc.envelope('email.send', { ...letter, sendAfter });
    const { activityId } = await svc.envelope('email.message.cancel', { messageId: result.messageId });
    expect(await activities(live)).to.deep.include({ 'email.queued': [sent], 'email.cancelled': [activityId] });
  });

  itNeeding('audience')('an import: to audience.contact.import', async () => {
    const { svc, live } = await platform.account();
    const { activityId } = await svc.envelope('audience.contact.import', {
      contacts: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
    });
    expect(await activities(live)).to.deep.include({
      'audience.contact.created': [activityId, activityId],
      'audience.contact.imported': [activityId],
    });
  });

  itNeeding('audience')('an erasure, which cancels what waits: to audience.contact.delete', async () => {
    const { svc, live } = await platform.account();
    const { contact } = await svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    await svc.call('email.send', { ...letter, sendAfter });
    const { activityId } = await svc.envelope('audience.contact.delete', { contactId: contact.id });
    expect(await activities(live)).to.deep.include({ 'email.cancelled': [activityId] });
  });
});
