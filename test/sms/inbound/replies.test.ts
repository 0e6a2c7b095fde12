import { expect } from 'chai';
import { startupNotices } from '#plugins/sms/startup-notices.js';
import { hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import { useTwilio } from '../twilio-platform.js';
import { deliver, numberOf, phone } from './support.js';

describe('answers to keywords', () => {
  const given = useTwilio({ SVC_SMS_REGISTRATION: 'not_required' });
  const { platform } = given;
  beforeEach(() => platform.clock.advance(hours(25)));

  /** What was sent to somebody since the last look, once nothing is queued any more. */
  const seen = { texts: 0 };
  const news = async (): Promise<{ from: string; to: string; body: string }[]> => {
    await platform.settled();
    const fresh = given.twilio.texts.slice(seen.texts);
    seen.texts = given.twilio.texts.length;
    return fresh.map(({ from, to, body }) => ({ from, to, body }));
  };
  const bodies = async (): Promise<string[]> => (await news()).map(({ body }) => body);
  beforeEach(news);
  const say = async (number: string, body: string, from = phone): Promise<string[]> => {
    await deliver(given, { to: number, body, from });
    return bodies();
  };

  itNeeding('audience')('STOP is answered once, although the number is suppressed from then on', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: 'STOP' });
    const [answer, ...more] = await news();
    expect(more).to.deep.equal([]);
    expect(answer).to.include({ from: number, to: phone });
    expect(answer?.body).to.contain('will not receive any more messages from us').and.contain('START');
    expect(await say(number, 'STOP'), 'a second STOP').to.deep.equal([]);
    const { messages } = await account.svc.call('sms.message.list', { to: phone });
    expect(messages).to.have.length(1);
    expect(messages[0]).to.include({ status: 'sent', system: true, template: 'sms.reply.stop', body: null });
    const text = await account.svc.call('sms.send', { to: phone, body: 'Still there?' });
    expect(text).to.deep.include({ status: 'suppressed' });
    expect(text.blocked?.reason).to.equal('suppressed_recipient');
  });

  it('HELP says who writes, also to a number that said STOP; START lets texts come again', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await say(number, 'STOP');
    const [help] = await say(number, 'help?');
    // The theme has no support address: what leads to it is left out.
    expect(help).to.match(/: Reply STOP to unsubscribe/);
    const support = 'help@acme-coffee.example';
    await account.svc.call('account.theme.draft.save', { theme: themeWith({ supportEmail: support }) });
    await account.svc.call('account.theme.publish', {});
    expect((await say(number, 'HELP'))[0]).to.contain(`Contact us at ${support}. Reply STOP`);
    const [start] = await say(number, 'Start');
    expect(start).to.contain('You will receive messages from us again');
    const { status } = await account.svc.call('sms.send', { to: phone, body: 'Hello again' });
    expect(status).to.equal('queued');
    expect(await bodies()).to.deep.equal(['Hello again']);
  });

  itNeeding('audience')('come in the language of the word, of the contact, or of the project', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    expect((await say(number, 'hilfe'))[0]).to.contain('Antworten Sie mit STOP');
    await account.svc.call('audience.contact.upsert', { phone, locale: 'fr-CA' });
    expect((await say(number, 'HELP'))[0]).to.contain('Répondez STOP');
    expect((await say(number, 'parar'))[0], 'Spanish and Portuguese').to.contain('baja confirmada');
  });

  it('are the environment’s own words where it has set some', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await account.svc.call('sms.settings.set', {
      keywords: { help: ['Menu'] },
      replies: { help: 'Acme {{ coffee }}: acme.example' },
    });
    expect(await say(number, 'menu')).to.deep.equal(['Acme {{ coffee }}: acme.example']);
  });

  it('are cut: five an hour, none to numbers of this deployment or countries that are not allowed', async () => {
    const account = await platform.account();
    const [own, other] = [await numberOf(account), await numberOf(await platform.account())];
    const answers: string[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(...(await say(own.number, 'HELP')));
    expect(answers).to.have.length(5);
    platform.clock.advance(hours(1));
    expect(await say(own.number, 'HELP')).to.have.length(1);
    expect(await say(own.number, 'HELP', other.number), 'a number of the deployment').to.deep.equal([]);
    expect(await say(own.number, 'HELP', '+447400123456'), 'a country that is not allowed').to.deep.equal([]);
    expect(await say(own.number, 'HELP', '12345'), 'a short code').to.deep.equal([]);
    await account.svc.call('account.close', { reason: 'Testing.' });
    expect(await say(own.number, 'HELP', '+4915123456700'), 'a closed account').to.deep.equal([]);
  });

  itNeeding('audience')(
    'START with consentByStart makes a contact of somebody unknown, with the evidence',
    async () => {
      const account = await platform.account();
      const { svc } = account;
      const { number } = await numberOf(account);
      await svc.call('audience.topic.create', { key: 'offers', name: 'Offers', channels: ['sms'] });
      await svc.call('sms.settings.set', { consentByStart: 'offers', keywords: { start: ['COFFEE'] } });
      await say(number, 'Coffee!');
      const { contact } = await svc.call('audience.contact.get', { phone });
      const { consents } = await svc.call('audience.consent.list', { contactId: contact.id });
      expect(consents[0]).to.deep.include({ topic: 'offers', channel: 'sms', state: 'granted', wording: 'Coffee!' });
      const { inbound } = await svc.call('sms.inbound.list', {});
      expect(inbound[0]).to.include({ keyword: 'start', contactId: contact.id });
      const { status } = await svc.call('sms.send', { to: phone, body: 'Cheap beans', topic: 'offers' });
      expect(status).to.equal('queued');
    },
  );
});

