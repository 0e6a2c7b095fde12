import { expect } from 'chai';
import { languages, textTag } from '#core/kernel/language.js';
import { subscribeTexts } from '#plugins/audience/pages/subscribe/translations.js';
import { confirmTemplate } from '#plugins/audience/subscriptions/mail.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import { suppress } from '#test/email/support.js';
import { days, minutes } from '#test/support/clock.js';
import { useSubscribeForm } from './subscribe-support.js';
import { skipOnVitess } from '#test/support/vitess.js';

const { en } = subscribeTexts;
const own = 'https://shop.example/news';

describe('the subscribe form', () => {
  const { platform, withForm, visit, mailsTo, linkTo, ask, consentOf, isUnknown, outcomeOf } = useSubscribeForm();

  /** What svc's own page sends to state which wording it shows. */
  const shownAt = async (url: string): Promise<string> =>
    /name="shown" value="([\w-]+)"/.exec((await visit(url)).body)?.[1] ?? '';
  const useUpBudget = async (environmentId: string): Promise<void> => {
    const { affectedRows } = await platform.running.services.database.run(
      `UPDATE svc_limit SET hits = 500 WHERE id = UNHEX(SHA2('confirmation mail|per hour|${environmentId}', 256))`,
    );
    expect(affectedRows).to.equal(1);
  };

  describe('without double opt-in', () => {
    it('subscribes at once, with the evidence, and leads on', async () => {
      const { url, svc } = await withForm({ doubleOptIn: false, redirectUrl: 'https://shop.example/thanks' });
      const email = 'direct@example.com';
      const form = { email, name: 'Di', shown: await shownAt(url) };
      const { location } = await visit(url, form, { Referer: own, 'Sec-Fetch-Site': 'same-origin' });
      const left = await visit(new URL(location ?? '', url).href);
      expect(left.headers.get('refresh')).to.equal('0; url=https://shop.example/thanks');
      expect(left.body).to.contain('href="https://shop.example/thanks"').and.contain(en.done.registered.heading);
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

    it('stores only a wording that the person saw: none for a form on another site', async () => {
      const { url, svc } = await withForm({ doubleOptIn: false });
      const shown = await shownAt(url);
      await svc.call('audience.topic.update', { topic: 'news', name: 'Offers' });
      const email = 'reader@example.com';
      const again = await visit(url, { email, name: 'Ada', shown }, { Origin: platform.running.address });
      expect(again.status).to.equal(200);
      expect(again.body).to.contain('Offers').and.contain(`value="${email}"`).and.contain('value="Ada"');
      expect(again.body).to.not.contain('role="alert"');
      expect(await isUnknown(svc, email)).to.equal(true);
      await visit(url, { email, shown: await shownAt(url) }, { Origin: platform.running.address });
      expect((await consentOf(svc, email)).records[0]?.wording).to.match(/^Offers: Once a month\. – I’d like/);

      expect(await outcomeOf(url, { email: 'embedded@example.com' })).to.equal('registered');
      expect((await consentOf(svc, 'embedded@example.com')).records[0]?.wording).to.equal(null);
    });

    it('stores no wording for a form of another site that sends the field of svc’s page', async () => {
      const { url, svc } = await withForm({ doubleOptIn: false });
      const shown = await shownAt(url);
      const foreign: readonly Record<string, string>[] = [
        { Origin: 'https://evil.example', Referer: 'https://evil.example/win', 'Sec-Fetch-Site': 'cross-site' },
        { Origin: 'https://evil.example' },
        { Referer: 'https://evil.example/win' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.svc.example' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: platform.running.address },
        {},
      ];
      for (const [index, headers] of foreign.entries()) {
        const email = `stranger${index}@example.org`;
        expect((await visit(url, { email, shown }, headers)).status).to.equal(303);
        expect((await consentOf(svc, email)).records[0], JSON.stringify(headers)).to.include({ wording: null });
      }
      // Under no-referrer, browsers without Sec-Fetch-Site would send no Origin with svc's own form.
      expect((await visit(url)).headers.get('referrer-policy')).to.equal('same-origin');
    });

    it('answers an address that opted out like others even if no mail can be sent', async () => {
      const { url, svc, live } = await withForm({ doubleOptIn: false });
      for (const name of ['first', 'second']) {
        await contactOf(svc, { email: `${name}@example.com` });
        await suppress(platform, live, `${name}@example.com`, 'unsubscribe');
      }
      await ask(url, 'first@example.com');
      await useUpBudget(live.id);
      expect(await outcomeOf(url, { email: 'second@example.com' })).to.equal('registered');
      await platform.settled();
      expect(mailsTo('second@example.com').length).to.equal(0);
      expect((await consentOf(svc, 'second@example.com')).records).to.deep.equal([]);
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

  it('cuts the address of the web page with the form', async () => {
    const { url, svc } = await withForm();
    const email = 'long@example.com';
    const page = `https://shop.example/${'a'.repeat(4_000)}`;
    await visit(url, { email }, { Referer: page });
    const link = await linkTo(email);
    expect(link.length).to.be.lessThan(1_000);
    expect(await outcomeOf(link, {})).to.equal('subscribed');
    expect((await consentOf(svc, email)).records[0]?.source).to.equal(`subscribe form ${page.slice(0, 180)}`);
  });

  it('answers 503 if every retry meets a conflict: the link still works', async function () {
    skipOnVitess(this, 'triggers');
    const { url, svc } = await withForm();
    const link = await ask(url, 'conflict@example.com');
    const { database } = platform.running.services;
    await database.run(
      `CREATE TRIGGER deadlock BEFORE INSERT ON audience_consent_record FOR EACH ROW
       SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock found when trying to get lock'`,
    );
    try {
      expect((await visit(link, {})).status).to.equal(503);
      expect(await isUnknown(svc, 'conflict@example.com')).to.equal(true);
    } finally {
      await database.run('DROP TRIGGER deadlock');
    }
    expect(await outcomeOf(link, {})).to.equal('subscribed');
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

  it('sends at most five mails a day to a mailbox, and accepts 20 forms in 10 minutes from a network', async () => {
    const { url } = await withForm();
    const statuses = async (count: number, email: (n: number) => string): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < count; n += 1) all.push((await visit(url, { email: email(n) })).status);
      return all;
    };
    const bombed = ['Bombed@example.com', 'bombed@example.com', 'bombed+offers@example.com'];
    expect(await statuses(6, (n) => bombed[n % 3] ?? '')).to.deep.equal([...Array.from({ length: 5 }, () => 303), 429]);
    const later = await statuses(15, (n) => `person-${n}@example.com`);
    expect(later.filter((status) => status === 303).length).to.equal(14);
    platform.clock.advance(minutes(11));
    const refused = await visit(url, { email: 'bombed@example.com' });
    expect(refused.status).to.equal(429);
    expect(refused.body).to.contain(en.problems.limited.heading);
    platform.clock.advance(days(1));
    expect((await visit(url, { email: 'bombed@example.com' })).status).to.equal(303);
    const dotted = (n: number): string =>
      `${'dotted'.slice(0, n)}.${'dotted'.slice(n)}@g${n % 2 ? 'oogle' : ''}mail.com`;
    expect(await statuses(5, (n) => dotted(n + 1))).to.deep.equal(Array.from({ length: 5 }, () => 303));
    expect((await visit(url, { email: 'dotted@gmail.com' })).status).to.equal(429);
  });

  it('has its own budget of mail, which invitations do not share', async () => {
    const { url, svc, live } = await withForm();
    await ask(url, 'first@example.com');
    await useUpBudget(live.id);
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
