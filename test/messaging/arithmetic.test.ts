import { expect } from 'chai';
import { renderTemplate } from '#core/messaging/templates/liquid.js';

const written = (source: string, variables: Record<string, unknown> = {}): string => {
  const rendered = renderTemplate(source, variables, 'none');
  return rendered.ok ? rendered.text : JSON.stringify(rendered);
};

describe('Arithmetic in templates', () => {
  it('is decimal', () => {
    expect(written('{{ price | times: 100 }}', { price: 19.9 })).to.equal('1990');
    expect(written('{{ 0.0725 | times: 100 }}')).to.equal('7.25');
    expect(written('{{ 0.1 | plus: 0.2 }} {{ 1.1 | minus: 1 }} {{ 3.3 | times: 3 }}')).to.equal('0.3 0.1 9.9');
    expect(written('{{ 1.005 | round: 2 }} {{ 2.5 | round }} {{ -2.5 | round }} {{ 1250 | round: -2 }}')).to.equal(
      '1.01 3 -3 1300',
    );
    expect(
      written('{{ 7.5 | modulo: 2 }} {{ -7 | modulo: 3 }} {{ -1.5 | abs }} {{ 1.2 | ceil }} {{ -1.2 | floor }}'),
    ).to.equal('1.5 2 1.5 2 -2');
    expect(written('{{ 3 | at_least: 5.5 }} {{ "4.50" | at_most: 10 | plus: 0.1 }}')).to.equal('5.5 4.6');
    const items = [{ price: 0.1 }, { price: '0.2' }, { price: 0.3 }, {}];
    const total = '{% assign t = 0 %}{% for i in items %}{% assign t = t | plus: i.price %}{% endfor %}{{ t }}';
    expect(written(total, { items: items.slice(0, 3) })).to.equal('0.6');
    expect(written('{{ items | sum: "price" }} {{ list | sum }}', { items, list: [0.1, 0.7] })).to.equal('0.6 0.8');
  });

  it('divides whole numbers as whole numbers, and decimal ones as such', () => {
    expect(
      written('{{ 7 | divided_by: 2 }} {{ -7 | divided_by: 2 }} {{ cents | divided_by: 100 }}', { cents: 1999 }),
    ).to.equal('3 -4 19');
    expect(written('{{ 7 | divided_by: 2.0 }} {{ cents | divided_by: 100.0 }}', { cents: 1999 })).to.equal('3.5 19.99');
    expect(written('{{ 7 | times: 1.0 | divided_by: 2 }} {{ "7.0" | divided_by: 2 }}')).to.equal('3.5 3.5');
    expect(written('{{ 10 | divided_by: 3.0 }} {{ 1 | divided_by: 3.0 | times: 3 }}')).to.equal('3.33333333333333 1');
  });

  it('refuses to divide by zero, and says where', () => {
    for (const source of [
      '{{ 10 | divided_by: n }}',
      '{{ 10.5 | divided_by: 0.0 }}',
      '{{ 10 | modulo: n }}',
      '{{ 1 | divided_by: "" }}',
    ]) {
      const rendered = renderTemplate(`Sum:\n${source}`, { n: 0 }, 'none');
      expect(rendered, source).to.deep.include({ ok: false, line: 2, column: 1 });
      expect('problem' in rendered && rendered.problem, source).to.contain('divided by 0');
    }
  });

  it('gives results that templates can go on with', () => {
    const source =
      '{% assign x = 19.9 | times: 100 %}{% if x == 1990 %}a{% endif %}{% if x > 1989 %}b{% endif %}{% case x %}{% when 1990 %}c{% endcase %} {{ x | json }} {{ x | append: "!" }} {% assign i = 2.0 | minus: 1.0 %}{{ list[i] }}{% for n in (1..i) %}{{ n }}{% endfor %}';
    expect(written(source, { list: ['d', 'e'] })).to.equal('abc 1990 1990! e1');
    expect(written('{{ "9007199254740993" | plus: 1 }} {{ n | times: n }}', { n: 1e-7 })).to.equal(
      '9007199254740994 0.00000000000001',
    );
  });

  it('treats values that are not numbers as 0, as Liquid does', () => {
    expect(written('{{ "abc" | plus: 1 }} {{ "" | plus: 2 }} {{ nothing | plus: 3 }}', { nothing: null })).to.equal(
      '1 2 3',
    );
  });

  it('is bounded in time and memory', () => {
    const hostile = [
      [
        '{% assign x = 1.23456789 %}{% for i in (1..5000) %}{% assign x = x | times: x %}{% endfor %}{{ x }}',
        'too large',
      ],
      ['{{ digits | plus: 1 }}', 'more than 400 characters'],
      ['{{ huge | times: huge }}', 'too large'],
      [
        '{% for i in (1..9999) %}{% for j in (1..9999) %}{% assign x = huge | modulo: tiny | plus: j %}{% endfor %}{% endfor %}',
        'limit exceeded',
      ],
    ] as const;
    const variables = { digits: '9'.repeat(200_000), huge: 1e300, tiny: 7e-300 };
    for (const [source, problem] of hostile) {
      const began = process.cpuUsage();
      expect(written(source, variables), source).to.contain(problem);
      expect(process.cpuUsage(began).user / 1_000, source).to.be.lessThan(3_000);
    }
    expect(
      written('{% assign x = 0.9 %}{% for i in (1..200) %}{% assign x = x | times: 0.999 %}{% endfor %}{{ x }}').length,
    ).to.be.lessThan(60);
  });
});

describe('Lists in templates', () => {
  it('lack no variable if they were supplied empty', () => {
    expect(written('{{ a.first }}{{ a.last }}{{ a[0] }}{{ a[3].name }}.', { a: [] })).to.equal('.');
    expect(written('{{ a[1] }}', { a: ['one'] })).to.contain('"missing":["a.1"]');
    expect(written('{{ b.first }}', { a: [] })).to.contain('"missing":["b.first"]');
    expect(written('{{ a.fist }}', { a: [] })).to.contain('"missing":["a.fist"]');
  });
});
