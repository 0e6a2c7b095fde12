import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { minutes } from '#test/support/clock.js';
import { useTwilio } from '../twilio-platform.js';

const pool = ['+14155550100', '+14155550101'];

describe('sms.number.release', () => {
  const given = useTwilio({ SVC_SMS_NUMBERS: pool.join(',') });
  const { platform } = given;

  it('gives a bought number back to the provider, tried again until the provider takes it', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const first = await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    const { number } = await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    twilio.fail(/^DELETE/, { kind: 'refuse', refusal: twilioRefusals.internal });
    const released = await svc.call('sms.number.release', { numberId: number.id });
    expect(released.number).to.deep.equal({ ...number, releasedAt: platform.clock.now().toISOString() });
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([first.number]);
    await platform.settled();
    expect(twilio.numbers.map((each) => each.number)).to.include(number.number);
    platform.clock.advance(minutes(5));
    await platform.settled();
    expect(twilio.numbers.map((each) => each.number)).to.not.include(number.number);
    expect((await svc.call('sms.number.release', { numberId: number.id })).number.releasedAt).to.equal(
      released.number.releasedAt,
    );
  });

  it('refuses the default number, until the settings have another one', async () => {
    const { svc } = await platform.account();
    const { number } = await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    const refused = await svc.raw('/sms/number/release', JSON.stringify({ numberId: number.id }));
    expect(refused.status).to.equal(409);
    expect(refused.text).to.include('number_in_use').and.include('sms.settings.set');
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([number]);
  });

  it('hands out the deployment’s own numbers first, each to one environment, and takes them back', async () => {
    const [one, two, three] = [await platform.account(), await platform.account(), await platform.account()];
    const { twilio } = given;
    const bought = twilio.purchases.length;
    const wanted = { country: 'US', areaCode: '415' };
    const first = await one.svc.call('sms.number.assign', wanted);
    const second = await two.svc.call('sms.number.assign', wanted);
    expect([first.number.number, second.number.number]).to.deep.equal(pool);
    expect(first.number.default).to.equal(true);
    expect(twilio.purchases.length).to.equal(bought);
    const third = await three.svc.call('sms.number.assign', wanted);
    expect(twilio.purchases.slice(bought)).to.deep.equal([third.number.number]);
    const refused = await three.svc.refusal('sms.number.release', { numberId: first.number.id });
    expect(refused).to.include({ status: 404, code: 'not_found' });
  });

  it('makes no number the default one while it is given back', async () => {
    const { svc, live } = await platform.account();
    await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    const { number } = await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    // What sms.number.release does, up to its commit.
    const { setting } = await platform.running.services.database.transaction(async (db) => {
      await db.rows('SELECT id FROM svc_environment WHERE id = ? FOR UPDATE', [idBytes(live.id)]);
      const started = { setting: svc.refusal('sms.settings.set', { defaultNumberId: number.id }) };
      await untilWaiting(platform, 1, 'the change of the settings');
      await db.run("UPDATE sms_number SET status = 'released' WHERE id = ?", [idBytes(number.id)]);
      return started;
    });
    expect(await setting).to.include({ status: 404, code: 'not_found' });
  });
});
