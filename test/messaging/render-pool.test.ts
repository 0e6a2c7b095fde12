import { expect } from 'chai';
import { checkParts, renderJobs, renderParts } from '#core/messaging/templates/render-pool.js';
import { ThreadQueueFull } from '#core/runtime/thread-pool.js';
import type { Rendered } from '#core/messaging/templates/liquid.js';

/** One text, rendered for an environment. */
async function render(
  source: string,
  variables: Record<string, unknown> = {},
  partition = 'environment',
): Promise<Rendered | undefined> {
  const [rendered] = await renderParts([partition], { parts: [{ source, escaping: 'none' }], variables });
  return rendered;
}

const problemOf = (rendered: Rendered | undefined): string =>
  rendered && 'problem' in rendered ? rendered.problem : `no problem: ${JSON.stringify(rendered)}`;

/** Filters that the engine runs without checking the time: it takes seconds. */
const slow = {
  source: `{{ list ${'| sort '.repeat(100)} | size }}`,
  list: Array.from({ length: 100_000 }, (_, n) => -n),
};

describe('Templates of customers are rendered in threads', () => {
  before(async function () {
    // Starting the first thread from TypeScript sources takes a while.
    this.timeout(60_000);
    await render('{{ a | downcase }}', { a: 1 });
  });

  it('fills in variables, each part escaped its own way', async () => {
    const rendered = await renderParts(['environment'], {
      parts: [
        { source: 'Hi {{ name }}', escaping: 'none' },
        { source: '<b>{{ name }}</b>', escaping: 'html' },
      ],
      variables: { name: 'A & B' },
    });
    expect(rendered).to.deep.equal([
      { ok: true, text: 'Hi A & B' },
      { ok: true, text: '<b>A &amp; B</b>' },
    ]);
  });

  it('names every missing variable', async () => {
    expect(await render('{{ a }} {{ b.c }}')).to.deep.equal({ ok: false, missing: ['a', 'b.c'] });
  });

  it('ends a template that keeps its thread busy, and the next one is rendered', async () => {
    expect(problemOf(await render(slow.source, { list: slow.list }))).to.match(/takes longer than \d+ ms|limit/);
    expect(await render('{{ a | downcase }}', { a: 1 })).to.deep.equal({ ok: true, text: '1' });
  });

  it('renders many messages of one template in one call, and names the one that is at fault', async () => {
    const parts = [{ source: '{{ name }}: {{ list | sort | size }}', escaping: 'none' as const }];
    const list = [3, 1, 2];
    const jobs = Array.from({ length: 300 }, (_, n) => ({
      parts,
      variables: n === 7 ? { list } : { name: `n${n}`, list },
    }));
    const rendered = await renderJobs(['environment'], jobs);
    expect(rendered).to.have.length(300);
    expect(rendered[7]).to.deep.equal([{ ok: false, missing: ['name'] }]);
    expect(rendered[299]).to.deep.equal([{ ok: true, text: 'n299: 3' }]);
  });

  it('renders the others where one of many takes too long', async () => {
    const parts = [{ source: slow.source, escaping: 'none' as const }];
    const jobs = [[1], slow.list, [1, 2]].map((list) => ({ parts, variables: { list } }));
    const [first, second, third] = await renderJobs(['environment'], jobs);
    expect([first, third]).to.deep.equal([[{ ok: true, text: '1' }], [{ ok: true, text: '2' }]]);
    expect(problemOf(second?.[0])).to.match(/takes longer than \d+ ms|limit/);
  });

  it('says which variables a text uses, and where another is wrong', async () => {
    const checked = await checkParts(
      ['environment'],
      [
        {
          source: '{{ order.number }} {% for item in order.items %}{{ item.name }}{% endfor %} {{ n | default: 1 }}',
          escaping: 'none',
        },
        { source: 'a\n  {{ b', escaping: 'none' },
      ],
    );
    expect(checked[0]).to.deep.equal({ ok: true, variables: ['order.number', 'order.items', 'n'] });
    expect(checked[1]).to.include({ ok: false, line: 2, column: 3 });
  });

  it('leaves a thread to other environments while one sends slow templates', async () => {
    // Both threads run: two environments render at once.
    await Promise.all(['one', 'two'].map((partition) => render('{{ a | downcase }}', { a: 1 }, partition)));
    const done: string[] = [];
    const slowOnes = Array.from({ length: 3 }, () =>
      render(slow.source, { list: slow.list }, 'slow').then(() => done.push('slow')),
    );
    await render('{{ a | downcase }}', { a: 1 }, 'other').then(() => done.push('other'));
    expect(done).to.deep.equal(['other']);
    await Promise.all(slowOnes);
  });

  it('refuses more requests of one environment than may wait', async () => {
    const requests = Array.from({ length: 260 }, () =>
      render('{{ a | downcase }}', { a: 1 }, 'busy').catch((error: unknown) => error),
    );
    const answers = await Promise.all(requests);
    expect(answers.filter((each) => each instanceof ThreadQueueFull)).to.have.length.above(0);
    expect(await render('{{ a | downcase }}', { a: 1 }, 'busy')).to.deep.equal({ ok: true, text: '1' });
  });

  for (const [what, source] of [
    ['150,000 lines in a liquid tag', `{% liquid\n${'echo a\n'.repeat(150_000)}%}`],
    ['a range of nineteen million numbers', '{% for i in (1..19000000) %}x{% endfor %}'],
    ['a range whose end is a variable of nineteen million', '{% for i in (1..n) %}x{% endfor %}'],
    ['a filter that evaluates an expression for each element', "{{ list | where_exp: 'i', 'i > 1' }}"],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const rendered = await render(source, { a: 1, n: 19_000_000, list: [1, 2, 3] });
      expect(problemOf(rendered)).to.match(/more than|limit|undefined filter/);
    });
  }
});
