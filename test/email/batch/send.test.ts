import { expect } from 'chai';
import { itNeeding } from '#test/support/products.js';
import { traces, useMail } from '../support.js';
import { publish } from '../template/support.js';

describe('email.batch.send', () => {
  const mail = useMail();
  const { platform } = mail;

  const letters = (count: number): { to: string; subject: string; text: string }[] =>
    Array.from({ length: count }, (_, n) => ({
      to: `reader-${n}@example.com`,
      subject: `Hello ${n}`,
      text: `Text ${n}.`,
    }));

  it('accepts a hundred different messages in one call, and each arrives with its own content', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const template = {
      to: ['a@example.com', 'b@example.com'],
      template: 'welcome',
      variables: { firstName: 'Ada', number: 7 },
      tags: { kind: 'first' },
    };
    const { activityId, result } = await svc.envelope('email.batch.send', { messages: [template, ...letters(99)] });
    expect(result.messages).to.have.length(100);
    expect(new Set(result.messages.map(({ messageId }) => messageId)).size).to.equal(100);
    expect(result.messages.every(({ status, blocked }) => status === 'queued' && blocked === null)).to.equal(true);
    const [first, , third] = result.messages;
    const { parsed, recipients } = await mail.mailOf(first?.messageId ?? '');
    expect(parsed.subject).to.equal('Order 7');
    expect(recipients).to.include('a@example.com');
    expect((await mail.mailOf(third?.messageId ?? '')).parsed.text?.trim()).to.equal('Text 1.');
    const { messages } = await svc.call('email.message.list', { tag: 'kind=first' });
    expect(messages.map(({ messageId, templateVersion }) => [messageId, templateVersion])).to.deep.equal([
      [first?.messageId, 1],
    ]);
    await platform.settled();
    const queued = (await platform.events(live)).filter(({ type }) => type === 'email.queued');
    expect(queued.map(({ subjectId }) => subjectId)).to.have.members(result.messages.map(({ messageId }) => messageId));
    expect(new Set(queued.map((event) => event.activityId))).to.deep.equal(new Set([activityId]));
  });

  it('refuses all where one is refused, and names it', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const before = await traces(platform, live.id);
    const cases = [
      [{ to: 'nobody' }, 'invalid_input', 'messages[2].to'],
      [{ subject: undefined }, 'invalid_input', 'messages[2].subject'],
      [{ template: 'welcome' }, 'invalid_input', 'messages[2].text'],
      [{ text: '{{ name }}' }, 'missing_variables', undefined],
      [{ text: '{{ name' }, 'template_invalid', undefined],
      [{ text: undefined, subject: undefined, template: 'nowhere' }, 'template_not_published', undefined],
      [{ from: 'me@elsewhere.example' }, 'sender_not_verified', undefined],
      [{ headers: { Bcc: 'x@example.com' } }, 'invalid_input', 'messages[2].headers.Bcc'],
    ] as const;
    for (const [change, code, field] of cases) {
      const messages = letters(4).map((letter, n) => (n === 2 ? { ...letter, ...change } : letter));
      const refused = await svc.refusal('email.batch.send', { messages });
      expect(refused.code, JSON.stringify(change)).to.equal(code);
      expect(refused.message).to.contain('messages[2]');
      if (field !== undefined) expect(refused.details['field']).to.equal(field);
    }
    const attachment = { filename: 'a.txt', contentType: 'text/plain', content: 'YQ==' };
    const attached = letters(1).map((letter) => ({ ...letter, attachments: [attachment] }));
    expect((await svc.refusal('email.batch.send', { messages: attached })).code).to.equal('invalid_input');
    expect((await svc.refusal('email.batch.send', { messages: [] })).code).to.equal('invalid_input');
    const tooMany = await svc.refusal('email.batch.send', { messages: letters(101) });
    expect(tooMany).to.include({ code: 'batch_too_large', status: 413 });
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  itNeeding('audience')('refuses all where one names an unknown topic', async () => {
    const { svc, live } = await platform.account();
    const before = await traces(platform, live.id);
    const messages = letters(4).map((letter, n) => (n === 2 ? { ...letter, topic: 'nowhere' } : letter));
    const refused = await svc.refusal('email.batch.send', { messages });
    expect(refused.code).to.equal('not_found');
    expect(refused.message).to.contain('messages[2]');
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  it('stores those that may not be sent, says why, and sends the others', async () => {
    const { svcTest, ownerEmail } = await platform.account();
    const [letter] = letters(1);
    if (!letter) throw new Error('No letter.');
    const { messages } = await svcTest.call('email.batch.send', { messages: [letter, { ...letter, to: ownerEmail }] });
    expect(messages.map(({ status, blocked }) => [status, blocked?.reason])).to.deep.equal([
      ['suppressed', 'test_environment'],
      ['queued', undefined],
    ]);
  });

  it('takes large contents, whose SQL would not fit into one message to the database', async function () {
    this.timeout(30_000);
    const { svc } = await platform.account();
    const text = `{{ a }}${'x'.repeat(140_000)}`;
    const a = '€'.repeat(100_000);
    const given = letters(100).map((letter) => ({ ...letter, text, variables: { a: a.slice(0, 1_000) } }));
    const { messages } = await svc.call('email.batch.send', { messages: given });
    expect(messages).to.have.length(100);
    const shown = await svc.call('email.message.get', { messageId: messages[99]?.messageId ?? '' });
    expect(shown.content?.text?.length).to.equal(141_000);
  });

  it('answers a repeat with the same messages', async () => {
    const { svc } = await platform.account();
    const call = () => svc.call('email.batch.send', { messages: letters(3) }, { idempotencyKey: 'same-batch' });
    expect(await call()).to.deep.equal(await call());
  });

  it('is refused once the account is closed', async () => {
    const { svc } = await platform.account();
    await svc.call('account.close', { reason: 'Moving on.' });
    expect((await svc.refusal('email.batch.send', { messages: letters(1) })).code).to.equal('account_closed');
  });
});
