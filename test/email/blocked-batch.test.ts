import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import type { Api } from '#test/support/api.js';
import { needProducts } from '#test/support/products.js';
import { useMail } from './support.js';

describe('Messages of several tenants that are stopped at the same time', () => {
  needProducts('audience');
  const mail = useMail();
  const { platform } = mail;

  /** Accepts a message under a topic, which is archived before the message is due. @returns the message's id */
  async function stopped(svc: Api, topic: string, sendAfter: string): Promise<string> {
    await svc.call('audience.topic.create', { key: topic, name: topic });
    const email = `${topic}@example.com`;
    await svc.call('audience.contact.upsert', { email, consents: [{ topic, channel: 'email', source: 'form' }] });
    const { messageId } = await svc.call('email.send', { to: email, subject: 'News', text: 'News.', topic, sendAfter });
    await svc.call('audience.topic.archive', { topic });
    return messageId;
  }

  it('each names its own topic', async () => {
    const [{ svc: one }, { svc: other }] = [await platform.account(), await platform.account()];
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const topics: [Api, string][] = [
      [one, 'secret-plan'],
      [one, 'weekly'],
      [other, 'public'],
    ];
    const sent: [Api, string, string][] = [];
    for (const [svc, topic] of topics) sent.push([svc, topic, await stopped(svc, topic, sendAfter)]);
    platform.clock.advance(hours(1));
    await platform.settled();
    for (const [svc, topic, messageId] of sent) {
      const { message } = await svc.call('email.message.get', { messageId });
      expect(message.blocked?.message).to.equal(`The topic “${topic}” is archived.`);
    }
  });
});
