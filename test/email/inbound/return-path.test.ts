import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { notice, useBounces } from '../bounces/support.js';
import { ingest, inboundSecret, ownDomain } from './support.js';
import { deliver, smtpPort } from './smtp-support.js';

describe('A bounce that arrives at the return path of a message', () => {
  const mail = useBounces({ SVC_INBOUND_SMTP_PORT: '0', SVC_INBOUND_SECRET: inboundSecret });
  const { platform } = mail;

  it('by SMTP is recorded with the message, and not as received mail', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const { code, text } = await deliver(smtpPort(platform), notice(), { from: '', to: returnPaths[0] ?? '' });
    expect([code, text]).to.deep.equal([250, '2.0.0 Recorded']);
    expect((await shown()).message).to.deep.include({ status: 'bounced' });
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
  });

  it('by SMTP is read for one return path: another one gets another copy', async () => {
    const account = await platform.account();
    const { returnPaths } = await mail.sent(account, ['ada@example.com', 'bob@example.com']);
    const [adas = '', bobs = ''] = returnPaths;
    const elsewhere = adas.replace(/@.*/, '@elsewhere.example');
    const { code, refused } = await deliver(smtpPort(platform), notice(), {
      from: '',
      to: [adas, adas, bobs, elsewhere],
    });
    expect([code, refused]).to.deep.equal([250, { [bobs]: 452, [elsewhere]: 452 }]);
  });

  it('from a provider is recorded too', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const { status, body } = await ingest(platform, notice(), { from: '<>', to: returnPaths[0] ?? '' });
    expect([status, at(body, 'status')]).to.deep.equal([200, 'recorded']);
    expect((await shown()).message).to.deep.include({ status: 'bounced' });
  });

  it('is said to be recorded only if it was', async () => {
    const account = await platform.account();
    const [to = ''] = (await mail.sent(account)).returnPaths;
    const statusOf = async (raw: Buffer): Promise<unknown> => at((await ingest(platform, raw, { to })).body, 'status');
    expect(await statusOf(notice({ action: 'delayed' }))).to.equal('ignored');
    expect(await statusOf(notice())).to.equal('recorded');
    expect(await statusOf(notice())).to.equal('repeated');
    const { text } = await deliver(smtpPort(platform), notice({ action: 'delayed' }), { from: '', to });
    expect(text).to.equal('2.0.0 Accepted, reports nothing');
  });

  it('to a forged return path is refused', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const forged = (returnPaths[0] ?? '').replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    expect((await deliver(smtpPort(platform), notice(), { from: '', to: forged })).code).to.equal(550);
    expect((await shown()).message).to.deep.include({ status: 'sent' });
  });

  it('is stored as received mail at an ordinary address', async () => {
    const account = await platform.account();
    const to = `bounce@${await ownDomain(account)}`;
    expect((await deliver(smtpPort(platform), notice(), { from: '', to })).code).to.equal(250);
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ automatic, envelopeFrom }) => [automatic, envelopeFrom])).to.deep.equal([[true, '']]);
  });
});
