import { expect } from 'chai';
import { refusalOf } from '#core/kernel/errors/common.js';
import { languages, textTag } from '#core/kernel/language.js';
import preferencesPage from '#plugins/audience/pages/preferences/page.js';
import { preferencesTexts } from '#plugins/audience/pages/preferences/translations.js';
import type { Channel, SuppressionReason } from '#plugins/audience/ports.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import { messageToken } from '#test/audience/preferences/support.js';
import { auditCount, contactOf } from '#test/audience/support.js';
import type { InputOf } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { address, personWithPage } from './preferences-support.js';
import { pageRequest } from './support.js';

const { en } = preferencesTexts;

describe('the preferences page', () => {
  needProducts('audience');
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));

  const person = (facts: InputOf<'audience.contact.upsert'> = {}) => personWithPage(platform, facts);
  const visit = async (url: string, language = 'en', form?: Record<string, string>) => {
    const answer = await fetch(url, {
      headers: { 'Accept-Language': language },
      redirect: 'manual',
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  it('shows the choices in the environment’s theme, without the token or the full address', async () => {
    const { url, token, svc, projectId } = await person({ phone: address.sms });
    await svc.call('account.theme.draft.save', {
      theme: themeWith({ brandName: 'Kiosk', supportEmail: 'help@example.com' }),
    });
    await svc.call('account.theme.publish', {});
    await svc.call('account.project.update', { projectId, name: 'Kiosk <am> Park' });
    const { status, headers, body } = await visit(url);
    expect(status).to.equal(200);
    expect(body).to.contain('<h1>What <bdi>Kiosk &lt;am> Park</bdi> can send you</h1>').and.contain('<bdi>Kiosk</bdi>');
    expect(body).to.contain('--primary: #003366;').and.contain('mailto:help%40example.com');
    expect(body).to.contain('a•••@example.com').and.contain('+49•••89');
    expect(body).to.not.contain('lovelace').and.not.contain('123456').and.not.contain(token);
    expect(body).to.not.match(/<script|(?:src|href|action)="(?!data:,|mailto:)|@import|url\(/);
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; .*form-action 'self'/);
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(platform.logLines.length).to.be.greaterThan(0);
    expect(platform.logLines.join()).to.not.contain(token).and.not.contain('lovelace');
  });

  it('uses the contact’s language, otherwise the browser’s', async () => {
    const { url, svc, contact } = await person();
    for (const lang of languages) {
      const { body, headers } = await visit(url, `xx, ${lang}-ZZ;q=0.9, en;q=0.1`);
      expect(headers.get('content-language')).to.equal(textTag(lang));
      expect(body)
        .to.contain(`<html lang="${textTag(lang)}">`)
        .and.contain(preferencesTexts[lang].save);
      expect(body).to.not.match(/\{\w+\}/);
    }
    await svc.call('audience.contact.update', { contactId: contact.id, locale: 'pt-BR' });
    expect((await visit(url, 'de')).body).to.contain('<html lang="pt-PT">');
    await svc.call('audience.contact.update', { contactId: contact.id, locale: 'nl' });
    expect((await visit(url, 'de')).body).to.contain('<html lang="de">');
  });

  it('explains in every language why no messages are sent', async () => {
    const one = await person({ phone: address.sms });
    const steps: [Channel, SuppressionReason][] = [
      ['email', 'manual'],
      ['email', 'bounce'],
      ['email', 'complaint'],
      ['email', 'unsubscribe'],
      ['sms', 'stop'],
    ];
    for (const [channel, reason] of steps) {
      await one.suppressed(channel, reason);
      platform.clock.advance(minutes(11));
      for (const lang of languages) {
        const [before = ''] = preferencesTexts[lang].channels[channel].reasons[reason]
          .split('{project}')
          .filter(Boolean);
        expect((await visit(one.url, lang)).body, `${lang} ${reason}`).to.contain(before.trim());
      }
    }
    const { body } = await visit(one.url);
    expect(body).to.contain('START').and.contain(en.channels.email.allow).and.not.contain(en.channels.sms.allow);
  });

  it('says so when the contact has no address on any channel', async () => {
    const { svc } = await person();
    const { id } = await contactOf(svc, { externalId: 'nobody' });
    const { status, body } = await visit(`${platform.running.address}/preferences?token=${messageToken(platform, id)}`);
    expect(status).to.equal(200);
    expect(body).to.contain('doesn’t have an email address').and.not.contain('<fieldset').and.not.contain('<button');
  });

  it('explains why a link does not work, and what to do', async () => {
    const { svc, contact, token } = await person();
    const expiresAt = new Date(platform.clock.now().getTime() + minutes(1)).toISOString();
    const expired = await svc.call('audience.preferences.link', { contactId: contact.id, expiresAt });
    platform.clock.advance(minutes(1));
    const { errors } = preferencesTexts.fr;
    for (const [query, status, trouble] of [
      [`?token=${expired.token}`, 410, errors.expired],
      [`?token=${token.slice(0, -1)}`, 404, errors.invalid],
      ['?token=%00%3Cscript%3E', 404, errors.invalid],
      ['', 404, errors.invalid],
    ] as const)
      for (const form of [undefined, { do: 'unsubscribe' }]) {
        const seen = await visit(`${platform.running.address}/preferences${query}`, 'fr', form);
        expect(seen.status, query).to.equal(status);
        expect(seen.body).to.contain(`<h1>${trouble.heading}</h1>`).and.contain(trouble.next).and.not.contain('ada@');
      }
  });

  it('is subject to the rate limits of its operations, and reports them', async () => {
    const { url } = await person();
    for (let visits = 0; visits < 60; visits += 1) expect((await visit(url)).status).to.equal(200);
    const looked = await visit(url);
    expect(looked.status).to.equal(429);
    expect(looked.body).to.contain(`<h1>${en.errors.limited.heading}</h1>`);
    for (const form of [{ do: 'unsubscribe' }, { do: 'save' }, { do: 'none' }])
      expect((await visit(url, 'en', form)).status, form.do).to.equal(429);
  });

  it('saves a plain form, then redirects so that a reload does not submit it again', async () => {
    const { url, kept, live } = await person();
    const form = { do: 'save', 'email.on': 'news', 'email.off': 'offers', email: 'offers' };
    const posted = await visit(url, 'en', form);
    expect([posted.status, posted.body]).to.deep.equal([303, '']);
    const { href } = new URL(posted.headers.get('location') ?? '', url);
    expect(href).to.equal(`${url}&done=saved`);
    expect(await kept()).to.deep.equal({ 'email news': 'revoked', 'email offers': 'granted' });
    expect(await auditCount(platform, live, 'audience.preferences.set')).to.equal(1);
    expect((await visit(href)).body)
      .to.contain(`<p>${en.done.saved}</p>`)
      .and.contain('role="status"');
  });

  it('changes only what the reader changed, so an outdated page does not undo later changes', async () => {
    const { url, kept, token } = await person();
    await platform.api.call('audience.preferences.set', { token, email: { unsubscribeAll: true } });
    const before = await kept();
    await visit(url, 'en', { do: 'save', 'email.on': 'news', email: 'news', 'email.off': 'offers' });
    expect(await kept()).to.deep.equal(before);
  });

  it('changes nothing and shows the current preferences if the topic is gone or the form is invalid', async () => {
    const { url, kept, svc } = await person();
    await svc.call('audience.topic.archive', { topic: 'offers' });
    const before = await kept();
    const forms: Record<string, string>[] = [
      { do: 'save', 'email.off': 'offers', email: 'offers', 'email.on': 'news' },
      { do: 'unsubscribe:sms' },
      { do: 'anything' },
      { 'email.on': 'news' },
      { do: 'save', 'email.off': '__proto__', email: '__proto__' },
    ];
    for (const form of forms) {
      const { status, body } = await visit(url, 'en', form);
      expect(status, JSON.stringify(form)).to.equal(409);
      expect(body).to.contain('role="alert"').and.contain(en.stale.text).and.contain('<fieldset');
    }
    expect(await kept()).to.deep.equal(before);
  });

  it('shows an error page with the request id when the server fails', async () => {
    const { token } = await person();
    const { services } = platform.running;
    for (const method of ['GET', 'POST'] as const)
      for (const [error, status] of [
        [new Error('a secret detail'), 500],
        [refusalOf.unavailable({ problem: 'a secret detail' }), 503],
      ] as const) {
        const request = pageRequest({
          method,
          path: '/preferences',
          query: new URLSearchParams({ token }),
          form: new URLSearchParams({ do: 'unsubscribe' }),
          languages: ['fr'],
          call: () => Promise.reject(error),
        });
        const answer = await preferencesPage.answer(request, services);
        expect(answer.status).to.equal(status);
        expect(answer.body).to.contain('<code>the-request-id</code>').and.not.contain('secret');
      }
  });
});
