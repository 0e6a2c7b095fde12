import { expect } from 'chai';
import type { InputOf } from '#test/support/api.js';
import { expectedFields, letter, refusedFields, send, sqlId, traces, useMail, type RefusedCases } from './support.js';

type Input = InputOf<'email.send'>;

const file = { filename: 'a.txt', contentType: 'text/plain', content: 'YQ==' };

/** Characters that end a header line, or a C string, in some programs. */
const breaks = { 'CR LF': '\r\nBcc: eve@example.com', LF: '\nX: y', CR: '\rX: y', NUL: '\0', DEL: '\x7f', C1: '\x85' };

describe('email.send: hostile input', () => {
  const mail = useMail();
  const { platform } = mail;

  it('refuses line breaks and control characters in every header field, naming the field, and stores nothing', async () => {
    const { svc, live } = await platform.account();
    const { ownAddress } = await svc.call('email.sender.get', {});
    const before = await traces(platform, live.id);
    const fields: readonly (readonly [field: string, input: (bad: string) => Partial<Input>])[] = [
      ['to', (bad) => ({ to: `ada@example.com${bad}` })],
      ['to[1]', (bad) => ({ to: ['ada@example.com', `a${bad}@example.com`] })],
      ['cc[0]', (bad) => ({ cc: [`ada@example.com${bad}`] })],
      ['bcc[0]', (bad) => ({ bcc: [`${bad}ada@example.com`] })],
      ['replyTo[0]', (bad) => ({ replyTo: [`ada@example.com${bad}`] })],
      ['from', (bad) => ({ from: `${ownAddress}${bad}` })],
      ['fromName', (bad) => ({ fromName: `Shop${bad}` })],
      ['subject', (bad) => ({ subject: `Hello${bad}` })],
      ['headers.X-A', (bad) => ({ headers: { 'X-A': `v${bad}` } })],
      ['tags.a', (bad) => ({ tags: { a: `v${bad}` } })],
      ['attachments[0].filename', (bad) => ({ attachments: [{ ...file, filename: `a${bad}.txt` }] })],
      ['attachments[0].contentType', (bad) => ({ attachments: [{ ...file, contentType: `text/plain${bad}` }] })],
      ['attachments[0].contentId', (bad) => ({ attachments: [{ ...file, contentId: `a${bad}` }] })],
    ];
    const cases: RefusedCases = fields.flatMap(([field, input]) =>
      Object.entries(breaks).map(([name, bad]) => [`${name} in ${field}`, letter(input(bad)), field] as const),
    );
    const inVariable: RefusedCases = Object.entries(breaks).map(([name, bad]) => {
      const input = letter({ subject: 'Hello {{ name }}', variables: { name: `Ada${bad}` } });
      // U+0000 is refused before rendering.
      return [`${name} in a variable`, input, name === 'NUL' ? 'variables.name' : 'subject'] as const;
    });
    const all = [...cases, ...inVariable];
    expect(await refusedFields(svc, 'email.send', all)).to.deep.equal(expectedFields(all));
    for (const bad of Object.values(breaks)) {
      const inName = [letter({ headers: { [`X-A${bad}`]: 'v' } }), letter({ tags: { [`a${bad}`]: 'v' } })];
      for (const input of inName) {
        const { status, details } = await svc.refusal('email.send', input);
        expect(status).to.equal(400);
        expect(details['field']).to.match(/^(headers\.X-A|tags\.a)/);
      }
    }
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  it('refuses lone surrogates in every field, naming the field', async () => {
    const { svc } = await platform.account();
    const half = '\ud83e';
    const cases: RefusedCases = [
      ['fromName', letter({ fromName: `Shop${half}` }), 'fromName'],
      ['subject', letter({ subject: `Hello ${half}` }), 'subject'],
      ['a variable', letter({ subject: '{{ v }}', variables: { v: `x${half}` } }), 'variables.v'],
      ['header', letter({ headers: { 'X-A': half } }), 'headers.X-A'],
      ['tag', letter({ tags: { a: half } }), 'tags.a'],
      ['filename', letter({ attachments: [{ ...file, filename: `${half}.txt` }] }), 'attachments[0].filename'],
      ['to', letter({ to: `a${half}@example.com` }), 'to'],
      ['text', letter({ text: `a${half}b` }), 'text'],
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('accepts one address per field, and never two in one', async () => {
    const { svc, live } = await platform.account();
    const hidden = [
      'a@x.com, b@y.com',
      'a@x.com,b@y.com',
      'a@x.com;b@y.com',
      'a@x.com b@y.com',
      'team: a@x.com, b@y.com;',
      'undisclosed:;',
      'Ada <a@x.com>, b@y.com',
      'Ada, <a@x.com>',
      '"Ada" <a@x.com> <b@y.com>',
      'Ada <a@x.com,b@y.com>',
      'a@x.com (ada)',
      'a@x.com\n',
      'a@b@x.com',
      '"a@x.com, b"@y.com',
      '"a b"@x.com',
      'a\\@x.com@y.com',
      '@x.com:a@y.com',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@localhost',
      'a@x..com',
      'a@-x.com',
      'a..b@x.com',
      '.a@x.com',
      'ädä@x.com',
      'a@x\u3002com\u002ccom',
      `${'a'.repeat(65)}@x.com`,
      `a@${'x'.repeat(64)}.com`,
      `a@${'x.'.repeat(125)}comm`,
      '',
    ];
    const cases: RefusedCases = hidden.flatMap((address) => [
      [`to ${JSON.stringify(address)}`, letter({ to: address }), 'to'] as const,
      [`bcc ${JSON.stringify(address)}`, letter({ bcc: [address] }), 'bcc[0]'] as const,
    ]);
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
    expect(await platform.count('email_message', `environment_id = ${sqlId(live.id)}`)).to.equal(0);
  });

  it('reads an address without the space and the invisible marks that were pasted with it', async () => {
    const { svc } = await platform.account();
    for (const to of [' a@x.com', 'a@x.com ', 'a@x.com\u202e', 'a\uff20x.com']) {
      const { messageId } = await svc.call('email.send', letter({ to }));
      expect((await svc.call('email.message.get', { messageId })).message.to, JSON.stringify(to)).to.deep.equal([
        'a@x.com',
      ]);
    }
  });

  it('writes internationalized domains in ASCII', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, { to: ['ada@Bücher.example', 'ada@xn--bcher-kva.example', "o'neil+x@例え.jp"] });
    expect(sent.to).to.deep.equal(['ada@xn--bcher-kva.example', "o'neil+x@xn--r8jz45g.jp"]);
    expect((await mail.mailOf(sent.messageId)).recipients).to.deep.equal(sent.to);
  });

  it('does not let a body or a name add a recipient or a header', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      fromName: 'Shop <eve@example.com>, "Eve"',
      subject: 'Hello <eve@example.com>',
      text: 'x\r\n.\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<eve@example.com>\r\n\n.\n',
      html: '\r\n\r\n--=_svc\r\nBcc: eve@example.com\r\n',
    });
    const arrived = await mail.mailOf(sent.messageId);
    expect(arrived.recipients).to.deep.equal(['ada@example.com']);
    expect(arrived.parsed.bcc ?? []).to.deep.equal([]);
    expect(arrived.parsed.from).to.deep.include({ address: sent.from });
    expect(arrived.parsed.text).to.contain('MAIL FROM:<eve@example.com>');
    await platform.settled();
    expect(mail.smtp.received.filter(({ recipients }) => recipients.includes('eve@example.com'))).to.deep.equal([]);
  });
});
