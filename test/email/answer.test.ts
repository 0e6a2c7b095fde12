import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { inboundSecret, rawMail, receive } from './inbound/support.js';
import { expectedFields, headerOf, letter, refusedFields, send, useMail } from './support.js';

describe('email.send: answers to received mail', () => {
  const mail = useMail({ settings: { SVC_INBOUND_SECRET: inboundSecret } });
  const { platform } = mail;
  const pdf = { filename: 'a.pdf', contentType: 'application/pdf', content: 'QUJD' };

  it('threads the answer under the received message, as RFC 5322 3.6.4 says', async () => {
    const account = await platform.account();
    const threads = async (headers: Record<string, string | null>, more: object = {}) => {
      const inboundId = await receive(platform, account, rawMail(headers));
      const { messageId } = await send(account.svc, { inReplyTo: inboundId, subject: 'Re: Help', ...more });
      const answer = await mail.mailOf(messageId);
      return [headerOf(answer, 'In-Reply-To'), headerOf(answer, 'References')?.replace(/\s+/g, ' ')];
    };
    const id = '<question-1@customer.example>';
    const references = '<a@x.example> <b@x.example>\r\n <c@x.example>';
    expect(await threads({ 'Message-ID': id }), 'the first of a thread').to.deep.equal([id, id]);
    expect(
      await threads({ 'Message-ID': '<q2@x>', References: references, 'In-Reply-To': '<z@x.example>' }),
      'with References',
    ).to.deep.equal(['<q2@x>', '<a@x.example> <b@x.example> <c@x.example> <q2@x>']);
    expect(await threads({ 'Message-ID': '<q3@x>', 'In-Reply-To': '<z@x.example>' }), 'In-Reply-To only').to.deep.equal(
      ['<q3@x>', '<z@x.example> <q3@x>'],
    );
    expect(
      await threads({ 'Message-ID': '<q4@x>', 'In-Reply-To': '<y@x.example> <z@x.example>' }),
      'two parents',
    ).to.deep.equal(['<q4@x>', '<q4@x>']);
    expect(await threads({ 'Message-ID': null, References: '<a@x.example>' }), 'no Message-ID').to.deep.equal([
      undefined,
      '<a@x.example>',
    ]);
    expect(await threads({ 'Message-ID': null, Subject: 'No ids' }), 'nothing').to.deep.equal([undefined, undefined]);
    expect(await threads({ 'Message-ID': '<q5@x>' }, { attachments: [pdf] }), 'with an attachment').to.deep.equal([
      '<q5@x>',
      '<q5@x>',
    ]);
  });

  it('keeps the beginning and the end of a long thread, in lines that servers accept', async () => {
    const account = await platform.account();
    const ids = Array.from({ length: 200 }, (_, index) => `<${index}.${'x'.repeat(40)}@mail.example>`);
    const inboundId = await receive(
      platform,
      account,
      rawMail({ 'Message-ID': '<last@x>', References: ids.join('\r\n ') }),
    );
    const { messageId } = await send(account.svc, { inReplyTo: inboundId });
    const { raw, parsed } = await mail.mailOf(messageId);
    const kept = parsed.headers.find(({ key }) => key === 'references')?.value.split(/\s+/) ?? [];
    expect(kept[0]).to.equal(ids[0]);
    expect(kept.slice(-3)).to.deep.equal([...ids.slice(-2), '<last@x>']);
    expect(kept.length).to.be.within(10, 40);
    expect(
      Math.max(
        ...raw
          .toString()
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).to.be.lessThan(998);
  });

  it('answers in a batch too', async () => {
    const account = await platform.account();
    const inboundId = await receive(platform, account, rawMail({ 'Message-ID': '<batch@x>' }));
    const { messages } = await account.svc.call('email.batch.send', {
      messages: [letter({ inReplyTo: inboundId }), letter()],
    });
    const sent = await Promise.all(messages.map(({ messageId }) => mail.mailOf(messageId)));
    expect(sent.map((each) => headerOf(each, 'References'))).to.deep.equal(['<batch@x>', undefined]);
    const { status, code, details } = await account.svc.refusal('email.batch.send', {
      messages: [letter(), letter({ inReplyTo: newId() })],
    });
    expect([status, code, details['field'], details['index']]).to.deep.equal([
      404,
      'not_found',
      'messages[1].inReplyTo',
      1,
    ]);
  });

  it('refuses an id that names no received message of the environment', async () => {
    const account = await platform.account();
    const other = await platform.account();
    const theirs = await receive(platform, other, rawMail({ 'Message-ID': '<theirs@x>' }));
    const deleted = await receive(platform, account, rawMail({ 'Message-ID': '<deleted@x>' }));
    await account.svc.call('email.inbound.delete', { inboundId: deleted });
    for (const inReplyTo of [newId(), theirs, deleted]) {
      const { status, code, fix, details } = await account.svc.refusal('email.send', letter({ inReplyTo }));
      expect([status, code, details['field']]).to.deep.equal([404, 'not_found', 'inReplyTo']);
      expect(fix).to.contain('email.inbound.list');
    }
  });

  it('refuses thread headers and names the field that sets them', async () => {
    const account = await platform.account();
    const cases = ['In-Reply-To', 'references'].map(
      (name) => [name, letter({ headers: { [name]: '<a@x.example>' } }), `headers.${name}`] as const,
    );
    expect(await refusedFields(account.svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
    const { fix } = await account.svc.refusal('email.send', letter({ headers: { 'In-Reply-To': '<a@x.example>' } }));
    expect(fix).to.contain('inReplyTo');
  });
});
