import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { newId } from '#core/runtime/id.js';
import { useMail } from '../support.js';
import { publish } from './support.js';

/** A link is encrypted anew each time. */
const withoutTokens = (text: string | null | undefined): string => (text ?? '').replaceAll(/svc_pf_[\w.-]+/g, 'TOKEN');

describe('email.template.preview under a topic', () => {
  needProducts('audience');
  const mail = useMail();
  const { platform } = mail;

  const greeting = 'Hello {{ contact.firstName | default: "friend" }}, you have the plan {{ plan | default: "free" }}.';
  const contents = {
    layout: { subject: 'News {{ number }}', html: `<h1>News</h1><p>${greeting}</p>` },
    whole: { subject: 'News {{ number }}', html: `<html><body><p>${greeting}</p></body></html>`, text: greeting },
    plain: { subject: 'News {{ number }}', text: greeting },
  };

  /** An account with a topic, a postal address, and a contact who reads German. */
  const prepared = async () => {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('email.sender.set', { legalAddress: 'Acme & Sons\n1 Main Street' });
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const { contact } = await svc.call('audience.contact.upsert', {
      email: 'ada@example.com',
      firstName: 'Ada',
      locale: 'de-AT',
      properties: { plan: 'pro' },
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    platform.clock.advance(1_000);
    return { ...account, contactId: contact.id };
  };

  for (const [name, content] of Object.entries(contents))
    it(`shows what a subscriber gets, from a broadcast and from email.send: ${name}`, async () => {
      const { svc, contactId } = await prepared();
      const german = { ...content, subject: 'Neues {{ number }}' };
      await svc.call('email.template.draft.save', { template: name, locales: { en: content, de: german } });
      const wanted = { template: name, topic: 'news', variables: { number: 7, plan: 'none' } };
      const draft = await svc.call('email.template.preview', { ...wanted, contactId });
      expect([draft.subject, draft.missing]).to.deep.equal(['Neues 7', []]);
      for (const part of [draft.html, draft.text].filter((each) => each !== ''))
        expect(part, name)
          .to.match(/Acme (?:&|&amp;) Sons/)
          .and.to.match(/http\S+\/preferences\?token=svc_pf_/)
          .and.to.contain('Hello Ada, you have the plan pro.');
      expect(draft.bytes).to.equal(Buffer.byteLength(draft.html) + Buffer.byteLength(draft.text));
      await svc.call('email.template.publish', { template: name });
      const published = await svc.call('email.template.preview', { ...wanted, contactId, draft: false });
      expect(withoutTokens(published.html)).to.equal(withoutTokens(draft.html));

      const { ownAddress } = await svc.call('email.sender.get', {});
      const { broadcast } = await svc.call('email.broadcast.create', {
        ...{ name, template: name, topic: 'news', from: ownAddress, variables: wanted.variables },
      });
      await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
      await platform.settled();
      const variables = { ...wanted.variables, contact: { firstName: 'Ada' }, plan: 'pro' };
      const sent = await svc.call('email.send', { ...wanted, to: 'ada@example.com', locale: 'de', variables });
      const { messages } = await svc.call('email.message.list', {});
      const ids = messages.map(({ messageId }) => messageId);
      expect(ids).to.have.length(2).and.to.include(sent.messageId);
      for (const messageId of ids) {
        const { message, content: got } = await svc.call('email.message.get', { messageId });
        expect(message.subject).to.equal('Neues 7');
        expect([withoutTokens(got?.html), withoutTokens(got?.text)]).to.deep.equal([
          withoutTokens(published.html),
          withoutTokens(published.text),
        ]);
      }
    });

  it('has a link that leads to nobody’s choices without a contact, and the names of what a contact would provide', async () => {
    const { svc } = await prepared();
    await publish(svc, 'news', { en: { subject: 'News', html: '<p>Hello {{ contact.firstName }}</p>' } });
    const shown = await svc.call('email.template.preview', { template: 'news', topic: 'news' });
    expect(shown.html).to.contain('1 Main Street').and.to.contain('Hello {{ contact.firstName }}');
    const [, token = ''] = /token=(svc_pf_[\w.-]+)/.exec(shown.text) ?? [];
    expect((await platform.api.refusal('audience.preferences.get', { token })).code).to.be.a('string');
    const without = await svc.call('email.template.preview', { template: 'news' });
    expect(without.html).not.to.contain('1 Main Street');
  });

  it('leaves inline content as it is, which email.send sends so, and fills in what it shows itself', async () => {
    const { svc, contactId } = await prepared();
    const content = { subject: 'News', text: 'News. Stop: {{ preferencesUrl }} {{ legalAddress }}' };
    const shown = await svc.call('email.template.preview', { content, topic: 'news', contactId });
    const { messageId } = await svc.call('email.send', { ...content, topic: 'news', to: 'ada@example.com' });
    const { content: sent } = await svc.call('email.message.get', { messageId });
    expect(withoutTokens(shown.text)).to.equal(withoutTokens(sent?.text)).and.to.contain('TOKEN Acme & Sons');
  });

  it('takes the contact’s fields without a topic too', async () => {
    const { svc, contactId } = await prepared();
    const content = { subject: 'Hi', text: '{{ contact.firstName }} {{ plan }} {{ contact.properties.plan }}' };
    const shown = await svc.call('email.template.preview', { content, contactId });
    expect([shown.text, shown.missing]).to.deep.equal(['Ada pro pro', []]);
  });

  it('refuses topics and contacts that are not there', async () => {
    const { svc } = await prepared();
    await publish(svc, 'news', { en: { subject: 'News', text: 'News' } });
    const refused = async (given: { topic?: string; contactId?: string }): Promise<string> =>
      (await svc.refusal('email.template.preview', { template: 'news', ...given })).code;
    expect(await refused({ topic: 'newz' })).to.equal('not_found');
    expect(await refused({ contactId: newId() })).to.equal('not_found');
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await refused({ topic: 'news' })).to.equal('topic_archived');
  });
});
