import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { numbers } from '#plugins/sms/tables/number.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { hours, minutes } from '#test/support/clock.js';
import { deadlocks } from '#test/support/lock-waits.js';
import { useTwilio } from '../twilio-platform.js';

const buying = /^POST .*\/IncomingPhoneNumbers\.json$/;
const lookingUp = /^GET .*\/IncomingPhoneNumbers\.json$/;

describe('sms.number.assign', () => {
  const given = useTwilio();
  const { platform } = given;

  it('buys one number that fits, tells so, and makes an environment’s first number its default', async () => {
    const { svc, live } = await platform.account();
    const { twilio } = given;
    const before = twilio.purchases.length;
    const { number } = await svc.call('sms.number.assign', {
      country: 'US',
      areaCode: '212',
      capabilities: ['sms', 'mms'],
    });
    expect(number).to.include({ country: 'US', default: true, releasedAt: null });
    expect(number.number).to.match(/^\+1212/);
    expect(number.capabilities).to.deep.equal(['sms', 'mms']);
    expect(twilio.purchases.slice(before)).to.deep.equal([number.number]);
    const bought = twilio.numbers.at(-1);
    expect(bought?.smsUrl).to.match(/\/v1\/sms\/inbound$/);
    expect(bought?.fallbackUrl, 'Twilio repeats a failed delivery there').to.equal(bought?.smsUrl);

    const second = await svc.call('sms.number.assign', { country: 'US' });
    expect(second.number.default).to.equal(false);
    const listed = await svc.call('sms.number.list', {});
    expect(listed.numbers).to.deep.equal([second.number, number]);
    const events = await platform.events(live);
    const assigned = events.filter(({ type }) => type === 'sms.number.assigned');
    expect(assigned.map(({ data }) => data)).to.deep.equal([{ number }, { number: second.number }]);
    const [page] = (await svc.call('account.activity.list', { limit: 1 })).activities;
    expect(page).to.include({
      operation: 'sms.number.assign',
      summary: `Assigned the number ${second.number.number}.`,
    });
    expect(page?.subject).to.deep.equal({ type: 'number', id: second.number.id });
  });

  it('buys exactly the number that was asked for, and refuses one that nobody can have', async () => {
    const { svc } = await platform.account();
    const wanted = given.twilio.stock.get('US')?.at(-1) ?? '';
    // As people write it: +1 (212) 555-0100.
    const written = wanted.replace(/^\+1(...)(...)/, '+1 ($1) $2-');
    const { number } = await svc.call('sms.number.assign', { country: 'US', number: written });
    expect(number.number).to.equal(wanted);
    const german = await svc.refusal('sms.number.assign', { country: 'US', number: '+49 1512 3456789' });
    expect(german).to.deep.include({ status: 400, code: 'invalid_input', details: { field: 'number' } });
    expect(german.message).to.contain('is not a number in US');
    const elsewhere = await svc.refusal('sms.number.assign', {
      country: 'US',
      areaCode: '415',
      number: '+12125550123',
    });
    expect(elsewhere.message).to.contain('does not have the area code 415');
    expect(await svc.refusal('sms.number.assign', { country: 'US', number: '+1 212' })).to.include({
      code: 'invalid_input',
    });
    const refused = await svc.refusal('sms.number.assign', { country: 'US', number: wanted });
    expect(refused).to.include({ status: 409, code: 'number_unavailable' });
    expect(refused.message).to.equal(`No number was assigned: ${wanted} is not available.`);
    const nowhere = await svc.refusal('sms.number.assign', { country: 'FR', areaCode: '1' });
    expect(nowhere.message).to.equal(
      'No number was assigned: there is no FR number with area code 1 that supports sms.',
    );
    expect(await svc.refusal('sms.number.assign', { country: 'FR' })).to.include({ code: 'number_unavailable' });
    expect(await svc.refusal('sms.number.assign', { country: 'US', areaCode: '999' })).to.include({
      code: 'number_unavailable',
    });
  });

  it('is refused in test environments and closed accounts, and buys nothing', async () => {
    const { svc, svcTest } = await platform.account();
    const before = given.twilio.purchases.length;
    expect(await svcTest.refusal('sms.number.assign', { country: 'US' })).to.include({
      status: 403,
      code: 'live_only',
    });
    await svc.call('account.close', { reason: 'Testing.' });
    expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({ code: 'account_closed' });
    expect(given.twilio.purchases.length).to.equal(before);
  });

  it('refuses one more than 100, until one is given back', async () => {
    const { svc, live } = await platform.account();
    const { number: first } = await svc.call('sms.number.assign', { country: 'US' });
    await svc.call('sms.number.assign', { country: 'US' });
    const { database } = platform.running.services;
    const [row] = await database.find(numbers, { environmentId: live.id, number: first.number });
    if (!row) throw new Error('The number has no row.');
    const others = Array.from({ length: 98 }, (_, index) => {
      const number = `+1650555${String(1_000 + index)}`;
      return { ...row, id: newId(), number, heldNumber: number };
    });
    await database.run(numbers.insertRows(others));
    const before = given.twilio.purchases.length;
    const refused = await svc.refusal('sms.number.assign', { country: 'US' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.fix).to.include('sms.number.release');
    expect(given.twilio.purchases.length).to.equal(before);
    await svc.call('sms.number.release', { numberId: others[0]?.id ?? '' });
    await svc.call('sms.number.assign', { country: 'US' });
    expect(given.twilio.purchases.length).to.equal(before + 1);
  });

  it('replays its answer for the same Idempotency-Key, without a second purchase', async () => {
    const { svc } = await platform.account();
    const before = given.twilio.purchases.length;
    const idempotencyKey = 'one-number-please';
    const first = await svc.envelope('sms.number.assign', { country: 'US' }, { idempotencyKey });
    expect(await svc.envelope('sms.number.assign', { country: 'US' }, { idempotencyKey })).to.deep.equal(first);
    expect(given.twilio.purchases.length).to.equal(before + 1);
  });

  it('gives calls at the same time different numbers', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const [before, deadlocksBefore] = [twilio.purchases.length, await deadlocks(platform)];
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => svc.call('sms.number.assign', { country: 'US', areaCode: '415' })),
    );
    expect(new Set(taken.map(({ number }) => number.number)).size).to.equal(5);
    expect(taken.filter(({ number }) => number.default)).to.have.length.at.least(1);
    expect((await svc.call('sms.number.list', {})).numbers.filter((each) => each.default)).to.have.length(1);
    expect(new Set(twilio.purchases.slice(before)).size).to.equal(5);
    expect(twilio.purchases.length).to.equal(before + 5);
    expect(await deadlocks(platform), 'deadlocks').to.equal(deadlocksBefore);
  });

  it('finds a number that was bought although the answer was lost', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const before = twilio.purchases.length;
    twilio.fail(buying, { kind: 'cut', carriedOut: true });
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    expect(twilio.purchases.slice(before)).to.deep.equal([number.number]);
  });

  it('answers provider_failed where nobody knows, and the next call finds the number before it buys another', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const before = twilio.purchases.length;
    twilio.fail(buying, { kind: 'cut', carriedOut: true });
    twilio.fail(lookingUp, { kind: 'refuse', refusal: twilioRefusals.internal });
    const refused = await svc.refusal('sms.number.assign', { country: 'US' }, { idempotencyKey: 'again' });
    expect(refused).to.include({ status: 502, code: 'provider_failed' });
    expect(refused.message).to.include('Twilio');
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([]);
    const { number } = await svc.call('sms.number.assign', { country: 'US' }, { idempotencyKey: 'again' });
    expect(twilio.purchases.slice(before)).to.deep.equal([number.number]);
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([number]);
  });

  it('does not buy a second number if the answer to the lookup is cut off', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const before = twilio.purchases.length;
    twilio.fail(buying, { kind: 'cut', carriedOut: true });
    twilio.fail(lookingUp, { kind: 'halve' }, { kind: 'halve' });
    for (const call of ['first', 'second'])
      expect(await svc.refusal('sms.number.assign', { country: 'US' }), call).to.include({ code: 'provider_failed' });
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    expect(twilio.purchases.slice(before)).to.deep.equal([number.number]);
  });

  it('buys the number that an earlier call did not get, in the next call', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const before = twilio.purchases.length;
    const failing = { kind: 'refuse', refusal: twilioRefusals.internal } as const;
    twilio.fail(buying, failing);
    twilio.fail(lookingUp, failing);
    expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({ code: 'provider_failed' });
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    expect(twilio.purchases.slice(before)).to.deep.equal([number.number]);
  });

  it('settles in the background what no call asked for again: a number that was bought is listed, another is not bought', async () => {
    const [bought, missed] = [await platform.account(), await platform.account()];
    const { twilio } = given;
    const before = twilio.purchases.length;
    const failing = { kind: 'refuse', refusal: twilioRefusals.internal } as const;
    for (const [{ svc }, carriedOut] of [
      [bought, true],
      [missed, false],
    ] as const) {
      twilio.fail(buying, { kind: 'cut', carriedOut });
      twilio.fail(lookingUp, failing);
      expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({ code: 'provider_failed' });
    }
    platform.clock.advance(minutes(16));
    await platform.settled();
    expect((await bought.svc.call('sms.number.list', {})).numbers.map(({ number }) => number)).to.deep.equal(
      twilio.purchases.slice(before),
    );
    expect((await missed.svc.call('sms.number.list', {})).numbers).to.deep.equal([]);
    expect((await platform.events(bought.live)).map(({ type }) => type)).to.include('sms.number.assigned');
  });

  it('names what the provider refuses, and leaves nothing behind', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    const refusal = { status: 400, code: 21_631, message: 'Phone Number Requires an Address' };
    twilio.fail(buying, { kind: 'refuse', refusal });
    const refused = await svc.refusal('sms.number.assign', { country: 'US' });
    expect(refused).to.include({ status: 502, code: 'provider_failed' });
    expect(refused.message).to.include('Phone Number Requires an Address (error 21631)');
    twilio.fail(buying, { kind: 'refuse', refusal: { status: 400, code: 21_422, message: 'not available' } });
    expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({ code: 'number_unavailable' });
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([]);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect((await svc.call('sms.number.list', {})).numbers).to.deep.equal([]);
  });

  it('answers provider_failed when numbers cannot be searched for', async () => {
    const { svc } = await platform.account();
    given.twilio.fail(/AvailablePhoneNumbers/, { kind: 'refuse', refusal: twilioRefusals.authenticate });
    const refused = await svc.refusal('sms.number.assign', { country: 'US' });
    expect(refused).to.include({ code: 'provider_failed' });
    expect(refused.message).to.equal('Twilio failed: Authenticate (error 20003).');
  });
});

describe('sms.number.assign of several accounts', () => {
  const pool = Array.from({ length: 6 }, (_, n) => `+1415555010${n}`);
  const given = useTwilio({ SVC_SMS_NUMBERS: pool.join(',') });
  const { platform } = given;

  it('gives accounts that call at the same time different numbers', async () => {
    const callers = await Promise.all(Array.from({ length: 7 }, () => platform.account()));
    const bought = given.twilio.purchases.length;
    const taken = await Promise.all(
      callers.map(({ svc }) => svc.call('sms.number.assign', { country: 'US', areaCode: '415' })),
    );
    const numbers = taken.map(({ number }) => number.number);
    expect(new Set(numbers).size).to.equal(7);
    expect(numbers).to.include.members(pool);
    expect(given.twilio.purchases.length).to.equal(bought + 1);
  });
});
