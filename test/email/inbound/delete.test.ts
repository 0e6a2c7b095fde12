import { expect } from 'chai';
import { searchDatabase } from '#test/support/search-database.js';
import { usePlatform } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

describe('email.inbound.delete', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('deletes the message with its attachments, once', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const body =
      '--b1\r\n\r\nsecretword\r\n--b1\r\nContent-Type: application/x; name=secretword\r\n\r\nsecretword\r\n--b1--';
    const raw = rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1', 'X-Word': 'secretword' }, body);
    const inboundId = await receive(platform, account, raw);
    const find = (): Promise<string[]> => searchDatabase(platform.running.services.database, 'secretword');
    expect(await find()).to.deep.equal([
      'email_inbound_attachment.filename',
      'email_inbound_content.text_body',
      'email_inbound_content.headers',
      'email_inbound_part.data',
    ]);
    const { activityId, result } = await svc.envelope('email.inbound.delete', { inboundId });
    expect(result).to.deep.equal({ deleted: true });
    expect(await find()).to.deep.equal([]);
    expect((await svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
    expect((await svc.call('email.inbound.list', { from: 'ada@example.com' })).inbound).to.deep.equal([]);
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.changes).to.have.length(1);

    expect(await svc.call('email.inbound.delete', { inboundId })).to.deep.equal({ deleted: false });
    const deletions = (await platform.events(live)).filter(({ type }) => type === 'email.inbound.deleted');
    expect(deletions.map(({ data }) => data)).to.deep.equal([{ inboundId }]);
  });

  it('holds when the provider delivers the message again', async () => {
    const account = await platform.account();
    const inboundId = await receive(platform, account);
    await account.svc.call('email.inbound.delete', { inboundId });
    expect(await receive(platform, account)).to.equal(inboundId);
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
  });
});
