import { expect } from 'chai';
import { days, minutes } from '#test/support/clock.js';
import { expectedFields, headerOf, letter, refusedFields, send, useMail } from './support.js';

describe('email.send: headers, tags and time', () => {
  const mail = useMail();
  const { platform } = mail;

  it('carries X- and List- headers and tags, and refuses other headers', async () => {
    const { svc } = await platform.account();
    const headers = { 'X-Campaign': 'spring', 'x-size': 'groß', 'List-Id': '<news.example.com>' };
    const sent = await send(svc, { headers, tags: { order: 'A-1024', kind: 'receipt' } });
    const arrived = await mail.mailOf(sent.messageId);
    expect(headerOf(arrived, 'X-Campaign')).to.equal('spring');
    expect(headerOf(arrived, 'X-Size'), 'RFC 2047').to.equal('=?UTF-8?Q?gro=C3=9F?=');
    expect(headerOf(arrived, 'List-Id')).to.equal('<news.example.com>');
    expect(arrived.raw.toString()).not.to.contain('A-1024');
    const { message } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(message.tags).to.deep.equal({ order: 'A-1024', kind: 'receipt' });
    const names = [
      'Bcc',
      'From',
      'Subject',
      'Content-Type',
      'DKIM-Signature',
      'Return-Path',
      'Received',
      'Message-ID',
      'X-Svc-Message-Id',
      'X-',
      'X-A B',
      'X-A:',
      '',
    ];
    const cases = [
      ...names.map((name) => [name, letter({ headers: { [name]: 'x' } }), `headers.${name}`] as const),
      [
        '31 headers',
        letter({ headers: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`X-${n}`, 'v'])) }),
        'headers',
      ] as const,
      [
        '11 tags',
        letter({ tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, 'v'])) }),
        'tags',
      ] as const,
      ['a spaced tag', letter({ tags: { 'a b': 'v' } }), 'tags.a b'] as const,
      ['an empty tag', letter({ tags: { a: '' } }), 'tags.a'] as const,
      ['a long tag', letter({ tags: { a: 'x'.repeat(251) } }), 'tags.a'] as const,
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('stores tags of up to 760 octets including their name, in any script, and refuses longer ones', async () => {
    const { svc } = await platform.account();
    for (const value of ['x'.repeat(250), '字'.repeat(233), '🦊'.repeat(174)]) {
      const tags = { ['k'.repeat(60)]: value };
      const { messageId } = await send(svc, { tags });
      expect((await svc.call('email.message.get', { messageId })).message.tags).to.deep.equal(tags);
      const found = await svc.call('email.message.list', { tag: `${'k'.repeat(60)}=${value}` });
      expect(found.messages.map((message) => message.messageId)).to.deep.equal([messageId]);
    }
    const cases = [['250 foxes', letter({ tags: { fox: '🦊'.repeat(250) } }), 'tags.fox']] as const;
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('sends a message at its sendAfter, at most 30 days ahead', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + days(30)).toISOString();
    const sent = await send(svc, { sendAfter });
    expect(sent).to.include({ status: 'queued', sendAfter });
    platform.clock.advance(days(30) - 1);
    await platform.settled();
    expect(mail.arrivalsOf(sent.messageId)).to.deep.equal([]);
    platform.clock.advance(1);
    const { parsed } = await mail.mailOf(sent.messageId);
    expect(new Date(parsed.date ?? '').getTime(), 'dated when it leaves').to.be.closeTo(Date.parse(sendAfter), 1_000);
    const late = new Date(platform.clock.now().getTime() + days(30) + 1).toISOString();
    expect(await svc.refusal('email.send', letter({ sendAfter: late }))).to.deep.include({
      code: 'invalid_input',
      details: { field: 'sendAfter' },
    });
  });

  it('sends a message whose sendAfter passed within the last minute at once, and does not report it as delayed', async () => {
    const { svc } = await platform.account();
    for (const ms of [0, minutes(1)]) {
      const sendAfter = new Date(platform.clock.now().getTime() - ms).toISOString();
      const sent = await send(svc, { sendAfter });
      expect(sent, sendAfter).to.include({ status: 'queued', sendAfter: null });
      const { parsed } = await mail.mailOf(sent.messageId);
      expect(new Date(parsed.date ?? '').getTime()).to.be.closeTo(platform.clock.now().getTime(), minutes(1));
    }
  });

  it('refuses a sendAfter that passed earlier, alone and in a batch, and sends nothing', async () => {
    const { svc } = await platform.account();
    const justPast = new Date(platform.clock.now().getTime() - minutes(1) - 1).toISOString();
    const past = [justPast, '1971-01-01T00:00:00+05:30', '0000-01-01T00:00:00Z'];
    for (const sendAfter of past) {
      const refused = await svc.refusal('email.send', letter({ sendAfter }));
      expect(refused, sendAfter).to.deep.include({ code: 'invalid_input', details: { field: 'sendAfter' } });
      expect(refused.fix).to.contain('leave it out to send immediately');
    }
    const messages = [letter({}), letter({ sendAfter: justPast })];
    expect(await svc.refusal('email.batch.send', { messages })).to.have.property('code', 'invalid_input');
    expect((await svc.call('email.message.list', {})).messages).to.deep.equal([]);
  });

  it('names all that a message without a template lacks at once, alone and in a batch', async () => {
    const { svc } = await platform.account();
    const alone = await svc.refusal('email.send', { to: 'ada@example.com' });
    expect(alone.message).to.equal(
      'The field “subject” is required without a template. The field “text” is required when neither html nor template is given.',
    );
    expect(alone.fix).to.contain('“subject”').and.contain('“text”');
    expect(alone.details).to.deep.equal({
      field: 'subject',
      problems: [
        { field: 'subject', problem: 'is required without a template' },
        { field: 'text', problem: 'is required when neither html nor template is given' },
      ],
    });
    const { message, details } = await svc.refusal('email.batch.send', {
      messages: [letter(), { to: 'ada@example.com' }],
    });
    expect(message).to.contain('“messages[1].subject”').and.contain('“messages[1].text”');
    expect(details).to.deep.include({ index: 1, field: 'messages[1].subject' });
    expect(details).to.have.nested.property('problems[1].field', 'messages[1].text');
  });

  it('refuses unknown fields', async () => {
    const { svc } = await platform.account();
    const cases = ['path', 'Bcc', 'attachment', 'environmentId'].map(
      (name) => [name, { ...letter(), [name]: 'x' }, name] as const,
    );
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });
});
