import { expect } from 'chai';
import { useMail } from '../support.js';
import { publish } from './support.js';

/** Rules that match no element of the template, and rules that may. */
const kept = [
  '[data-ogsc] .t { color: #ffffff !important }',
  'a[x-apple-data-detectors] { color: inherit !important }',
  '#outlook a { padding: 0 }',
  '.ExternalClass { width: 100% }',
  'u + .body .t { font-size: 15px }',
  '@import url("https://fonts.example/x.css");',
  '@supports (display: grid) { .t { display: grid } }',
  '@media (max-width: 400px) { .t { color: red !important } }',
  '.t::before { content: "x" }',
  'a:hover { color: green }',
  '.vip { color: blue }',
  '.row-even { background: #eeeeee }',
  'li + li { margin-top: 4px }',
  'li:first-child { color: red }',
];

const inlined = [
  '.t { color: black; font-size: 14px }',
  'td { padding: 8px; background: white }',
  'li { color: gray }',
];

const html = `<html><head><style>
${[...inlined, ...kept].join('\n')}
</style><style media="print">.t { display: none }</style></head><body class="body"><table><tr>
{% for i in (1..2) %}<td class="row-{% cycle "odd", "even" %}"><p class="t{% if vip %} vip{% endif %}">text</p></td>{% endfor %}
</tr></table><p class="t">plain</p><ul>{% for i in (1..2) %}<li>item</li>{% endfor %}</ul></body></html>`;

describe('The CSS of a template', () => {
  const mail = useMail();
  const { platform } = mail;

  it('stays in the head wherever a rule was not inlined everywhere, and is the same in draft, version, message and mail', async () => {
    const { svc } = await platform.account();
    const variables = { vip: true };
    await svc.call('email.template.draft.save', { template: 'styled', locales: { en: { subject: 'Hi', html } } });
    const draft = await svc.call('email.template.preview', { template: 'styled', variables });
    for (const rule of kept) expect(draft.html, rule).to.contain(rule);
    expect(draft.html).to.contain('<style media="print">.t { display: none }</style>');
    await svc.call('email.template.publish', { template: 'styled' });
    const published = await svc.call('email.template.preview', { template: 'styled', variables, draft: false });
    expect(published.html).to.equal(draft.html);
    const { messageId } = await svc.call('email.send', { to: 'ada@example.com', template: 'styled', variables });
    const { html: sent } = await svc
      .call('email.message.get', { messageId })
      .then(({ content }) => content ?? expect.fail());
    expect(sent).to.equal(draft.html);
    const { parsed } = await mail.mailOf(messageId);
    for (const rule of kept) expect(parsed.html?.replaceAll(/\s+/g, ' '), rule).to.contain(rule);
  });

  it('has the rules of inline content too, which is sent as its preview shows it', async () => {
    const { svc } = await platform.account();
    const content = { subject: 'Hi', html };
    const shown = await svc.call('email.template.preview', { content, variables: { vip: false } });
    for (const rule of [...inlined, ...kept]) expect(shown.html, rule).to.contain(rule);
    const { messageId } = await svc.call('email.send', {
      to: 'ada@example.com',
      ...content,
      variables: { vip: false },
    });
    const { content: sent } = await svc.call('email.message.get', { messageId });
    expect(sent?.html).to.equal(shown.html);
  });

  it('is inlined only as far as no rule of the head would lose by it', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'styled', { en: { subject: 'Hi', html } });
    const shown = await svc.call('email.template.preview', { template: 'styled', variables: { vip: true } });
    // Whether .vip colours it is not known when the template is published, so its colour is left to the style sheet.
    expect(shown.html).to.contain('<p class="t vip" style="font-size: 14px;">');
    expect(shown.html).to.contain('<p class="t" style="color: black; font-size: 14px;">plain</p>');
    expect(shown.html).to.contain('<td class="row-even" style="padding: 8px;">').and.to.contain('<li>item</li>');
  });

  it('leaves nothing behind that every element has, and nothing of the layout that nobody needs', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'plain', {
      en: { subject: 'Hi', html: '<style>p { color: #123456 }</style><p>{{ name }}</p>' },
    });
    const { html: shown } = await svc.call('email.template.preview', { template: 'plain', variables: { name: 'Ada' } });
    expect(shown).to.match(/<p style="[^"]*color: #123456;">Ada<\/p>/);
    expect(shown.match(/<style/g)).to.have.length(1);
    expect(shown).not.to.contain('blockquote{margin').and.not.to.contain('data-svc');
  });

  it('stays for HTML in variables, which is not there when the template is published', async () => {
    const { svc } = await platform.account();
    const source = '<style>h2 { color: #123456 }</style><h2>Title</h2>{{ article | raw }}';
    await publish(svc, 'article', { en: { subject: 'Hi', html: source } });
    const article = '<h2>Inside</h2><blockquote>x</blockquote>';
    const { html: shown } = await svc.call('email.template.preview', { template: 'article', variables: { article } });
    expect(shown).to.contain('h2 { color: #123456 }').and.to.contain('blockquote{margin');
    expect(shown).to.match(/<h2 style="[^"]*#123456;">Title/);
  });

  it('keeps Liquid in style sheets, style attributes and between attributes', async () => {
    const { svc } = await platform.account();
    const source = `<html><head><style>
{% if dark %}.a { color: white }{% else %}.a { color: black }{% endif %}
.b { color: {{ colour }}; border: 0 }
</style></head><body><p class="a">a</p><p class="b">b</p>
<p class="b" style="margin: 0; {% if big %}padding: 9px;{% else %}padding: 1px;{% endif %}">c</p>
<p {% if big %}style="margin: 7px"{% endif %} class="b">d</p><p class="{% if big %} a {% else %} b {% endif %}">e</p></body></html>`;
    await publish(svc, 'liquid', { en: { subject: 'Hi', html: source } });
    const variables = { dark: true, big: true, colour: 'teal' };
    const { html: shown } = await svc.call('email.template.preview', { template: 'liquid', variables });
    expect(shown).to.contain('.a { color: white }').and.to.contain('.b { color: teal; border: 0 }');
    expect(shown).not.to.contain('.a { color: black }');
    expect(shown).to.contain('<p class="a">a</p>').and.to.contain('<p class="b" style="color: teal; border: 0;">b</p>');
    expect(shown).to.match(/<p class="b" style="color: teal; border: 0; margin: 0; padding: 9px;+">c<\/p>/);
    expect(shown).to.match(/<p style="margin: 7px" +class="b">d<\/p>/);
    expect(shown).to.match(/<p class=" a ">e<\/p>/);
  });

  it('stays in what only Outlook reads', async () => {
    const { svc } = await platform.account();
    const conditional = '<!--[if mso]><style>.x { color: red }</style><![endif]-->';
    await publish(svc, 'outlook', { en: { subject: 'Hi', html: `${conditional}<p class="x">a</p>` } });
    const { html: shown } = await svc.call('email.template.preview', { template: 'outlook' });
    expect(shown).to.contain(conditional);
    expect(shown).not.to.match(/<p class="x"[^>]*red/);
  });
});
