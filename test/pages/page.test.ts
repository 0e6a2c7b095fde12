import { expect } from 'chai';
import { html, markupText } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText, formatDateTime, labelOf, textsFor } from '#core/surfaces/pages/texts.js';

const texts = { en: 'hello', de: 'hallo', fr: 'salut', es: 'hola', pt: 'olá' };
const plain = { title: 'T', lang: 'de', theme: defaultPageTheme, body: html`<h1>Hi</h1>` };

describe('a hosted page', () => {
  it('is a complete document in its language, with the headers of all hosted pages', () => {
    const { status, type, body, headers = {} } = renderPage({ ...plain, status: 410 });
    expect([status, type]).to.deep.equal([410, 'text/html; charset=utf-8']);
    expect(body).to.match(/^<!doctype html>\n<html lang="de"><head><meta charset="utf-8"\/>/);
    expect(body).to.contain('<main class="frame"><h1>Hi</h1></main>').and.contain('<title>T · svc</title>');
    expect(headers).to.include({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    const nonce = /<style nonce="([^"]+)">/.exec(String(body))?.[1] ?? 'none';
    expect(headers['Content-Security-Policy']).to.equal(
      `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' https: data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(body).to.not.contain('<script');
    expect(renderPage(plain).headers?.['Content-Security-Policy']).to.not.contain(nonce);
  });

  it('says that its Portuguese is that of Portugal, which screen readers pronounce otherwise', () => {
    const { body, headers = {} } = renderPage({ ...plain, lang: 'pt' });
    expect(body).to.contain('<html lang="pt-PT">');
    expect(headers['Content-Language']).to.equal('pt-PT');
  });

  it('allows a script only by its nonce, and only if the page has one', () => {
    const { body, headers = {} } = renderPage({ ...plain, script: 'if (1 < 2 && "a") start();' });
    const nonce = /<script type="module" nonce="([^"]+)">if \(1 < 2 && "a"\) start\(\);<\/script>/.exec(
      String(body),
    )?.[1];
    expect(headers['Content-Security-Policy']).to.contain(`; script-src 'nonce-${nonce ?? 'none'}'`);
    expect(() => renderPage({ ...plain, script: '"</script>"' })).to.throw('script');
  });

  it('shows the brand as text, and links only to web addresses', () => {
    const theme = {
      ...defaultPageTheme,
      brandName: '<b>&"',
      logoUrl: 'javascript:alert(1)',
      supportUrl: 'javascript:alert(2)',
      supportEmail: 'a"b@x.example',
    };
    const body = String(renderPage({ ...plain, theme }).body);
    expect(body).to.contain('<bdi>&lt;b>&amp;&quot;</bdi>').and.contain('href="mailto:a%22b%40x.example"');
    expect(body).to.not.contain('javascript:');
    const good = String(
      renderPage({
        ...plain,
        theme: { ...theme, logoUrl: 'https://x.example/l.png', supportUrl: 'https://x.example/help' },
      }).body,
    );
    expect(good)
      .to.contain('<img src="https://x.example/l.png" alt')
      .and.contain('rel="noopener noreferrer">Hilfe</a>');
  });

  it('escapes every value in text and attributes, and does not accept an object as markup', () => {
    const hostile = '"><script>alert(1)</script>';
    expect(markupText(html`<a title=${hostile}>${hostile}</a>`)).to.not.contain('<script');
    const forged: unknown = JSON.parse('{"type":"script","props":{"children":"alert(1)"},"key":null}');
    expect(markupText(html`<p>${forged}</p>`)).to.equal('<p></p>');
  });
});

describe('a page’s texts', () => {
  it('are in the first language that is available, otherwise in English', () => {
    const lang = (...languages: string[]): string => textsFor(texts, languages).lang;
    expect(lang('pt-BR', 'en')).to.equal('pt');
    expect(lang('nl', 'DE-at', 'fr')).to.equal('de');
    expect(lang('en-GB', 'de')).to.equal('en');
    expect([lang(), lang('*'), lang('constructor'), lang('nl')]).to.deep.equal(['en', 'en', 'en', 'en']);
    expect(textsFor(texts, ['fr']).texts).to.equal('salut');
  });

  it('come with the tag to format beside them: the reader’s whole one, but that of Portugal for Portuguese', () => {
    const tag = (...languages: string[]): string => textsFor(texts, languages).formatTag;
    expect(tag('en-GB', 'en')).to.equal('en-GB');
    expect(tag('nl', 'DE-at', 'de')).to.equal('de-AT');
    expect(tag('fr', 'fr-CH')).to.equal('fr');
    expect([tag('pt'), tag('pt-BR')]).to.deep.equal(['pt-PT', 'pt-PT']);
    expect(tag('de-DE-u-nu-arab'), 'without extensions').to.equal('de-DE');
    expect([tag(), tag('*'), tag('nl'), tag('en-'), tag('en-nonsense-too-long')]).to.deep.equal(Array(5).fill('en'));
  });

  it('have their placeholders filled by name', () => {
    expect(fillText('{a} and {b}, {a}', { a: '1', b: '{a}' })).to.equal('1 and {a}, 1');
    expect(fillText('{toString} {x}', { a: '1' })).to.equal('{toString} {x}');
    expect(markupText(html`<p>${fill('{a} < {b}', { a: html`<b>1</b>`, b: '<i>' })}</p>`)).to.equal(
      '<p><b>1</b> &lt; &lt;i></p>',
    );
  });

  it('put a label before its value as the language does: French with a no-break space before the colon', () => {
    expect(labelOf('fr', 'Clé')).to.equal('Clé\u00a0:');
    expect(labelOf('en', 'Key')).to.equal('Key:');
  });

  it('format a time for the language, in UTC', () => {
    const moment = new Date('2026-03-09T17:05:00Z');
    expect(formatDateTime('en', moment)).to.match(/^March 9, 2026 at 5:05.PM UTC$/);
    expect(formatDateTime('en-GB', moment)).to.equal('9 March 2026 at 17:05 UTC');
    expect(formatDateTime('de', moment)).to.equal('9. März 2026 um 17:05 UTC');
  });
});
