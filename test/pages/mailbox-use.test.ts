import { expect } from 'chai';
import { idsIn, listMailbox, mailboxFolder } from '#plugins/email/mailbox/store.js';
import { scaling } from '#plugins/email/pages/mailbox/scaling.js';
import { timeAgo } from '#core/surfaces/pages/time.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('the mailbox page', () => {
  needProducts('email');
  const platform = usePlatform();
  const folder = (): string => mailboxFolder(platform.running.services.deployment);
  const send = async (subject: string, more: object = {}): Promise<TestAccount> => {
    const account = await platform.account();
    await account.svc.call('email.send', { to: 'ada@example.com', subject, text: 'Hello', ...more });
    await platform.settled();
    return account;
  };
  const visit = async (query = '', init: RequestInit = {}): Promise<{ status: number; body: string }> => {
    const answer = await fetch(`${platform.running.address}/dev/mailbox${query}`, { redirect: 'manual', ...init });
    return { status: answer.status, body: await answer.text() };
  };
  const post = (query: string, action: string, headers: Record<string, string> = {}) =>
    visit(query, { method: 'POST', body: new URLSearchParams({ do: action }), headers });

  beforeEach(() => post('', 'clear'));

  it('finds messages by words of the subject, an address or the text, and says when there are none', async () => {
    await send('Invoice for March', { text: 'It is due on Friday.' });
    await send('Invoice for April', { to: 'grace@example.com', html: '<p>Pay with <b>care</b></p>' });
    for (const [words, found] of [
      ['invoice', ['March', 'April']],
      ['INVOICE friday', ['March']],
      ['grace@', ['April']],
      ['with care', ['April']],
      ['invoice sunday', []],
      ['<b>', []],
    ] as const) {
      const { body } = await visit(`?${new URLSearchParams({ q: words }).toString()}`);
      const shown = ['March', 'April'].filter((month) => body.includes(`Invoice for ${month}`));
      expect(shown, words).to.have.members([...found]);
      expect(body.includes('Nothing found'), words).to.equal(found.length === 0);
    }
    expect((await visit('?q=%22%3E%3Cscript%3E')).body).to.contain('value="&quot;>&lt;script>"');
  });

  it('marks messages with attachments', async () => {
    await send('Without');
    expect((await visit()).body).to.not.contain('has attachments');
    const content = Buffer.from('file').toString('base64');
    await send('With', { attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', content }] });
    const { body } = await visit();
    expect(body.match(/has attachments/g)).to.have.length(1);
    const [newest] = await idsIn(folder());
    expect((await visit(`?message=${newest ?? ''}`)).body)
      .to.contain('a.pdf</bdi></a>')
      .and.contain('application/pdf, 4 bytes');
  });

  it('says which message is the newest, so that its script can show new mail', async () => {
    expect(await visit('?newest')).to.deep.equal({ status: 200, body: '' });
    await send('First');
    const [first = 'none'] = await idsIn(folder());
    expect((await visit('?newest')).body).to.equal(first);
    expect((await visit()).body).to.contain(`data-newest="${first}"`);
    await send('Second');
    expect((await visit('?newest')).body).to.not.equal(first);
  });

  it('deletes one message or all of them, only by its own form', async () => {
    await send('One');
    await send('Two');
    const [two = 'none', one = 'none'] = await idsIn(folder());
    expect((await post('', 'clear', { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
    expect((await post('', 'clear', { 'X-Forwarded-For': '10.0.0.1' })).status).to.equal(404);
    expect((await post(`?message=${two}`, 'publish')).status).to.equal(400);
    expect(await idsIn(folder())).to.deep.equal([two, one]);
    expect((await visit()).body).to.contain('Delete all 2 messages? They cannot be restored.');
    expect((await post(`?message=${two}`, 'delete')).status).to.equal(303);
    expect(await idsIn(folder())).to.deep.equal([one]);
    expect((await visit()).body).to.contain('Delete the one message? It cannot be restored.');
    expect((await post('?message=../secret', 'delete')).status).to.equal(303);
    expect((await post('', 'clear')).status).to.equal(303);
    expect(await idsIn(folder())).to.deep.equal([]);
    expect((await visit()).body)
      .to.contain('No mail yet')
      .and.not.contain('popovertarget');
  });

  it('leads from a message to the newer and the older one', async () => {
    for (const subject of ['One', 'Two', 'Three']) await send(subject);
    const [three = '', two = '', one = ''] = (await listMailbox(folder(), { limit: 3 })).map(({ id }) => id);
    const { body } = await visit(`?message=${two}`);
    expect(body).to.contain(`href="?message=${three}">Newer`).and.contain(`href="?message=${one}">Older`);
    expect((await visit(`?message=${three}`)).body).to.not.contain('>Newer');
    expect((await visit(`?message=${one}`)).body).to.not.contain('>Older');
  });

  it('scales a mail of a fixed width to smaller screens, and leaves one that adapts by itself', async () => {
    await send('Wide', { html: '<!doctype html><table width="600"><tr><td>Hi</td></tr></table>' });
    const [id = ''] = await idsIn(folder());
    const { body } = await visit(`?message=${id}&html=1`);
    expect(body)
      .to.match(/^<!doctype html>/)
      .and.contain('<base target="_blank">');
    expect(body).to.contain('@media (max-width: 379px) { html { zoom: 0.584 } }');
    for (const markup of ['<div style="min-width: 640px">', "<td width='480'>", '<style>.a{width:600px}</style>'])
      expect(scaling(markup), markup).to.contain('zoom');
    for (const markup of [
      '<p>Hi</p>',
      '<div style="max-width:600px">',
      '<img width="120">',
      '<table width="100%">',
      '<style>@media only screen and (max-width: 620px) { .a { width: 100% } }</style><table width="600">',
    ])
      expect(scaling(markup), markup).to.equal('');
  });

  it('shows relative times', async () => {
    const now = new Date('2026-03-09T17:05:00Z');
    const before = (seconds: number): string => timeAgo(new Date(now.getTime() - seconds * 1000), now);
    expect([before(-5), before(59), before(60), before(7_199), before(90_000), before(400_000)]).to.deep.equal([
      'just now',
      'just now',
      '1 min. ago',
      '1 hr. ago',
      'yesterday',
      '4 days ago',
    ]);
    await send('Now');
    expect((await visit()).body).to.match(/<time datetime="[^"]+Z" title="[^"]+ UTC">just now<\/time>/);
  });
});
