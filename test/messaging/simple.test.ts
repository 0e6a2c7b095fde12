import { expect } from 'chai';
import { renderTemplate, type Escaping } from '#core/messaging/templates/liquid.js';
import { isSimple, isSimpleJob, renderSimple } from '#core/messaging/templates/simple.js';

const simple = [
  '',
  'Hello',
  '{ not } a {tag}',
  'Hi {{ name }}',
  '{{name}}{{ contact.first_name }}',
  '{{ contact.firstName | default: "there" }}',
  "{{ a.b.c|default:'it’s {you}' }}",
  '<b>{{- name -}}</b>',
  '{{ list.first }} {{ list.size }}',
];

const others = [
  '{% if a %}b{% endif %}',
  '{{ name | upcase }}',
  '{{ name | default: other }}',
  '{{ list | sort | size }}',
  '{{ list[0] }}',
  '{{ (1..5) }}',
  '{{ "}}" }}',
  '{{ name',
  '{{ }}',
  `{{ ${'a'.repeat(300)} }}`,
  '{{ a }}'.repeat(101),
  'x'.repeat(200_001),
];

const variables = {
  name: 'A & B {{ name }}',
  contact: { first_name: '<i>', firstName: '' },
  a: { b: { c: null } },
  list: [1, 'two', { three: 3 }],
};

describe('Simple templates', () => {
  it('consist of text and of variables, perhaps with a default', () => {
    expect(simple.filter((source) => !isSimple(source))).to.deep.equal([]);
    expect(others.filter((source) => isSimple(source))).to.deep.equal([]);
  });

  it('are rendered as the threads render them, whatever is missing', async () => {
    for (const escaping of ['html', 'none'] satisfies Escaping[]) {
      for (const source of [...simple, '{{ nobody }} {{ contact.nothing }}']) {
        const parts = [{ source, escaping }];
        const jobs = [variables, {}].map((given) => ({ parts, variables: given, isPreview: true }));
        expect(await renderSimple(jobs), source).to.deep.equal(
          jobs.map((job) => [renderTemplate(source, job.variables, escaping, { isPreview: true })]),
        );
      }
    }
  });

  it('never show values that must not be passed on', () => {
    const parts = [{ source: '{{ code }}', escaping: 'none' as const }];
    expect(isSimpleJob({ parts, variables: {} })).to.equal(true);
    expect(isSimpleJob({ parts, variables: {}, guarded: { code: '1' } })).to.equal(false);
  });
});
