import { expect } from 'chai';
import { subscribeTexts } from '#plugins/audience/pages/subscribe/translations.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import { contacts } from '#plugins/audience/tables/contact.js';
import { recordErased } from '#core/kernel/erasure/erased.js';
import { idBytes } from '#core/runtime/id.js';
import { confirmTemplate } from '#plugins/audience/subscriptions/mail.js';
import { auditOf, contactOf, eventsOf, topicOf } from '#test/audience/support.js';
import { suppress } from '#test/email/support.js';
import { days } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { useSubscribeForm } from './subscribe-support.js';

const { en } = subscribeTexts;
const own = 'https://shop.example/news';

describe('the subscribe form with double opt-in', () => {
  const { platform, here, withForm, visit, mailsTo, linkTo, ask, consentOf, isUnknown, outcomeOf } = useSubscribeForm();

  it('subscribes a person who confirms, with the evidence of the consent, and mail can be sent', async () => {
    const { url, svc, live } = await withForm();
    const email = 'grace@example.com';
    const sent = await visit(
      url,
      { email, name: ' Grace ' },
      { Referer: `${own}?utm=1`, Origin: 'https://shop.example' },
    );
    expect(new URL(sent.location ?? '', url).href).to.equal(`${url}?done=asked`);
    const link = await linkTo(email);
    expect(await isUnknown(svc, email), 'nothing is stored before the confirmation').to.equal(true);

    // A scanner opens the link, and sends the page's form from elsewhere.
    const page = await visit(link);
    expect(page.status).to.equal(200);
    expect((await visit(link, {}, { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
    expect(await isUnknown(svc, email)).to.equal(true);
    expect(page.body).to.contain('g•••@example.com').and.contain('Once a month.').and.not.contain(email);
    expect(page.body, 'what the contact will have').to.contain('<bdi>Grace</bdi>');
    expect(page.headers.get('referrer-policy')).to.equal('same-origin');

    expect(await outcomeOf(link, {})).to.equal('subscribed');
    const { contact, records, reach } = await consentOf(svc, email);
    expect(contact).to.deep.include({ email, firstName: 'Grace', lastName: null, locale: 'en' });
    expect(records.length).to.equal(1);
    expect(records[0]).to.deep.include({
      topic: 'news',
      channel: 'email',
      state: 'granted',
      effective: true,
      source: `subscribe form ${own}`,
      ip: '127.0.0.1',
      givenAt: platform.clock.now().toISOString(),
      actor: { kind: 'public', id: 'public', label: 'Hosted page' },
    });
    const brand = /class="brand">.*?<bdi>(.*?)<\/bdi>/.exec(page.body)?.[1] ?? '';
    expect(brand).to.not.equal('');
    const wording = `Newsletter: Once a month. – I’d like to get “Newsletter” from ${brand} by email. I can unsubscribe at any time with the link in each email.`;
    expect(records[0]?.wording).to.equal(wording);
    for (const part of wording.split(' – ')[1]?.split(`“Newsletter” from ${brand}`) ?? [])
      expect(page.body).to.contain(part.trim());
    expect(reach).to.deep.include({
      channel: 'email',
      topic: 'news',
      reachable: true,
      reason: null,
      since: null,
      recordId: null,
      fix: null,
    });

    const events = (await eventsOf(platform, live, 'audience.c')).map(({ type, personId, activityId }) => [
      type,
      personId === contact.id,
      activityId,
    ]);
    const activityId = events[0]?.[2];
    expect(events).to.deep.equal([
      ['audience.contact.created', true, activityId],
      ['audience.consent.granted', true, activityId],
    ]);
    expect(await auditOf(platform, String(activityId))).to.deep.equal({
      operation: 'audience.preferences.set',
      subject: `contact ${contact.id}`,
      personId: contact.id,
      summary: 'The person confirmed a subscription to news, requested with its form.',
      changes: [
        { field: 'email', from: null, to: email },
        { field: 'firstName', from: null, to: 'Grace' },
        { field: 'locale', from: null, to: 'en' },
        { field: 'properties', from: null, to: {} },
        { field: 'consent.email.news', from: null, to: 'granted' },
      ],
    });
    const { status } = await svc.call('email.send', { to: email, topic: 'news', subject: 'News', text: 'New.' });
    expect(status).to.equal('queued');
  });

  it('answers and writes the same for every address, and keeps the address out of its audit record', async () => {
    const { url, svc, live } = await withForm();
    await contactOf(svc, {
      email: 'subscriber@example.com',
      consents: [{ topic: 'news', channel: 'email', source: 'shop' }],
    });
    await contactOf(svc, { email: 'opted.out@example.com' });
    await svc.call('audience.consent.revoke', { email: 'opted.out@example.com', channel: 'email', source: 'call' });
    for (const reason of ['bounce', 'complaint', 'manual'] as const)
      await suppress(platform, live, `${reason}@example.com`, reason);
    const people = ['new', 'subscriber', 'opted.out', 'bounce', 'complaint', 'manual'];
    const answers = [];
    for (const name of people) {
      const before = await platform.count('svc_activity');
      const { status, location, body } = await visit(url, { email: `${name}@example.com` });
      answers.push({ status, location, body, records: (await platform.count('svc_activity')) - before });
    }
    const [first] = answers;
    expect(first).to.deep.include({ status: 303, body: '', records: 1 });
    for (const answer of answers) expect(answer).to.deep.equal(first);
    await platform.settled();
    const reached = people.filter((name) => mailsTo(`${name}@example.com`).length > 0);
    expect(reached, 'who reported spam gets no mail from a stranger’s form').to.deep.equal([
      'new',
      'subscriber',
      'opted.out',
    ]);
    const { messages } = await svc.call('email.message.list', { to: 'complaint@example.com' });
    expect(messages[0]).to.deep.include({ status: 'suppressed', system: true });
    const { activities } = await svc.call('account.activity.list', { operation: 'audience.preferences.set' });
    expect(
      JSON.stringify(activities.map(({ summary, changes, subject }) => ({ summary, changes, subject }))),
    ).to.not.match(/@example/);
    expect(platform.logLines.join()).to.not.contain('@example.com');
  });

  it('subscribes a person again who unsubscribed, and revives no other topic', async () => {
    const { url, svc, live } = await withForm();
    await topicOf(svc, { key: 'offers', name: 'Offers' });
    const email = 'back@example.com';
    const consents = ['news', 'offers'].map((topic) => ({ topic, channel: 'email' as const, source: 'shop' }));
    await contactOf(svc, { email, firstName: 'Ada', locale: 'de', consents });
    await suppress(platform, live, email, 'unsubscribe');
    platform.clock.advance(1_000);
    const link = await ask(url, email, { name: 'Stranger' });
    expect((await consentOf(svc, email)).suppressions.length).to.equal(1);
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    const { suppressions, contact } = await consentOf(svc, email);
    expect(suppressions).to.deep.equal([]);
    expect(contact, 'what is known about a contact stays').to.deep.include({ firstName: 'Ada', locale: 'de' });
    const { consents: after } = await svc.call('audience.contact.get', { email });
    expect(Object.fromEntries(after.map(({ topic, state }) => [topic, state]))).to.deep.equal({
      news: 'granted',
      offers: 'revoked',
    });
  });

  for (const reason of ['complaint', 'bounce', 'manual'] satisfies SuppressionReason[])
    it(`records a confirmation after a ${reason}, lifts nothing, and says so`, async () => {
      const { url, svc, live } = await withForm({ redirectUrl: 'https://shop.example/thanks' });
      const email = `${reason}-later@example.com`;
      const link = await ask(url, email);
      await contactOf(svc, { email });
      // Of the person's own opt-outs, only those after the request make its link void.
      const requestedAt = platform.clock.now();
      await suppress(platform, live, email, reason);
      expect(platform.clock.now()).to.deep.equal(requestedAt);
      expect(await outcomeOf(link, {})).to.equal('blocked');
      const { state, suppressions } = await consentOf(svc, email);
      expect([state, suppressions.map((each) => each.reason)]).to.deep.equal(['granted', [reason]]);
      expect((await visit(`${url}?done=blocked`)).body).to.contain(en.done.blocked.heading);
    });

  it('shows the wording again if it changed since the page was opened', async () => {
    const { url, svc } = await withForm();
    const email = 'reader@example.com';
    const link = await ask(url, email);
    const shown = async (): Promise<string> =>
      /name="shown" value="([\w-]+)"/.exec((await visit(link)).body)?.[1] ?? '';
    const before = await shown();
    await svc.call('audience.topic.update', { topic: 'news', description: 'Every day.' });
    const again = await visit(link, { shown: before });
    expect(again.status).to.equal(200);
    expect(again.body).to.contain('Every day.').and.contain(en.confirm.button);
    expect(await isUnknown(svc, email)).to.equal(true);
    expect(await outcomeOf(link, { shown: await shown() })).to.equal('subscribed');
    expect((await consentOf(svc, email)).records[0]?.wording).to.match(/^Newsletter: Every day\./);
  });

  it('uses a link once: a repeat changes nothing, and after an opt-out or an erasure it is void', async () => {
    const { url, svc } = await withForm();
    const email = 'once@example.com';
    const link = await ask(url, email);
    platform.clock.advance(1_000);
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    const { records, contact } = await consentOf(svc, email);
    expect(records.length).to.equal(1);
    await svc.call('audience.consent.revoke', { email, topic: 'news', channel: 'email', source: 'call' });
    platform.clock.advance(1_000);
    const late = await visit(link, {});
    expect(late.status).to.equal(410);
    expect(late.body).to.contain(en.problems.void.heading);
    expect((await consentOf(svc, email)).state).to.equal('revoked');

    const second = await ask(url, email);
    platform.clock.advance(1_000);
    await svc.call('audience.contact.delete', { contactId: contact.id });
    expect((await visit(second, {})).status).to.equal(410);
    expect(await isUnknown(svc, email)).to.equal(true);
    platform.clock.advance(1_000);
    expect(await outcomeOf(await ask(url, email), {})).to.equal('subscribed');
  });

  it('is void if the person is erased while the confirmation waits for the contact', async () => {
    const { url, svc } = await withForm();
    const email = 'erased-meanwhile@example.com';
    const { id } = await contactOf(svc, { email });
    const link = await ask(url, email);
    platform.clock.advance(1_000);
    const { database, clock, vault } = platform.running.services;
    const contact = await database.findOne(contacts, { id });
    if (!contact) throw new Error('The contact is missing.');
    let confirmed: ReturnType<typeof visit> | undefined;
    await database.transaction(async (db) => {
      await db.rows('SELECT id FROM audience_contact WHERE id = ? FOR UPDATE', [idBytes(id)]);
      confirmed = visit(link, {});
      await untilWaiting(platform, 1, 'the confirmation waits for the contact');
      await recordErased(
        { db, vault },
        { environmentId: contact.environmentId, product: 'audience', erasedAt: clock.now() },
        { email },
      );
      await db.run('DELETE FROM audience_contact WHERE id = ?', [idBytes(id)]);
    });
    expect((await confirmed)?.status).to.equal(410);
    expect(await isUnknown(svc, email)).to.equal(true);
  });

  it('records the confirmation of a person who is subscribed already, once', async () => {
    const { url, svc, live } = await withForm();
    const email = 'imported@example.com';
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'import' }];
    await contactOf(svc, { email, consents });
    const link = await ask(url, email, {});
    platform.clock.advance(1_000);
    const repeated = await ask(url, email, {});
    platform.clock.advance(1_000);
    for (const each of [link, link, repeated]) expect(await outcomeOf(each, {})).to.equal('subscribed');
    const { records } = await consentOf(svc, email);
    expect(records.map(({ source }) => source)).to.deep.equal([
      `subscribe form ${url.replace(/^.*(?=\/subscribe)/, platform.running.services.deployment.baseUrl)}`,
      'import',
    ]);
    expect(records[0]).to.deep.include({ state: 'granted', effective: false, ip: '127.0.0.1' });
    expect(records[0]?.wording).to.match(/^Newsletter: Once a month\. – I’d like/);
    expect((await eventsOf(platform, live, 'audience.consent')).length, 'the state did not change').to.equal(1);

    // Consent that others record after the request is not the person's confirmation.
    platform.clock.advance(1_000);
    const late = await ask(url, 'granted-later@example.com');
    platform.clock.advance(1_000);
    await contactOf(svc, { email: 'granted-later@example.com', consents });
    expect(await outcomeOf(late, {})).to.equal('subscribed');
    expect((await consentOf(svc, 'granted-later@example.com')).records.length).to.equal(2);
  });

  it('subscribes a person who opted out although older evidence was recorded after the request', async () => {
    const { url, svc } = await withForm();
    const email = 'old-evidence@example.com';
    await contactOf(svc, { email });
    const givenAt = platform.clock.now().toISOString();
    platform.clock.advance(1_000);
    const which = { email, topic: 'news', channel: 'email', source: 'call' } as const;
    await svc.call('audience.consent.revoke', which);
    platform.clock.advance(1_000);
    const link = await ask(url, email);
    platform.clock.advance(1_000);
    const { consent } = await svc.call('audience.consent.grant', { ...which, givenAt });
    expect(consent.effective).to.equal(false);
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    expect((await consentOf(svc, email)).state).to.equal('granted');
  });

  it('refuses a link that is too old, was changed, or whose form is gone', async () => {
    const { url, svc } = await withForm();
    const link = await ask(url, 'late@example.com');
    for (const wrong of [`${link}A`, link.slice(0, -1), `${link.split('?')[0] ?? ''}?token=svc_sub_`])
      expect((await visit(wrong)).status, wrong).to.equal(404);
    await svc.call('audience.topic.update', { topic: 'news', subscribeForm: null });
    expect((await visit(link, {})).status).to.equal(404);
    expect((await visit(url)).status).to.equal(404);
    await svc.call('audience.topic.update', { topic: 'news', subscribeForm: {} });
    platform.clock.advance(days(7));
    const late = await visit(link, {});
    expect(late.status).to.equal(410);
    expect(late.body).to.contain(en.problems.expired.heading).and.contain(new URL(url).pathname);
    expect(await isUnknown(svc, 'late@example.com')).to.equal(true);
  });

  it('leads on to the address of the topic after the confirmation, and not before', async () => {
    const { url } = await withForm({ redirectUrl: 'https://shop.example/thanks' });
    const asked = await visit(`${url}?done=asked`);
    expect([asked.headers.get('refresh'), asked.body.includes('shop.example')]).to.deep.equal([null, false]);
    const link = await ask(url, 'led@example.com');
    const { location } = await visit(link, {});
    const left = await visit(new URL(location ?? '', url).href);
    expect(left.headers.get('refresh')).to.equal('0; url=https://shop.example/thanks');
    expect(left.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(left.body).to.contain('href="https://shop.example/thanks"').and.contain(en.done.subscribed.heading);
  });

  it('reaches only members from a test environment, and a project can write the mail itself', async () => {
    const { svcTest, ownerEmail } = await platform.account();
    const { subscribeForm } = await topicOf(svcTest, { subscribeForm: {} });
    const { name } = confirmTemplate;
    const content = { subject: 'Really?', html: '<p><a href="{{ url }}">Yes</a></p>', text: 'Yes: {{ url }}' };
    await svcTest.call('email.template.draft.save', {
      template: name,
      defaultLocale: 'en',
      locales: { en: content },
    });
    await svcTest.call('email.template.publish', { template: name });
    const url = here(subscribeForm?.url ?? '');
    expect(await ask(url, 'stranger@example.com')).to.equal('');
    expect(await outcomeOf(await ask(url, ownerEmail), {})).to.equal('subscribed');
    expect(mailsTo(ownerEmail).at(-1)?.parsed.subject).to.equal('Really?');
  });
});
