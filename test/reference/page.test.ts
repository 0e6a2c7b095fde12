import { expect } from 'chai';
import { commonErrors } from '#core/kernel/errors/common.js';
import { declareErrors } from '#core/kernel/errors/errors.js';
import { declareEvents } from '#core/kernel/events/declare.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { createRegistry } from '#core/kernel/registry.js';
import { either, list, named, object, oneOf, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { eventAnchor, errorAnchor } from '#core/surfaces/reference/anchors.js';
import { referencePage } from '#core/surfaces/reference/page.js';

const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)> "' & {{ x }} \`<b>\``;
const note = named('Note', object({ title: text(hostile), kind: oneOf(['short', 'long']) }));

const add = defineOperation({
  name: 'notes.add',
  summary: hostile,
  description: 'As notes.list, see `notes.list`, https://example.com/guide and no.such.',
  access: 'secret',
  impact: { destructive: true },
  input: object({
    title: text('A title.', { minLength: 1, maxLength: 60 }),
    size: withDefault(oneOf(['small', 'large']), 'small'),
    parts: optional(list(object({ words: text() }), 'Its parts.', { maxItems: 5 })),
    form: optional(either(object({ a: text() }), object({ b: text() }))),
  }),
  output: object({ note }),
  example: { input: { title: hostile }, output: { note: { title: hostile, kind: 'short' } } },
  handle: async () => ({ note: { title: '', kind: 'short' as const } }),
});
const listed = defineOperation({
  name: 'notes.list',
  summary: 'List notes.',
  access: 'secret',
  impact: { read: true },
  input: object({}),
  output: object({ notes: list(note) }),
  example: { input: {}, output: { notes: [] } },
  handle: async () => ({ notes: [] }),
});
/** Codes and events of this test are not in the declared types. */
function onlyHere(name: string): never[];
function onlyHere(name: string): unknown {
  return [name];
}
const notes = definePlugin({
  name: 'notes',
  summary: hostile,
  tables: [],
  operations: [{ ...add, errors: onlyHere('note_full'), events: onlyHere('notes.added') }, listed],
  events: declareEvents({ 'notes.added': { summary: hostile, subject: 'note', data: object({ note }) } }),
  errors: declareErrors({ note_full: { status: 409, message: 'Full: {reason}. ' + hostile, fix: 'Use notes.list.' } }),
}) satisfies Plugin;

const products = await findPlugins();
const all = createRegistry([...products, notes], []);
const page = referencePage(all, 'https://svc.example.com');
const body = page.body.toString();
const ids = [...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
const sectionOf = (id: string): string => body.split(`id="${id}"`)[1]?.split('<section')[0] ?? '';

describe('the reference page', () => {
  it('has one anchor for every operation, event and error of the catalogue', () => {
    const wanted = [
      ...all.operations.keys(),
      ...[...all.events.keys()].map(eventAnchor),
      ...Object.keys(all.enabledErrors).map(errorAnchor),
    ];
    expect(wanted.length).to.be.greaterThan(100);
    expect(ids).to.include.members(wanted);
    expect(new Set(ids).size, 'ids are unique').to.equal(ids.length);
  });

  it('has no broken internal links', () => {
    const targets = [...body.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => id);
    expect([...new Set(targets)].filter((id) => !ids.includes(id))).to.deep.equal([]);
    const labels = [...body.matchAll(/for="([^"]*)"/g)].map(([, id = '']) => id);
    expect(labels.filter((id) => !ids.includes(id))).to.deep.equal([]);
  });

  it('shows the operations, events, errors and resources of an additional product', () => {
    const shown = sectionOf('notes.add');
    for (const words of [
      'POST /notes/add',
      'destructive',
      'notes:write',
      '1 to 60 characters',
      'required',
      'Its parts.',
    ])
      expect(shown).to.contain(words);
    expect(shown).to.contain('default <code>&quot;small&quot;</code>').and.contain('<code>large</code>');
    expect(shown).to.match(/class="d1"><th scope="row"><code>words</);
    expect(shown).to.match(/<code>either<[^]*<code>a<[^]*<code>or<[^]*<code>b</);
    expect(shown).to.contain('href="#resource-Note"').and.contain('href="#error-note_full"');
    expect(shown).to.contain('href="#event-notes.added"').and.contain('href="#notes.list"');
    expect(shown).to.contain('await svc.notes.add(').and.contain('svc notes add').and.contain('notes_add');
    expect(sectionOf('resource-Note')).to.contain('<code>long</code>');
    expect(sectionOf('event-notes.added'))
      .to.contain('href="#notes.add"')
      .and.contain('&quot;type&quot;: &quot;notes.added&quot;');
    expect(sectionOf('error-note_full'))
      .to.contain('409')
      .and.contain('<var>{reason}</var>')
      .and.contain('href="#notes.add"');
  });

  it('does not mention a disabled product', () => {
    const some = createRegistry([...products, notes], ['developers']);
    expect(referencePage(some, 'http://127.0.0.1').body.toString()).to.not.contain('notes.add');
  });

  it('escapes all text', () => {
    expect(body.match(/<script/g)).to.have.length(1);
    expect(body).to.not.contain('<img').and.not.contain('<b>`');
    expect(body).to.not.match(/\son\w+="/);
  });

  it('closes every element', () => {
    const markup = body.replace(/<(style|script)[^>]*>[^]*?<\/\1>/g, '');
    const open: string[] = [];
    for (const [tag, slash, name = ''] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^>]*)?>/g)) {
      if (slash === '/') expect(open.pop(), tag).to.equal(name);
      else if (!tag.endsWith('/>') && !/^(meta|link|input|wbr|br)$/.test(name)) open.push(name);
    }
    expect(open).to.deep.equal([]);
  });

  it('loads no external resources', () => {
    const addresses = [...body.matchAll(/\s(?:src|href|action|poster|srcset)="([^"]*)"/g)].map(([, to = '']) => to);
    expect(addresses.filter((to) => !to.startsWith('#') && to !== '/openapi.json' && to !== 'data:,')).to.deep.equal(
      [],
    );
    expect(body).to.not.match(/@import|url\(/);
  });

  it('lists every common error, and has the same ETag for the same catalogue', () => {
    for (const code of Object.keys(commonErrors)) expect(ids).to.include(errorAnchor(code));
    expect(referencePage(all, 'https://svc.example.com').headers).to.deep.equal(page.headers);
    expect(referencePage(all, 'https://other.example.com').headers.ETag).to.not.equal(page.headers.ETag);
  });
});