describe('STOP while texts wait', () => {
  const given = useTwilio({ SVC_SMS_REGISTRATION: 'not_required' });
  const { platform } = given;

  itNeeding('audience')('suppresses what is queued, at submission', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { number } = await numberOf(account);
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId } = await svc.call('sms.send', { to: phone, body: 'Later', sendAfter });
    await deliver(given, { to: number, body: 'STOP' });
    platform.clock.advance(hours(2));
    await platform.settled();
    const { message } = await svc.call('sms.message.get', { messageId });
    expect(message.status).to.equal('suppressed');
    expect(message.blocked?.reason).to.equal('suppressed_recipient');
    expect(given.twilio.texts.map(({ body }) => body)).not.to.include('Later');
    expect((await platform.events(live)).filter(({ type }) => type === 'sms.suppressed')).to.have.length(1);
  });
});

describe('a number that environments share', () => {
  const shared = '+12125550100';
  const given = useTwilio({ SVC_SMS_REGISTRATION: 'not_required', SVC_SMS_FROM: shared });
  const { platform } = given;

  itNeeding('audience')(
    'is answered to the environment that texted last; STOP holds for all that did, and for no other',
    async () => {
      const [first, last, none] = [await platform.account(), await platform.account(), await platform.account()];
      for (const { svc } of [first, last]) {
        await svc.call('sms.send', { to: phone, body: 'Hello' });
        await platform.settled();
      }
      const before = given.twilio.texts.length;
      await deliver(given, { to: shared, body: 'Hello back' });
      await deliver(given, { to: shared, body: 'STOP' });
      await platform.settled();
      const kept = async ({ svc }: TestAccount): Promise<string[]> =>
        (await svc.call('sms.inbound.list', {})).inbound.map(({ body }) => body);
      expect([await kept(first), await kept(last), await kept(none)]).to.deep.equal([
        ['STOP'],
        ['STOP', 'Hello back'],
        [],
      ]);
      const stopped = async ({ svc }: TestAccount): Promise<number> =>
        (await svc.call('audience.suppression.list', { phone })).suppressions.length;
      expect([await stopped(first), await stopped(last), await stopped(none)]).to.deep.equal([1, 1, 0]);
      expect(given.twilio.texts.slice(before), 'one answer').to.have.length(1);
    },
  );

  it('from a person whom none has texted is for no environment if there are several', async () => {
    const account = await platform.account();
    const { status } = await deliver(given, { to: shared, body: 'Anybody?', from: '+4915199999999' });
    expect(status).to.equal(200);
    expect((await account.svc.call('sms.inbound.list', {})).inbound).to.deep.equal([]);
  });
});

describe('STOP where audience is not enabled', () => {
  const given = useTwilio({ SVC_PRODUCTS: 'sms', SVC_SMS_REGISTRATION: 'not_required' });
  const { platform } = given;

  it('is not confirmed, because nothing stores it; the start says so', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: 'STOP' });
    await platform.settled();
    expect(given.twilio.texts).to.deep.equal([]);
    expect((await account.svc.call('sms.inbound.list', {})).inbound[0]).to.include({ keyword: 'stop' });
    expect((await account.svc.call('sms.send', { to: phone, body: 'Hello' })).status).to.equal('queued');
    expect(startupNotices(platform.running.services).join()).to.contain('STOP is neither stored nor confirmed');
  });
});
