import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { signInTexts, type SignInText } from '#plugins/auth/ports.js';
import { codeText } from '#plugins/auth/mails/templates.js';
import { listTexts, phoneFiles } from '#plugins/sms/providers/log/store.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { searchDatabase } from '#test/support/search-database.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { ada, ownNumber, register, shown, suppress, useTexts } from '../support.js';
import { useTwilio } from '../twilio-platform.js';

/** The code that something is refused with. */
const codeOf = (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 'accepted',
    (error: unknown) => (error instanceof SvcError ? error.code : error),
  );

describe('system texts', () => {
  const texts = useTexts();
  const { platform } = texts;

  const code = (given: Partial<SignInText> = {}): SignInText => ({
    template: codeText,
    to: ada,
    variables: { code: '493817', minutes: '10' },
    ...given,
  });
  const queue = async (environment: Environment, given: Partial<SignInText> = {}): Promise<string> => {
    const { services } = platform.running;
    const queued = await services.transaction('Test', ({ use }) => use(signInTexts).queue(environment, code(given)));
    return queued.messageId;
  };

  it('are sent in the recipient’s language; what they say is sealed while queued, never shown, and erased once sent', async () => {
    const { svc, live } = await platform.account();
    texts.twilio.refusals.set(ada, twilioRefusals.tooMany);
    const messageId = await queue(live, { locale: 'de' });
    await platform.settled();
    const { database } = platform.running.services;
    expect(await platform.count('sms_content')).to.equal(1);
    expect(await searchDatabase(database, '493817'), 'readable nowhere').to.deep.equal([]);
    texts.twilio.refusals.clear();
    platform.clock.advance(minutes(1));
    await platform.settled();
    const [arrived] = texts.arrivalsOf(messageId);
    expect(arrived).to.include({ to: ada, from: ownNumber });
    expect(arrived?.body)
      .to.contain('493817')
      .and.to.match(/Code|gültig|Minuten/i);
    expect(await platform.count('sms_content')).to.equal(0);
    expect(await shown(svc, messageId)).to.include({
      system: true,
      body: null,
      status: 'sent',
      template: codeText.name,
      templateLocale: 'de',
      templateVersion: null,
    });
    const events = JSON.stringify(await platform.events(live));
    expect(events).to.contain('sms.sent').and.not.to.contain('493817');
  });

  it('say what a project’s override says, and the built-in text where that says nothing', async () => {
    const { svc, live } = await platform.account();
    const override = async (body: string): Promise<void> => {
      await svc.call('sms.template.draft.save', { template: codeText.name, locales: { en: { body } } });
      await svc.call('sms.template.publish', { template: codeText.name });
    };
    const bodyOf = async (messageId: string): Promise<string | undefined> => {
      await platform.settled();
      return texts.arrivalsOf(messageId)[0]?.body;
    };
    await override('Code of {{ brandName }}: {{ code }}');
    expect(await bodyOf(await queue(live))).to.match(/^Code of .+: 493817$/);
    await override('{% if code == "000000" %}{{ code }}{% endif %}');
    expect(await bodyOf(await queue(live)), 'the built-in one').to.contain('493817');
  });

  itNeeding('audience')('are not sent to a number that said STOP, and are answered alike', async () => {
    const { svc, live } = await platform.account();
    await suppress(platform, live, ada, 'stop');
    const messageId = await queue(live);
    await platform.settled();
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    expect((await shown(svc, messageId)).blocked).to.include({ reason: 'suppressed_recipient' });
    expect(await platform.count('sms_content'), 'what is never sent is not kept').to.equal(0);
  });

  it('are given up once their code is no longer valid', async () => {
    const { svc, live } = await platform.account();
    texts.twilio.refusals.set(ada, twilioRefusals.tooMany);
    const messageId = await queue(live);
    await platform.settled();
    platform.clock.advance(minutes(10));
    await platform.settled();
    texts.twilio.refusals.clear();
    expect((await shown(svc, messageId)).status).to.equal('failed');
    expect(await platform.count('sms_content')).to.equal(0);
  });

  it('are kept for /dev/phone in a test environment, and reach no phone', async () => {
    const { test } = await platform.account();
    const messageId = await queue(test);
    await platform.settled();
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    const kept = await listTexts(phoneFiles(platform.running.services.deployment));
    const found = kept.find((each) => each.messageId === messageId);
    expect(found).to.include({ direction: 'out', phone: ada });
    expect(found?.body).to.contain('493817');
  });

  it('have a budget of their own: 500 an hour and 5,000 a day for each environment', async () => {
    const { live, test } = await platform.account();
    await queue(live);
    const set = (period: string, hits: number): Promise<unknown> =>
      platform.running.services.database.run(
        `UPDATE svc_limit SET hits = ${hits} WHERE id = UNHEX(SHA2('signin text|per ${period}|${live.id}', 256))`,
      );
    await set('hour', 499);
    await queue(live);
    expect(await codeOf(queue(live))).to.equal('auth_send_limited');
    await queue(test);
    platform.clock.advance(hours(1));
    await queue(live);
    await set('day', 5_000);
    platform.clock.advance(hours(1));
    expect(await codeOf(queue(live))).to.equal('auth_send_limited');
    platform.clock.advance(days(1));
    await queue(live);
  });

  it('are refused to countries that the operator does not allow, and once the account is closed', async () => {
    const { svc, live } = await platform.account();
    expect(await codeOf(queue(live, { to: '+33612345678' }))).to.equal('destination_not_allowed');
    await svc.call('account.close', { reason: 'We moved.' });
    expect(await codeOf(queue({ ...live, closedAt: new Date() }))).to.equal('account_closed');
  });
});

describe('sign-in by text', () => {
  needProducts('auth');
  const { platform } = useTwilio();

  it('is available once a text could really be sent: a registration and a number are there', async () => {
    const { svc, keys, live, test } = await platform.account();
    const available = (environment: Environment): Promise<boolean> =>
      platform.running.services.read('Test', ({ use }) => use(signInTexts).available(environment));
    expect([await available(live), await available(test)]).to.deep.equal([false, true]);
    await svc.call('sms.number.assign', { country: 'US' });
    expect(await available(live)).to.equal(false);
    await register(platform, live, 'submitted');
    expect(await available(live)).to.equal(true);
    await svc.call('auth.settings.set', { methods: { sms: { enabled: true } } });
    const { methods } = await svc.call('auth.signin.methods', {}, { key: keys.live.publishable });
    expect(methods.sms).to.equal(true);
  });
});
