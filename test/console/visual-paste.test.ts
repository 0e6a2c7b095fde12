import { expect } from 'chai';
import fc from 'fast-check';
import { checksOf } from '#plugins/email/console/checks.js';
import { cleaned, textHtml } from '#plugins/email/console/visual/paste.js';
import { read } from '#plugins/email/console/visual/read.js';
import { linked } from '#plugins/email/console/visual/blocks.js';
import { attributeOf, withAttribute } from '#plugins/email/console/visual/tokens.js';
import {
  chipSource,
  chipWords,
  conditionOf,
  conditionSource,
  frameWords,
  relations,
} from '#plugins/email/console/visual/words.js';

describe('What is pasted into the visual editor', () => {
  it('keeps the structure of Google Docs', () => {
    const pasted =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400">Title</span></h1><p dir="ltr"><span style="font-weight:700">Bold</span><span style="font-style:italic"> and italic</span> <a href="https://fern.example" style="text-decoration:none"><span style="text-decoration:underline">link</span></a></p><ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li></ul></b><br class="Apple-interchange-newline">';
    expect(cleaned(pasted)).to.equal(
      '<h1>Title</h1><p><strong>Bold</strong><em> and italic</em> <a href="https://fern.example">link</a></p><ul><li>One</li></ul><br>',
    );
  });

  it('has no styles, scripts, handlers or addresses that run something, whatever is pasted', () => {
    const parts = fc.constantFrom(
      ...'<p style="x">|</p>|<script>|</script>|<img src="https://a/b" onerror=x>|<img src=javascript:a>|<a href="javascript:a" onclick=b>|<a href="https://c&quot;d">|</a>|<svg onload=a>|<style>|</style>|<iframe src=a>|<b id=x>|</b>|text|&lt;script&gt;|<!--|-->|<div>|</div>|<w:li>|mso-list:l0 level1|<o:p>|{{ a }}|{% if a %}'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (found) => {
        const html = cleaned(found.join(''));
        expect(html).not.to.match(/<(?:script|style|svg|iframe)|\son\w+=|href="javascript|src="javascript/i);
        read(html).doc.check();
      }),
      { numRuns: 1_000 },
    );
  });

  it('may contain variables as text, and nothing else that HTML could mean', () => {
    expect(textHtml('Hi {{ name }} <b>\nBye {% if %}')).to.equal('Hi {{ name }} &lt;b&gt;<br>Bye &#123;% if %}');
  });
});

describe('What can be set in the visual editor', () => {
  it('changes one attribute and keeps the others', () => {
    expect(withAttribute('<img src=a alt>', 'img', 'alt', 'A "fern" & <co>')).to.equal(
      '<img src=a alt="A &quot;fern&quot; &amp; &lt;co>">',
    );
    expect(
      withAttribute('<p><a class="button" href="">x</a></p>', 'a', 'href', '{{ url | default: "/" }}&a=1'),
    ).to.equal(`<p><a class="button" href="{{ url | default: '/' }}&amp;a=1">x</a></p>`);
    expect(withAttribute('<br/>', 'br', 'class', 'x')).to.equal('<br class="x">');
    expect(attributeOf('<a title="href=no" data-href=no href = "a&amp;b">', 'a', 'href')).to.equal('a&b');
  });

  it('puts a link around a picture, and takes it away', () => {
    const picture = '<p><img src="a.png" alt="A"></p>';
    const inLink = linked(picture, 'https://fern.example');
    expect(inLink).to.equal('<p><a href="https://fern.example"><img src="a.png" alt="A"></a></p>');
    expect(linked(inLink, '')).to.equal(picture);
  });

  it('says conditions and variables in words, and understands its own Liquid', () => {
    expect(chipWords('{{ contact.firstName | default: "friend" }}')).to.equal('First name, or “friend”');
    expect(chipWords('{{ total | times: 2 }}')).to.equal('total | times: 2');
    expect(chipSource('city', 'your "town" }}')).to.equal('{{ city | default: "your town " }}');
    expect(frameWords('{%- for item in order.items -%}')).to.equal('For each item of order.items');
    expect(frameWords('{% if a > 3 and b %}')).to.equal('Only if a > 3 and b');
    for (const relation of relations)
      for (const value of ['London', '3', 'true', 'two words']) {
        const hasValue = !relation.startsWith('has');
        const condition = { name: 'contact.city', relation, value: hasValue ? value : '' };
        expect(conditionOf(conditionSource(condition))).to.deep.equal(condition);
      }
  });

  it('is checked before the email is sent', () => {
    const problems = (html: string, subject = 'Hello'): string[] =>
      checksOf({ subject, html }).flatMap(({ ok, text }) => (ok ? [] : [text]));
    expect(problems('<p>Hello <a href="https://fern.example">shop</a> <img src="a" alt="A"></p>')).to.deep.equal([]);
    expect(problems('<a href="">See <b>offers</b></a><a href="#">Top</a><a href="{{ url }}">x</a>')).to.deep.equal([
      '“See offers” has no address',
      '“Top” has no address',
    ]);
    expect(problems('<img src="a" alt="" role="presentation">')).to.deep.equal([]);
    expect(problems('<img src="a"><img alt="" src="">', 'x'.repeat(51))).to.deep.equal([
      'The subject has 51 characters: phones show about 50',
      'Pictures without a description: 2',
      'Pictures without an address: 1',
    ]);
    expect(problems('<html><body><a href="http://localhost:3000/">x</a></body></html>')).to.have.length(2);
    expect(problems('<a href="https://a/?utm_source=a&amp;utm_source=b">x</a>')).to.deep.equal([
      '“x” has a tracking parameter twice',
    ]);
  });
});
