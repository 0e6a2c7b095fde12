import { expect } from 'chai';
import {
  parseSource,
  renderTemplate,
  type Escaping,
  type Parse,
  type Rendered,
} from '#core/messaging/templates/liquid.js';

/** Parses so that nothing is compiled: each node hides what it is, and is rendered by the engine. */
const hidden: Parse = (source, escaping) =>
  parseSource(source, escaping).map((template) => ({
    token: template.token,
    render: (context, output): unknown => template.render(context, output),
  }));

const scope = {
  plan: 'pro',
  nothing: null,
  no: false,
  zero: 0,
  price: 19.9,
  text: `<b>"Tom" & 'Jerry'</b>`,
  contact: { firstName: 'Ada', tags: ['a', '<b>'], properties: { plan: 'pro', size: 3, first: 'one' } },
  items: [
    { name: 'Tea', price: 3.5, tags: [] },
    { name: 'Milk & honey', price: 2, tags: ['x', 'y'] },
  ],
  empty: [],
  map: { a: 1, b: 2 },
};

/** Each of these numbers follows from the one before it, so a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function templateOf(seed: number): string {
  const next = numbers(seed);
  const one = (choices: readonly string[]): string => choices[next(choices.length)] ?? '';
  const value = (): string =>
    one([
      'plan',
      'nothing',
      'no',
      'zero',
      'price',
      'text',
      'contact.firstName',
      'contact["firstName"]',
      'contact.tags',
      'items',
      'contact.tags.first',
      'contact.tags[1]',
      'contact.properties.size',
      'contact.properties.first',
      'items.size',
      'empty',
      'items[0].name',
      'empty.first',
      'each',
      'each.name',
      'each.tags',
      'map',
      'set',
      'missing',
      'contact.missing',
      '"quoted"',
      "'a<b'",
      '42',
      '1.50',
      'true',
      'nil',
      'blank',
      'items.last.name',
      'contact[plan]',
      'contact',
    ]);
  const filter = (): string =>
    one([
      '',
      '',
      '',
      ' | upcase',
      ' | default: "x"',
      ' | default: plan | downcase',
      ' | escape',
      ' | times: 3',
      ' | size',
      ' | raw',
      ' | join: ", "',
      ' | date: "%Y"',
      ' | append: plan',
      ' | first',
      ' | divided_by: 0',
      ' | json',
    ]);
  const condition = (): string =>
    one([
      value(),
      `${value()} == ${value()}`,
      `${value()} != ${value()}`,
      `${value()} == "pro"`,
      `${value()} > 2`,
      `${value()} contains "a"`,
      `${value()} and ${value()}`,
      `${value()} == "pro" or ${value()}`,
      `not ${value()}`,
      `${value()} == empty`,
      `${value()} == blank`,
      `${value()} | size > 1`,
    ]);
  const node = (depth: number): string => {
    const inner = (): string => (depth > 3 ? '.' : Array.from({ length: 1 + next(3) }, () => node(depth + 1)).join(''));
    switch (next(depth > 3 ? 4 : 12)) {
      case 0:
      case 1:
        return one(['Hello ', '<p>', '\n  ', '&amp; ', '{', 'Grüße 🎉']);
      case 2:
      case 3:
      case 4:
        return one(['{{ ', '{{- ', '{{']) + value() + filter() + one([' }}', ' -}}', '}}']);
      case 5:
        return `{% if ${condition()} %}${inner()}{% endif %}`;
      case 6:
        return `{% if ${condition()} %}${inner()}{% elsif ${condition()} %}${inner()}{% else %}${inner()}{% endif %}`;
      case 7:
        return `{% for each in ${one(['items', 'empty', 'contact.tags', '(1..3)', 'map', 'nothing', 'text', 'missing', 'each.tags'])}${one(['', '', '', ' limit: 1', ' reversed'])} %}${inner()}${one(['', '', '{% break %}', '{% continue %}', '{% if each == 2 %}{% break %}{% endif %}', '{{ forloop.index }}'])}${inner()}{% else %}${inner()}{% endfor %}`;
      case 8:
        return `{% unless ${condition()} %}${inner()}{% endunless %}`;
      case 9:
        return `{% assign set = ${value()}${filter()} %}`;
      case 10:
        return `{% capture each %}${inner()}{% endcapture %}{{ each }}`;
      default:
        return `{% case ${value()} %}{% when "pro", 2 %}${inner()}{% else %}${inner()}{% endcase %}{% increment set %}`;
    }
  };
  return Array.from({ length: 1 + next(5) }, () => node(0)).join('');
}

const outcome = (rendered: Rendered): unknown =>
  rendered.ok ? rendered.text : 'missing' in rendered ? { missing: rendered.missing } : rendered.problem;

describe('Compiled templates', () => {
  it('give what the engine gives, and lack the same variables', () => {
    const seen = { texts: 0, refusals: 0 };
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const source = `${templateOf(seed)} {{ plan }}`;
      for (const escaping of ['html', 'none'] satisfies Escaping[]) {
        const options = { locale: 'de' };
        const expected = outcome(renderTemplate(source, scope, escaping, { ...options, parse: hidden }));
        expect(outcome(renderTemplate(source, scope, escaping, options)), `${seed}: ${source}`).to.deep.equal(expected);
        if (typeof expected === 'string') seen.texts += 1;
        else seen.refusals += 1;
      }
    }
    expect(seen.texts).to.be.greaterThan(500);
    expect(seen.refusals).to.be.greaterThan(200);
  });

  it('are compiled once and rendered with other values each time', () => {
    const templates = parseSource('{% for each in items %}{{ each }},{% else %}none{% endfor %} {{ name }}', 'html');
    const parse: Parse = () => templates;
    const texts = [
      { items: [1, 2], name: '<a>' },
      { items: [], name: 'b' },
      { items: ['x'], name: 'c' },
    ].map((each) => outcome(renderTemplate('{{ name }}', each, 'html', { parse })));
    expect(texts).to.deep.equal(['1,2, &lt;a&gt;', 'none b', 'x, c']);
    expect(outcome(renderTemplate('{{ name }}', { items: [] }, 'html', { parse }))).to.deep.equal({
      missing: ['name'],
    });
  });
});
