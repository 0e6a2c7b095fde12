import { expect } from 'chai';
import { parseMailbox } from '#core/kernel/schema/mailbox.js';
import { itNeeding } from '#test/support/products.js';
import { headerOf, send, useMail } from './support.js';

describe('email.send: display names of addresses', () => {
  const mail = useMail();
  const { platform } = mail;

  it('are shown in the mail, and left out of replies, lists and envelopes', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      to: ['Ada <ada@example.com>', '"Lovelace, Grace" <grace@example.com>'],
      cc: 'Zoë <zoe@example.com>',
      bcc: 'Secret <secret@example.com>',
      replyTo: 'Help <help@example.com>',
    });
    expect(sent.to).to.deep.equal(['ada@example.com', 'grace@example.com']);
    const received = await mail.mailOf(sent.messageId);
    const { to, cc, replyTo } = received.parsed;
    expect(to).to.deep.equal([
      { address: 'ada@example.com', name: 'Ada' },
      { address: 'grace@example.com', name: 'Lovelace, Grace' },
    ]);
    expect(cc).to.deep.equal([{ address: 'zoe@example.com', name: 'Zoë' }]);
    expect(replyTo).to.deep.equal([{ address: 'help@example.com', name: 'Help' }]);
    expect(received.raw.toString()).not.to.contain('Secret');
    expect(received.recipients).to.have.members([
      'ada@example.com',
      'grace@example.com',
      'zoe@example.com',
      'secret@example.com',
    ]);
    const { message } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect([message.to, message.cc, message.bcc]).to.deep.equal([
      ['ada@example.com', 'grace@example.com'],
      ['zoe@example.com'],
      ['secret@example.com'],
    ]);
    const { messages } = await svc.call('email.message.list', { to: 'grace@example.com' });
    expect(messages.map(({ messageId }) => messageId)).to.deep.equal([sent.messageId]);
  });

  it('name the sender, unless fromName does', async () => {
    const { svc } = await platform.account();
    const { from } = await send(svc, {});
    const named = await send(svc, { from: `Shop <${from}>` });
    expect([named.from, named.fromName]).to.deep.equal([from, 'Shop']);
    expect(headerOf(await mail.mailOf(named.messageId), 'From')).to.equal(`Shop <${from}>`);
    expect((await send(svc, { from: `Shop <${from}>`, fromName: 'Store' })).fromName).to.equal('Store');
  });

  it('name the project’s sender whenever a message is from its address, and no other address', async () => {
    const { svc } = await platform.account();
    const { ownAddress } = await svc.call('email.sender.get', {});
    const nameOf = async (from?: string, fromName?: string) =>
      (await send(svc, { ...(from === undefined ? {} : { from }), ...(fromName === undefined ? {} : { fromName }) }))
        .fromName;
    const info = ownAddress.replace(/^hello@/, 'info@');
    for (const sender of [{ fromName: 'Shop' }, { from: info, fromName: 'Shop' }]) {
      await svc.call('email.sender.set', sender);
      const address = sender.from ?? ownAddress;
      expect([await nameOf(), await nameOf(address), await nameOf(address.toUpperCase())]).to.deep.equal([
        'Shop',
        'Shop',
        'Shop',
      ]);
      expect(await nameOf(`Store <${address}>`)).to.equal('Store');
      expect(await nameOf(address, 'Sale')).to.equal('Sale');
      expect(await nameOf(`other.${address}`)).to.equal(null);
    }
  });

  itNeeding('audience')('are erased with the person', async () => {
    const { svc } = await platform.account();
    const { contact } = await svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const { messageId } = await send(svc, { to: ['Ada Unerased <ada@example.com>', 'Bob <bob@example.com>'] });
    await mail.mailOf(messageId);
    await platform.settled();
    expect(await platform.count('email_message', "display_names LIKE '%Unerased%'")).to.equal(1);
    await svc.call('audience.contact.delete', { contactId: contact.id });
    await platform.settled();
    expect(await platform.count('email_message', "display_names LIKE '%Unerased%'")).to.equal(0);
  });

  it('refuse what is not one address, naming the field', async () => {
    const { svc } = await platform.account();
    const wrong = [
      'Ada <ada@example.com>, Bob <bob@example.com>',
      'Lovelace, Ada <ada@example.com>',
      'Ada <ada@example.com',
      'Ada ada@example.com',
      '<>',
      'Ada <ada>',
      'team: ada@example.com;',
      'Ada\r\nBcc: x@example.com <ada@example.com>',
      '=?utf-8?q?Ada?= <ada@example.com>',
      `${'a'.repeat(121)} <ada@example.com>`,
    ];
    for (const address of wrong)
      for (const [field, given] of [
        ['to', { to: address }],
        ['cc[1]', { cc: ['bob@example.com', address] }],
        ['from', { from: address }],
      ] as const) {
        const refused = await svc.refusal('email.send', { to: 'ada@example.com', subject: 'A', text: 'B', ...given });
        expect(refused, `${field} ${address}`).to.include({ status: 400, code: 'invalid_input' });
        expect(refused.details['field']).to.equal(field);
      }
  });

  it('are parsed in time proportional to their length', () => {
    for (const text of [`"${'\\a'.repeat(100_000)}`, `${'a '.repeat(100_000)}<`, `${' '.repeat(200_000)}>`]) {
      expect(parseMailbox(text).ok).to.equal(false);
    }
  });
});
