import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { mobile, reached, sendBroadcast, subscribe, texter } from '../broadcast/support.js';
import { ownNumber, send, useTexts } from '../support.js';
import { deliver } from './support.js';

/** Several live environments send from the deployment's number, so svc has to know whom a text answers. */
describe('STOP before the outcome of the text that it answers is recorded', () => {
  needProducts('audience');
  const given = useTexts();
  const { platform } = given;
  const accounts: { other?: TestAccount } = {};
  before(async () => {
    accounts.other = await platform.account();
  });

  const reasons = async ({ svc }: TestAccount, phone: string): Promise<string[]> =>
    (await svc.call('audience.suppression.list', { phone })).suppressions.map(({ reason }) => reason);
  const received = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('sms.inbound.list', {})).inbound.map(({ body }) => body);

  it('holds if the connection to Twilio was cut', async () => {
    const account = await platform.account();
    const phone = mobile(1);
    given.twilio.fail(/^POST .*Messages\.json$/, { kind: 'cut', carriedOut: true });
    await send(account.svc, { to: phone });
    await eventually(
      async () => (await platform.count('sms_message', 'unclear_at IS NOT NULL')) > 0,
      'an unclear text',
    );
    expect((await deliver(given, { from: phone, to: ownNumber, body: 'STOP' })).status).to.equal(200);
    expect(await reasons(account, phone)).to.deep.equal(['stop']);
    expect(await received(account)).to.deep.equal(['STOP']);
    if (accounts.other) expect(await reasons(accounts.other, phone)).to.deep.equal([]);
  });

  it('holds while Twilio has not answered yet, for a text of a broadcast too', async () => {
    const account = await texter(platform);
    const phone = mobile(2);
    await subscribe(account, [phone]);
    given.twilio.answerTexts(false);
    const broadcastId = await sendBroadcast(account);
    await given.twilio.waitForTexts((texts) => texts.some(({ to }) => to === phone));
    await deliver(given, { from: phone, to: ownNumber, body: 'STOP' });
    expect(await reasons(account, phone)).to.deep.equal(['stop']);
    given.twilio.answerTexts(true);
    await reached(account, broadcastId, 'sent');
  });

  it('holds for every environment with a text to the sender if none is known to have left; nothing else is received', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    const phone = mobile(3);
    given.twilio.refusals.set(phone, twilioRefusals.invalidTo);
    for (const { svc } of [first, second]) await send(svc, { to: phone });
    await platform.settled();
    for (const body of ['Hello', 'Stop.']) await deliver(given, { from: phone, to: ownNumber, body });
    for (const account of [first, second]) {
      expect(await reasons(account, phone)).to.deep.equal(['stop']);
      expect(await received(account)).to.deep.equal([]);
    }
    if (accounts.other) expect(await reasons(accounts.other, phone)).to.deep.equal([]);
  });
});
