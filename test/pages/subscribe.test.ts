import { expect } from 'chai';
import { languages, textTag } from '#core/kernel/language.js';
import { subscribeTexts } from '#plugins/audience/pages/subscribe/translations.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import { confirmTemplate } from '#plugins/audience/subscriptions/mail.js';
import { auditOf, contactOf, eventsOf, topicOf } from '#test/audience/support.js';
import { suppress, useMail } from '#test/email/support.js';
import type { Api } from '#test/support/api.js';
import { days, minutes } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';

const { en } = subscribeTexts;
const own = 'https://shop.example/news';

describe('the subscribe form', () => {
  needProducts('audience');
  const mail = useMail();
  const { platform } = mail;
  beforeEach(() => platform.clock.advance(days(1) + minutes(1)));

  /** An address of the deployment, on the port of this test. */
  const here = (address: string): string =>
    address === '' ? '' : address.replace(platform.running.services.deployment.baseUrl, platform.running.address);
  /** An account whose topic has a form. */
  const withForm = async (
    subscribeForm: { doubleOptIn?: boolean; redirectUrl?: string } = {},
  ): Promise<TestAccount & { url: string }> => {
    const account = await platform.account();
    const topic = await topicOf(account.svc, { description: 'Once a month.', subscribeForm });
    const url = topic.subscribeForm?.url ?? '';
    expect(url).to.equal(`${platform.running.services.deployment.baseUrl}/subscribe/${account.live.id}/news`);
    return { ...account, url: here(url) };
  };
  const visit = async (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      headers: { 'Accept-Language': 'en', ...headers },
      redirect: 'manual',
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const location = answer.headers.get('location');
    return { status: answer.status, headers: answer.headers, location, body: await answer.text() };
  };
  const mailsTo = (address: string) => mail.smtp.received.filter(({ recipients }) => recipients.includes(address));
  /** The link in the last mail to an address. */
  const linkTo = async (address: string): Promise<string> => {
    await platform.settled();
    const text = mailsTo(address).at(-1)?.parsed.text ?? '';
    return here(/https?:\/\/\S+\/subscribe\/confirm\?token=[\w-]+/.exec(text)?.[0] ?? '');
  };
  const ask = async (url: string, email: string, more: Record<string, string> = {}): Promise<string> => {
    expect((await visit(url, { email, ...more })).status).to.equal(303);
    return linkTo(email);
  };
  const consentOf = async (svc: Api, email: string) => {
    const { contact, consents, suppressions, reach } = await svc.call('audience.contact.get', { email });
    const { consents: records } = await svc.call('audience.consent.list', { contactId: contact.id });
    return { contact, state: consents[0]?.state, records, suppressions, reach };
  };
  const isUnknown = async (svc: Api, email: string): Promise<boolean> =>
    (await svc.refusal('audience.contact.get', { email })).code === 'not_found';
  const outcomeOf = async (url: string, form: Record<string, string>): Promise<string> => {
    const { location } = await visit(url, form);
    return new URL(location ?? '', url).searchParams.get('done') ?? '';
  };

  describe('with double opt-in', () => {
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

    it('leads on to the address of the topic after the confirmation, which the page’s policy allows', async () => {
      const { url } = await withForm({ redirectUrl: 'https://shop.example/thanks' });
      expect((await visit(url)).headers.get('content-security-policy')).to.contain("form-action 'self';");
      const link = await ask(url, 'led@example.com');
      expect((await visit(link)).headers.get('content-security-policy')).to.contain(
        "form-action 'self' https://shop.example;",
      );
      expect((await visit(link, {})).location).to.equal('https://shop.example/thanks');
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

  describe('without double opt-in', () => {
    it('subscribes at once, with the evidence, and leads on', async () => {
      const { url, svc } = await withForm({ doubleOptIn: false, redirectUrl: 'https://shop.example/thanks' });
      const email = 'direct@example.com';
      expect((await visit(url, { email, name: 'Di' }, { Referer: own })).location).to.equal(
        'https://shop.example/thanks',
      );
      await platform.settled();
      const { contact, records } = await consentOf(svc, email);
      expect(contact).to.deep.include({ firstName: 'Di', locale: 'en' });
      expect(records[0]).to.deep.include({
        state: 'granted',
        effective: true,
        source: `subscribe form ${own}`,
        ip: '127.0.0.1',
      });
      expect(records[0]?.wording).to.contain('I’d like to get “Newsletter”');
      expect(mailsTo(email).length).to.equal(0);
    });

    it('asks an address that opted out, or whose owner was erased after that, and keeps what is known', async () => {
      const { url, svc, live } = await withForm({ doubleOptIn: false });
      const people = ['revoked', 'unsubscribed', 'erased', 'complained'];
      for (const name of people) {
        const email = `${name}@example.com`;
        const { id } = await contactOf(svc, { email, firstName: 'Ada' });
        if (name === 'unsubscribed') await suppress(platform, live, email, 'unsubscribe');
        else if (name === 'complained') await suppress(platform, live, email, 'complaint');
        else await svc.call('audience.consent.revoke', { email, topic: 'news', channel: 'email', source: 'call' });
        if (name === 'erased') await svc.call('audience.contact.delete', { contactId: id });
      }
      platform.clock.advance(1_000);
      for (const name of people) {
        const email = `${name}@example.com`;
        expect(await outcomeOf(url, { email, name: 'Eve' })).to.equal('registered');
        if (name === 'erased') expect(await isUnknown(svc, email)).to.equal(true);
        else {
          const { contact, state } = await consentOf(svc, email);
          expect([contact.firstName, state]).to.deep.equal(['Ada', name === 'revoked' ? 'revoked' : undefined]);
        }
      }
      await platform.settled();
      expect(people.map((name) => mailsTo(`${name}@example.com`).length)).to.deep.equal([1, 1, 1, 0]);
      expect(await outcomeOf(await linkTo('revoked@example.com'), {})).to.equal('subscribed');
    });
  });

  it('accepts a form of another site without a cookie; other pages of forms do not', async () => {
    const { url, svc } = await withForm();
    const from = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await visit(url, { email: 'a@example.com' }, from)).status).to.equal(303);
    const link = await linkTo('a@example.com');
    expect((await visit(link, {}, from)).status).to.equal(403);
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    expect((await consentOf(svc, 'a@example.com')).records[0]?.source).to.equal('subscribe form https://shop.example');
    const hidden = { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' };
    const unknown = await visit(url, { email: 'b@example.com' }, hidden);
    expect(unknown.headers.get('set-cookie')).to.equal(null);
    expect(await outcomeOf(await linkTo('b@example.com'), {})).to.equal('subscribed');
    expect((await consentOf(svc, 'b@example.com')).records[0]?.source).to.equal('subscribe form on another site');
  });

  it('shows what is wrong with a form, and keeps the values', async () => {
    const { url } = await withForm();
    const wrong = [
      [{ email: 'not an address', name: 'Ada' }, en.mistakes.email],
      [{ email: '', name: 'Ada' }, en.mistakes.email],
      [{ email: 'ada@example.com', name: 'Win at www.evil.example' }, en.mistakes.firstName],
      [{ email: 'ada@example.com', name: 'a'.repeat(101) }, en.mistakes.firstName],
    ] as const;
    for (const [form, text] of wrong) {
      const { status, body } = await visit(url, form);
      expect(status, text).to.equal(422);
      expect(body).to.contain(text).and.contain(`value="${form.name}"`);
    }
    const { body } = await visit(url, { email: '"><script>alert(1)</script>' });
    expect(body).to.not.contain('<script>alert');
  });

  it('ignores a form whose hidden field was filled in, with the same answer', async () => {
    const { url } = await withForm();
    expect(await outcomeOf(url, { email: 'robot@example.com', website: 'https://spam.example' })).to.equal('asked');
    expect(await linkTo('robot@example.com')).to.equal('');
  });

  it('sends at most five mails a day to an address, and accepts 20 forms in 10 minutes from a network', async () => {
    const { url } = await withForm();
    const statuses = async (count: number, email: (n: number) => string): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < count; n += 1) all.push((await visit(url, { email: email(n) })).status);
      return all;
    };
    expect(await statuses(6, (n) => (n % 2 === 0 ? 'Bombed@example.com' : 'bombed@example.com'))).to.deep.equal([
      ...Array.from({ length: 5 }, () => 303),
      429,
    ]);
    const later = await statuses(15, (n) => `person-${n}@example.com`);
    expect(later.filter((status) => status === 303).length).to.equal(14);
    platform.clock.advance(minutes(11));
    const refused = await visit(url, { email: 'bombed@example.com' });
    expect(refused.status).to.equal(429);
    expect(refused.body).to.contain(en.problems.limited.heading);
    platform.clock.advance(days(1));
    expect((await visit(url, { email: 'bombed@example.com' })).status).to.equal(303);
  });

  it('has its own budget of mail, which invitations do not share', async () => {
    const { url, svc, live } = await withForm();
    await ask(url, 'first@example.com');
    const { affectedRows } = await platform.running.services.database.run(
      `UPDATE svc_limit SET hits = 500 WHERE id = UNHEX(SHA2('confirmation mail|per hour|${live.id}', 256))`,
    );
    expect(affectedRows).to.equal(1);
    expect((await visit(url, { email: 'second@example.com' })).status).to.equal(429);
    await svc.call('account.member.invite', { email: 'guest@example.com' });
  });

  it('accepts nobody while the account is closed', async () => {
    const { url, svc, live } = await withForm();
    const link = await ask(url, 'open@example.com');
    await platform.running.services.database.run('UPDATE svc_environment SET closed_at = ? WHERE id = ?', [
      platform.clock.now(),
      Buffer.from(live.id.replaceAll('-', ''), 'hex'),
    ]);
    for (const [address, form] of [[url], [url, { email: 'late@example.com' }], [link], [link, {}]] as const) {
      const { status, body } = await visit(address, form);
      expect(status).to.equal(403);
      expect(body).to.contain(en.problems.closed.heading);
    }
    expect(await isUnknown(svc, 'open@example.com')).to.equal(true);
  });

  it('shows nothing for a topic without a form, an archived one, and one that does not exist', async () => {
    const { url, svc } = await withForm();
    await topicOf(svc, { key: 'plain', name: 'Plain' });
    await svc.call('audience.topic.archive', { topic: 'news' });
    const environment = url.replace(/\/news$/, '');
    for (const address of [
      url,
      `${environment}/plain`,
      `${environment}/none`,
      url.replace(/[0-9a-f]{4}\/news/, '0000/news'),
    ])
      for (const form of [undefined, { email: 'ada@example.com' }]) {
        const { status, body } = await visit(address, form);
        expect(status, address).to.equal(404);
        expect(body).to.contain(en.problems.unknown.heading);
      }
  });

  it('speaks the reader’s language, and the mail and its page that of the form', async () => {
    const { url } = await withForm();
    for (const lang of languages) {
      const texts = subscribeTexts[lang];
      platform.clock.advance(minutes(11));
      const { body, headers } = await visit(url, undefined, { 'Accept-Language': `xx, ${lang}-ZZ;q=0.9` });
      expect(headers.get('content-language')).to.equal(textTag(lang));
      expect(body)
        .to.contain(texts.button)
        .and.not.match(/\{\w+\}/);
      const email = `reader-${lang}@example.com`;
      await visit(url, { email }, { 'Accept-Language': lang });
      const link = await linkTo(email);
      expect(mailsTo(email).at(-1)?.parsed.text).to.contain(confirmTemplate.locales[lang].heading);
      const page = await visit(link, undefined, { 'Accept-Language': 'nl' });
      expect(page.body)
        .to.contain(texts.confirm.button)
        .and.not.match(/\{\w+\}/);
      for (const done of ['asked', 'registered', 'subscribed', 'blocked'] as const) {
        const shown = await visit(`${url}?done=${done}`, undefined, { 'Accept-Language': lang });
        expect(shown.body)
          .to.contain(texts.done[done].heading)
          .and.not.match(/\{\w+\}/);
      }
    }
  });
});
