import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { send } from '../support.js';
import { inboundSecret, rawMail, receive } from './support.js';

/** A message of several parts. */
const multipart = (type: string, parts: readonly string[]): [Record<string, string>, string] => [
  { 'MIME-Version': '1.0', 'Content-Type': `multipart/${type}; boundary="b1"` },
  [...parts.map((part) => `--b1\r\n${part}`), '--b1--'].join('\r\n'),
];

describe('email.inbound.get', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('shows text, HTML, headers and attachments', async () => {
    const account = await platform.account();
    const [headers, body] = multipart('mixed', [
      'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe',
      'Content-Type: application/pdf; name="../../bill.pdf"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD',
      'Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nforwarded',
    ]);
    const subject = '=?utf-8?Q?Rechnung_f=C3=BCr_Ada?=';
    const raw = rawMail({ ...headers, Subject: subject, Received: 'from a\r\n by b', 'X-Two': '1' }, body);
    const inboundId = await receive(platform, account, `X-Two: 0\r\n${raw}`);
    const shown = await account.svc.call('email.inbound.get', { inboundId });
    expect(shown.text?.trim()).to.equal('Grüße');
    expect(shown.html).to.equal(null);
    expect(shown.inbound.subject).to.equal('Rechnung für Ada');
    expect(shown.inbound.attachmentCount).to.equal(2);
    expect(shown.headers).to.include({ subject: 'Rechnung für Ada', 'x-two': '0\n1', from: 'Ada <ada@example.com>' });
    expect(shown.attachments.map(({ filename, contentType, bytes }) => [filename, contentType, bytes])).to.deep.equal([
      ['.._.._bill.pdf', 'application/pdf', 3],
      ['message.eml', 'message/rfc822', 26],
    ]);
  });

  it('shows HTML without what runs, loads or asks for input', async () => {
    const account = await platform.account();
    const [headers, body] = multipart('related', [
      `Content-Type: text/html\r\n\r\n<html><head><title>t</title><style>p{background:url(http://x/)}</style></head><body onload="a()">
<p style="color: red; background: url(http://x/1.png); position: fixed; width: 1px
 url(//x/2.png)">Hi <b onclick="b()">Ada</b></p>
<script>alert(1)</script><iframe src="https://x"></iframe><form action="/x"><input name="q"></form><svg onload="x()"></svg>
<a href="javascript:alert(1)">bad</a> <a href="https://shop.example/?a=1&amp;b=2" target="_self">good</a>
<img src="cid:logo@x" alt="Logo"><img src="https://x.example/p.png"><img src="data:image/png;base64,AAAA"><img src="cid:none">
<link rel="stylesheet" href="https://x"><meta http-equiv="refresh" content="0"><base href="https://x"></body></html>`,
      'Content-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD',
    ]);
    const inboundId = await receive(platform, account, rawMail(headers, body));
    const { html, attachments } = await account.svc.call('email.inbound.get', { inboundId });
    const [logo] = attachments;
    expect(html?.replace(/\s*\n\s*/g, '')).to.equal(
      `<p style="color:red">Hi <b>Ada</b></p><a target="_blank" rel="noopener noreferrer nofollow">bad</a> <a href="https://shop.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">good</a>` +
        `<img alt="Logo" src="cid:${logo?.attachmentId}" /><img src="https://x.example/p.png" /><img /><img />`,
    );
  });

  it('shows no address that the page would resolve against itself', async () => {
    const account = await platform.account();
    const dropped = [
      '/logout',
      'logout?all=1',
      '#top',
      '?q=1',
      '//evil.example/x',
      '\\\\evil.example\\x',
      'https:/logout',
      'https:logout',
      ' ht\ntps:/logout',
      'https:\\\\evil.example',
      '.',
      'about:blank',
      'file:///etc/passwd',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'https&colon;/logout',
    ];
    const markup = [
      ...dropped.map((address) => `<a href="${address}">a</a><img src="${address}">`),
      '<img srcset="/a.png 1x, https://x.example/b.png 2x"><td background="/x.png">t</td><video poster="/p.png" src="v.mp4"></video>',
      '<svg><a xlink:href="/logout">b</a><image href="/i.png" /></svg><blockquote cite="/c">c</blockquote><area href="/d">',
      '<p style="background:url(/e.png);color:red">d</p><p style="background-color:src(\'/e.png\')">e</p><object data="/f"></object><input formaction="/g">',
    ].join('\n');
    const inboundId = await receive(platform, account, rawMail({ 'Content-Type': 'text/html' }, markup));
    const { html } = await account.svc.call('email.inbound.get', { inboundId });
    expect(html).to.contain('<p style="color:red">d</p>');
    expect(html).not.to.match(/href|src|cite|poster|background|url|data=|action|\/[a-z]+\.png/);
  });

  it('keeps 1 MiB of text and the whole as an attachment', async () => {
    const account = await platform.account();
    const body = `${'x'.repeat(900)}\r\n`.repeat(1_300);
    const inboundId = await receive(platform, account, rawMail({}, body));
    const { text, attachments } = await account.svc.call('email.inbound.get', { inboundId });
    expect(text).to.have.length(1024 * 1024);
    expect(attachments.map(({ filename }) => filename)).to.deep.equal(['message.txt']);
    expect(attachments[0]?.bytes).to.be.greaterThan(1_170_000);
  });

  it('names the message of this environment that it answers', async () => {
    const account = await platform.account();
    const other = await platform.account();
    const { messageId } = await send(account.svc);
    const theirs = await send(other.svc);
    const answering = async (headers: Record<string, string>): Promise<string | null> => {
      const inboundId = await receive(platform, account, rawMail({ ...headers, 'Message-ID': `<${Math.random()}@x>` }));
      return (await account.svc.call('email.inbound.get', { inboundId })).inbound.inReplyTo;
    };
    expect(await answering({ 'In-Reply-To': `<${messageId}@any.example>` })).to.equal(messageId);
    const references = `<${theirs.messageId}@a> <${messageId}@b>\r\n <other@example.com>`;
    expect(await answering({ 'In-Reply-To': '<other@example.com>', References: references })).to.equal(messageId);
    expect(await answering({ 'In-Reply-To': `<${theirs.messageId}@a>` }), 'of another environment').to.equal(null);
    expect(await answering({ 'In-Reply-To': 'your mail of Friday' })).to.equal(null);
  });

  it('recognises what programs send', async () => {
    const account = await platform.account();
    const isAutomatic = async (headers: Record<string, string>, from = 'ada@example.com'): Promise<boolean> => {
      const raw = rawMail({ ...headers, 'Message-ID': `<${Math.random()}@x>` });
      const inboundId = await receive(platform, account, raw, { from });
      return (await account.svc.call('email.inbound.get', { inboundId })).inbound.automatic;
    };
    const automatic: Record<string, string>[] = [
      { 'Auto-Submitted': 'auto-replied (vacation)' },
      { Precedence: 'bulk' },
      { Precedence: 'auto_reply' },
      { 'X-Autoreply': 'yes' },
      { 'List-Id': '<news.example.com>' },
      { From: 'MAILER-DAEMON@example.com' },
      { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x' },
      { 'X-Svc-Message-Id': '01890a5d-ac96-774b-bcce-b302099a8300' },
    ];
    for (const headers of automatic) expect(await isAutomatic(headers), JSON.stringify(headers)).to.equal(true);
    expect(await isAutomatic({}, '<>'), 'the null sender').to.equal(true);
    for (const headers of [
      {},
      { 'Auto-Submitted': 'no' },
      { Precedence: 'first-class' },
      { 'Return-Path': '<a@b.example>' },
    ])
      expect(await isAutomatic(headers), JSON.stringify(headers)).to.equal(false);
  });

  itNeeding('audience')(
    'is about the contact who sent it, unless a program did: automations write to nobody then',
    async () => {
      const account = await platform.account();
      const { contact } = await account.svc.call('audience.contact.upsert', { email: 'Ada@example.com' });
      const aboutOf = async (headers: Record<string, string>): Promise<string | null> => {
        const raw = rawMail({ ...headers, 'Message-ID': `<${Math.random()}@x>` });
        const inboundId = await receive(platform, account, raw);
        const [event] = await platform.running.services.database.rows<{ person_id: Buffer | null }>(
          "SELECT person_id FROM svc_event WHERE type = 'email.inbound.received' AND subject_id = ?",
          [inboundId],
        );
        return event?.person_id ? idText(event.person_id) : null;
      };
      expect(await aboutOf({})).to.equal(contact.id);
      expect(await aboutOf({ 'Auto-Submitted': 'auto-replied' })).to.equal(null);
      expect(await aboutOf({ From: 'bob@example.com' }), 'no contact').to.equal(null);
    },
  );

  it('does not show deleted mail', async () => {
    const account = await platform.account();
    const inboundId = await receive(platform, account);
    await account.svc.call('email.inbound.delete', { inboundId });
    expect((await account.svc.refusal('email.inbound.get', { inboundId })).code).to.equal('not_found');
  });
});
