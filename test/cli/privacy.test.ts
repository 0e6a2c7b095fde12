import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { signedIn } from '#test/auth/support.js';
import { inboundSecret, rawMail, receive } from '#test/email/inbound/support.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { listAt, parseJson } from '#core/runtime/json.js';
import { resultOf, runSvc, type Ran } from './support.js';

const email = 'ada@example.com';

describe('svc privacy export', function () {
  this.timeout(60_000);
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });
  const folder = mkdtempSync(join(tmpdir(), 'svc-privacy-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const exported = ({ keys }: TestAccount, ...words: string[]): Promise<Ran> =>
    runSvc(['privacy', 'export', ...words, '--base-url', platform.running.address], { key: keys.live.secret });

  itNeeding(
    'auth',
    'audience',
    'email',
  )('writes everything about a person, found by any of their names, as JSON and as a page', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { contact } = await svc.call('audience.contact.upsert', {
      email,
      phone: '+4915123456789',
      externalId: 'ada-1',
      properties: { plan: '<b>pro</b>' },
    });
    await svc.call('audience.topic.create', { key: 'news', name: 'News', channels: ['email'] });
    await svc.call('audience.consent.grant', {
      contactId: contact.id,
      topic: 'news',
      channel: 'email',
      source: 'checkout form',
    });
    await svc.call('audience.suppression.add', { phone: '+4915123456789' });
    const { userId } = await signedIn(platform, account.live, { email });
    const { messageId } = await svc.call('email.send', { to: email, subject: 'Your order', text: 'It is on its way.' });
    const headers = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary="b1"' };
    const parts = [
      '--b1\r\nContent-Type: text/plain\r\n\r\nIt arrived broken.',
      '--b1\r\nContent-Type: application/pdf; name="../../bill.pdf"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD',
      '--b1--',
    ];
    await receive(platform, account, rawMail(headers, parts.join('\r\n')));

    const out = join(folder, 'ada');
    const ran = await exported(account, '--external-id', 'ada-1', '--out', out);
    expect(ran.code, ran.stderr).to.equal(0);
    expect(resultOf(ran.stdout)).to.deep.include({
      ...{ contact: 1, user: 1, consents: 1, suppressions: 1, receivedEmails: 1, sessions: 1, attachments: 1 },
      notRead: [],
    });
    const person = parseJson(readFileSync(join(out, 'person.json'), 'utf8'));
    expect(at(listAt(person, 'contact')[0], 'contact', 'id')).to.equal(contact.id);
    expect(at(listAt(person, 'user')[0], 'user', 'id')).to.equal(userId);
    const mails = JSON.stringify(at(person, 'emails'));
    expect(mails).to.contain(messageId).and.contain('It is on its way.');
    expect(JSON.stringify(at(person, 'changes'))).to.contain('audience.contact.upsert');
    const page = readFileSync(join(out, 'person.html'), 'utf8');
    expect(page).to.contain('checkout form').and.contain('&lt;b&gt;pro&lt;/b&gt;').and.not.contain('<b>pro</b>');
    const [file = ''] = readdirSync(join(out, 'attachments'));
    expect(file).to.match(/^[0-9a-f-]{36}\.pdf$/);
    expect(readFileSync(join(out, 'attachments', file), 'utf8')).to.equal('ABC');
    expect(statSync(join(out, 'person.json')).mode & 0o077, 'who else may read it').to.equal(0);

    const again = await exported(account, '--email', email, '--out', out);
    expect([again.code, again.stderr]).to.deep.equal([
      2,
      `The folder ${out} is not empty.\nfix: Pass a new folder with --out.\n`,
    ]);
  });

  itNeeding('audience')('writes nothing if no person is named or nothing is stored', async () => {
    const account = await platform.account();
    const out = join(folder, 'nobody');
    const unnamed = await exported(account, '--out', out);
    expect(unnamed.stderr).to.contain('No person is named.').and.contain('--email');
    const unknown = await exported(account, '--email', 'nobody@example.com', '--out', out);
    expect(unknown.stderr).to.contain('Nothing is stored about this person');
    expect([unnamed.code, unknown.code]).to.deep.equal([2, 4]);
    expect(readdirSync(folder)).to.not.contain('nobody');
  });
});
