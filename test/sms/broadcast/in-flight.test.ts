import { broadcastsUnderWay } from '#test/messaging/broadcasts-under-way.js';
import { useTexts } from '../support.js';
import { publish } from '../template/support.js';
import { mobile, sendBroadcast } from './support.js';

describe('Broadcasts of texts in progress', function () {
  this.timeout(180_000);
  const given = useTexts();
  const { platform } = given;

  broadcastsUnderWay(() => ({
    channel: 'sms',
    platform,
    queues: ['sms_queue'],
    atOnce: 40,
    prepared: 1_152,
    answer: (does) => given.twilio.answerTexts(does),
    said: () => given.twilio.texts.map(({ to }) => to),
    async prepare() {
      const account = await platform.account();
      await account.svc.call('audience.topic.create', { key: 'news', name: 'News' });
      await publish(account.svc, 'sale', { en: { body: 'Sale!' } });
      return {
        svc: account.svc,
        environmentId: account.live.id,
        send: () => sendBroadcast(account, { topic: 'news' }),
      };
    },
    contactOf: (index) => ({ phone: mobile(index) }),
  }));
});
