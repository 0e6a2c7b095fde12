import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { searchDatabase } from '#test/support/search-database.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

describe('Erasing a person from received mail', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  const erase = async ({ live }: TestAccount, email: string): Promise<void> => {
    await platform.running.services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment: live, personId: newId(), email, phone: null }),
    );
    await platform.settled();
    platform.clock.advance(minutes(1));
    await platform.settled();
  };
  const find = (text: string): Promise<string[]> => searchDatabase(platform.running.services.database, text);

  it('deletes what the person sent, and what events say about it', async () => {
    const account = await platform.account();
    const name = `ada${randomBytes(6).toString('hex')}`;
    const email = `${name}@example.com`;
    const sent = rawMail({ From: `${name} <${email}>`, Subject: `From ${name}` }, `${name} was here`);
    await receive(platform, account, sent, { from: email });
    await receive(platform, account, sent, { from: email, to: `a@none.localhost` }).catch(() => undefined);
    const kept = await receive(platform, account, rawMail({ Subject: 'Of another' }));
    await platform.settled();
    expect(await find(name)).to.include.members(['email_inbound.subject', 'svc_event.data']);
    await erase(account, email);
    expect(await find(name)).to.deep.equal([]);
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ inboundId }) => inboundId)).to.deep.equal([kept]);
  });

  it('keeps of mail to the person who else sent it and when', async () => {
    const account = await platform.account();
    const name = `bob${randomBytes(6).toString('hex')}`;
    const inboundId = await receive(
      platform,
      account,
      rawMail({ To: `${name}@example.com, eve@example.com` }, `Dear ${name}`),
    );
    await erase(account, `${name}@example.com`);
    expect(await find(name)).to.deep.equal([]);
    const shown = await account.svc.call('email.inbound.get', { inboundId });
    expect([shown.inbound.from, shown.inbound.to, shown.inbound.subject, shown.text]).to.deep.equal([
      'ada@example.com',
      ['eve@example.com'],
      null,
      null,
    ]);
  });
});
