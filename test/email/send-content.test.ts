import { expect } from 'chai';
import { expectedFields, letter, refusedFields, send, traces, useMail, type RefusedCases } from './support.js';

describe('email.send: content', () => {
  const mail = useMail();
  const { platform } = mail;

  it('replaces variables in subject, text and HTML, and escapes them only in HTML', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      subject: '{{ who }} ordered {{ order.items.size }}',
      text: 'Dear {{ who }}{% if vip %}, our best{% endif %}: {% for item in order.items %}[{{ item.name | upcase }}]{% endfor %}',
      html: '<p title="{{ who }}">Dear {{ who }}: {{ nothing | default: "-" }}</p>',
      variables: { who: 'A & "B" <c>', vip: true, order: { items: [{ name: 'tea' }, { name: 'cup' }] } },
    });
    expect(sent.subject).to.equal('A & "B" <c> ordered 2');
    const { parsed } = await mail.mailOf(sent.messageId);
    expect(parsed.subject).to.equal('A & "B" <c> ordered 2');
    expect(parsed.text?.trim()).to.equal('Dear A & "B" <c>, our best: [TEA][CUP]');
    const name = 'A &amp; &#34;B&#34; &lt;c&gt;';
    expect(parsed.html?.trim()).to.equal(`<p title="${name}">Dear ${name}: -</p>`);
    const { content } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(content?.text, 'kept as it was sent').to.equal('Dear A & "B" <c>, our best: [TEA][CUP]');
  });

  it('does not render a value that looks like a template', async () => {
    const { svc } = await platform.account();
    const value = '{{ secret }}{% include "x" %}{% raw %}{{ 7 | times: 6 }}';
    const sent = await send(svc, {
      subject: 'A {{ v }}',
      text: 'B {{ v }}',
      html: 'C {{ v }}',
      variables: { v: value, secret: 'canary' },
    });
    const { parsed } = await mail.mailOf(sent.messageId);
    expect(parsed.subject).to.equal(`A ${value}`);
    expect(parsed.text?.trim()).to.equal(`B ${value}`);
    expect(parsed.html?.trim()).to.equal(`C ${value.replaceAll('"', '&#34;')}`);
  });

  it('names all missing variables of all parts, and stores nothing', async () => {
    const { svc, live } = await platform.account();
    const before = await traces(platform, live.id);
    const refusal = await svc.refusal('email.send', {
      to: 'ada@example.com',
      subject: '{{ first }} {{ given }}',
      text: '{{ user.name }} {{ user.address.city }} {{ list[1].x }} {{ gone | default: "fine" }}',
      html: '{{ first }} {{ last }}',
      variables: { given: 'x', list: ['zero'], user: { id: 1 } },
    });
    expect(refusal).to.include({ status: 400, code: 'missing_variables' });
    const variables = ['first', 'user.name', 'user.address.city', 'list.1.x', 'last'];
    expect(refusal.details).to.deep.equal({ variables });
    for (const name of variables) expect(refusal.message).to.contain(name);
    expect(refusal.fix).to.contain(
      'as in {"first":"…","user":{"name":"…","address":{"city":"…"}},"list":{"1":{"x":"…"}},"last":"…"}',
    );
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  it('names part, line and column of a template error', async () => {
    const { svc } = await platform.account();
    const cases = [
      [letter({ subject: 'Hi {{ name' }), { part: 'subject', line: 1, column: 4 }],
      [letter({ text: 'one\n two {% if %}' }), { part: 'text', line: 2, column: 11 }],
      [letter({ html: '<p>\n\n  {{ a | nofilter }}' }), { part: 'html', line: 3, column: 3 }],
      [letter({ text: '{% if a %}never ended' }), { part: 'text', line: 1, column: 1 }],
      [letter({ text: 'x {% wrong %}' }), { part: 'text', line: 1, column: 3 }],
    ] as const;
    for (const [input, details] of cases) {
      const refusal = await svc.refusal('email.send', input);
      expect({ code: refusal.code, status: refusal.status, details: refusal.details }).to.deep.equal({
        code: 'template_invalid',
        status: 400,
        details,
      });
      expect(refusal.message).to.contain(details.part);
    }
  });

  it('does not let a template read files of the server', async () => {
    const { svc } = await platform.account();
    const tags = ['include', 'render', 'layout'].flatMap((tag) =>
      ['/etc/passwd', 'package.json', '../package.json', './README.md'].map((path) => `{% ${tag} '${path}' %}`),
    );
    for (const text of [...tags, '{% include path %}']) {
      const refusal = await svc.refusal('email.send', letter({ text, variables: { path: '/etc/passwd' } }));
      expect(refusal, text).to.include({ code: 'template_invalid', status: 400 });
      expect(refusal.message).to.match(/the tag “(include|render|layout)” is not supported/);
    }
  });

  it('does not let a template reach prototypes of its values', async () => {
    const { svc } = await platform.account();
    for (const path of ['v.constructor.name', 'v.toString', 'v.__proto__.x', 'list.constructor'])
      expect(
        await svc.refusal('email.send', letter({ text: `{{ ${path} }}`, variables: { v: {}, list: [] } })),
      ).to.include({
        code: 'missing_variables',
      });
  });

  it('stops a template that takes too much time, output or memory', async () => {
    const { svc } = await platform.account();
    const greedy: Record<string, { text: string; variables?: Record<string, unknown> }> = {
      output: { text: '{{ v }}'.repeat(200), variables: { v: 'x'.repeat(250_000) } },
      'output of a loop': {
        text: '{% for i in (1..10000) %}{{ v }}{% endfor %}',
        variables: { v: 'x'.repeat(10_000) },
      },
      loop: { text: '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}' },
      range: { text: '{% for i in (1..999999999) %}x{% endfor %}' },
      growth: { text: '{% assign a = "xxxxxxxxxx" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}' },
      tags: { text: '{{ v }}'.repeat(140_000), variables: { v: 1 } },
      depth: { text: `${'{% if true %}'.repeat(2_000)}${'{% endif %}'.repeat(2_000)}{% if` },
    };
    for (const [name, given] of Object.entries(greedy)) {
      const began = Date.now();
      const refusal = await svc.refusal('email.send', letter(given));
      expect(refusal, name).to.include({ status: 400, code: 'template_invalid' });
      expect(Date.now() - began, `${name} took ms`).to.be.lessThan(5_000);
    }
    // Searching for further missing variables must not restart the time limit.
    const slow = '{% for i in (1..400000) %}{% endfor %}';
    const missing = Array.from({ length: 50 }, (_, n) => `{{ m${n} }}`).join('');
    const began = Date.now();
    const refusal = await svc.refusal('email.send', letter({ text: slow + missing }));
    expect(['missing_variables', 'template_invalid']).to.include(refusal.code);
    expect(Date.now() - began).to.be.lessThan(4_000);
  });

  it('sends text, HTML or both, and refuses a message with neither', async () => {
    const { svc } = await platform.account();
    const base = { to: 'ada@example.com', subject: 'Hello' };
    const text = await mail.mailOf((await svc.call('email.send', { ...base, text: 'T' })).messageId);
    expect([text.parsed.text?.trim(), text.parsed.html]).to.deep.equal(['T', undefined]);
    const html = await mail.mailOf((await svc.call('email.send', { ...base, html: '<b>H</b>' })).messageId);
    expect(html.parsed.html?.trim()).to.equal('<b>H</b>');
    expect(html.raw.toString())
      .to.match(/content-type: text\/html/i)
      .and.not.match(/text\/plain/i);
    const cases: RefusedCases = [
      ['neither', base, 'text'],
      ['no subject', { to: base.to, text: 'T' }, 'subject'],
      ['an empty subject', { ...base, subject: '', text: 'T' }, 'subject'],
      ['a blank subject', { ...base, subject: '{{ v }} ', text: 'T', variables: { v: '' } }, 'subject'],
      ['a long subject', { ...base, subject: 'x'.repeat(999), text: 'T' }, 'subject'],
      [
        'a subject grown long',
        { ...base, subject: '{{ v }}', text: 'T', variables: { v: 'x'.repeat(999) } },
        'subject',
      ],
      ['a long text', { ...base, text: 'x'.repeat(1_048_577) }, 'text'],
      ['a long HTML', { ...base, html: 'x'.repeat(1_048_577) }, 'html'],
      ['text that is none', { ...base, text: null }, 'text'],
      [
        '201 variables',
        { ...base, text: 'T', variables: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`v${n}`, n])) },
        'variables',
      ],
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('carries bodies of the maximum length in any script', async () => {
    const { svc } = await platform.account();
    const text = `${'🦊'.repeat(1_048_575)}'`;
    const html = "'".repeat(1_048_576);
    const { messageId } = await send(svc, { subject: '字'.repeat(998), text, html });
    const { parsed } = await mail.mailOf(messageId);
    expect(parsed.subject === '字'.repeat(998)).to.equal(true);
    expect(parsed.text?.trim() === text).to.equal(true);
    expect(parsed.html?.trim() === html).to.equal(true);
  });
});
