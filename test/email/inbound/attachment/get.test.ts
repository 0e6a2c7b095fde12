import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from '../support.js';

describe('email.inbound.attachment.get', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('returns the bytes of a file of several MiB, and of an empty one', async () => {
    const account = await platform.account();
    const content = randomBytes(3 * 1024 * 1024 + 17);
    const lines = content.toString('base64').replace(/.{76}/g, '$&\r\n');
    const body = [
      '--b1\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n' + lines,
      '--b1\r\nContent-Type: application/x-none; name=b\r\nContent-Transfer-Encoding: base64\r\n\r\n',
      '--b1--',
    ].join('\r\n');
    const inboundId = await receive(
      platform,
      account,
      rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1' }, body),
    );
    const { attachments } = await account.svc.call('email.inbound.get', { inboundId });
    const [first, second] = await Promise.all(
      attachments.map(({ attachmentId }) =>
        account.svc.call('email.inbound.attachment.get', { inboundId, attachmentId }),
      ),
    );
    expect([first?.filename, first?.contentType]).to.deep.equal(['a.png', 'image/png']);
    expect(Buffer.from(first?.content ?? '', 'base64').equals(content)).to.equal(true);
    expect(second).to.deep.equal({ filename: 'b', contentType: 'application/x-none', content: '' });
    expect(await platform.count('email_inbound_part', 'LENGTH(data) > 1048576')).to.equal(0);
  });

  it('knows an attachment only by its own message', async () => {
    const account = await platform.account();
    const mail = (id: string): string =>
      rawMail({ 'Message-ID': id, 'Content-Type': 'application/pdf', 'Content-Transfer-Encoding': 'base64' }, 'QUJD');
    const one = await receive(platform, account, mail('<1@x>'));
    const two = await receive(platform, account, mail('<2@x>'));
    const { attachments } = await account.svc.call('email.inbound.get', { inboundId: one });
    const attachmentId = attachments[0]?.attachmentId ?? '';
    const refused = await account.svc.refusal('email.inbound.attachment.get', { inboundId: two, attachmentId });
    expect([refused.status, refused.code]).to.deep.equal([404, 'not_found']);
    await account.svc.call('email.inbound.attachment.get', { inboundId: one, attachmentId });
  });
});
