import { expect } from 'chai';
import { declareErrors } from '#core/kernel/errors/errors.js';
import { declareEvents } from '#core/kernel/event.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { either, list, named, object, oneOf, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { errorAnchor, errorLink, eventAnchor, referencePaths, sharedPages } from '#core/surfaces/reference/anchors.js';
import { pageReader } from './support.js';

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
const baseUrl = 'https://svc.example.com';
const pageAt = await pageReader(all, baseUrl);
const pages = new Map<string, string>();
for (const path of [...referencePaths(all), errorLink('note_full'), errorLink('rate_limited')])
  pages.set(path, (await pageAt(path)).body.toString());
const bodyAt = (path: string): string => pages.get(path) ?? '';
const idsIn = (body: string): string[] => [...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
const sectionOf = (path: string, id: string): string => bodyAt(path).split(`id="${id}"`)[1]?.split('<section')[0] ?? '';

describe('the reference page', () => {
  it('has a page for each product, and one each for events, errors and resources, with one anchor for each of them', () => {
    expect(referencePaths(all)).to.deep.equal([
      '/docs/reference',
      ...[...all.products.keys()].map((product) => `/docs/reference/${product}`),
      '/docs/reference/events',
      '/docs/errors',
      '/docs/reference/resources',
    ]);
    for (const product of all.products.keys()) {
      const wanted = [...all.operations.values()].filter((each) => each.product === product).map(({ name }) => name);
      const found = idsIn(bodyAt(`/docs/reference/${product}`)).filter((id) => all.operations.has(id));
      expect(found, product).to.deep.equal(wanted);
    }
    expect(idsIn(bodyAt(sharedPages.events))).to.include.members([...all.events.keys()].map(eventAnchor));
    for (const [path, body] of pages) expect(new Set(idsIn(body)).size, path).to.equal(idsIn(body).length);
  });

  it('lists the operations of a product in the navigation of its page, and marks the page', () => {
    for (const path of pages.keys()) {
      const contents = bodyAt(path).slice(bodyAt(path).indexOf('<nav'), bodyAt(path).indexOf('</nav>'));
      const names = [...contents.matchAll(/<a href="[^"]*#[^"]*"[^>]*>(.*?)<\/a>/g)].map(([, words = '']) =>
        words.replaceAll('<wbr/>', ''),
      );
      const wanted = [...all.operations.values()].filter(({ product }) => path === `/docs/reference/${product}`);
      expect(names, path).to.deep.equal(wanted.map(({ name }) => name));
      expect(contents.match(/aria-current="page"/g), path).to.have.length(1);
      expect(contents).to.contain(`<a href="${path.replace(/(?<=errors)\/.*/, '')}" aria-current="page">`);
    }
  });

  it('has one heading of the first level on each page, and skips no level', () => {
    for (const [path, body] of pages) {
      const levels = [...body.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
      expect(
        levels.filter((level) => level === 1),
        path,
      ).to.deep.equal([1]);
      expect(
        levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
        path,
      ).to.deep.equal([]);
    }
  });

  it('shows the operations, events, errors and resources of an additional product', () => {
    const shown = sectionOf('/docs/reference/notes', 'notes.add').replaceAll(/<\/?span[^>]*>/g, '');
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
    expect(shown)
      .to.contain('href="/docs/reference/resources#resource-Note"')
      .and.contain('href="/docs/errors/note_full"');
    expect(shown)
      .to.contain('href="/docs/reference/events#event-notes.added"')
      .and.contain('href="/docs/reference/notes#notes.list"');
    expect(shown).to.contain('await svc.notes.add(').and.contain('svc notes add').and.contain('notes_add');
    expect(sectionOf(sharedPages.resources, 'resource-Note')).to.contain('<code>long</code>');
    expect(sectionOf(sharedPages.events, 'event-notes.added'))
      .to.contain('href="/docs/reference/notes#notes.add"')
      .and.match(/>&quot;type&quot;<[^]*>&quot;notes.added&quot;</);
    for (const body of [sectionOf(sharedPages.errors, 'error-note_full'), bodyAt(errorLink('note_full'))])
      expect(body).to.contain('409').and.contain('<var>{reason}</var>');
    expect(bodyAt(errorLink('note_full')))
      .to.contain('href="/docs/reference/notes#notes.add"')
      .and.contain('Use <a');
    expect(bodyAt(errorLink('rate_limited'))).to.contain('Repeat the call with the same');
  });

  it('does not mention a disabled product, nor features that no operation here has', async () => {
    const some = createRegistry([...products, notes], ['developers']);
    const shownAt = await pageReader(some);
    for (const path of referencePaths(some)) {
      const body = (await shownAt(path)).body.toString();
      expect(body).to.not.contain('notes.add');
      for (const code of ['mfa_required', 'token_invalid', 'user_banned'])
        expect(body).to.not.contain(errorAnchor(code));
      expect(body).to.not.contain('SVC_PUBLISHABLE_KEY').and.not.contain('auth:public.');
    }
  });

  it('escapes all text', () => {
    for (const body of pages.values()) {
      expect(body.match(/<script/g)).to.have.length(1);
      expect(body).to.not.contain('<img').and.not.contain('<b>`');
      expect(body).to.not.match(/\son\w+="/);
    }
  });

  it('closes every element', () => {
    for (const [path, body] of pages) {
      const markup = body.replace(/<(style|script)[^>]*>[^]*?<\/\1>/g, '');
      const open: string[] = [];
      for (const [tag, slash, name = ''] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^>]*)?>/g)) {
        if (slash === '/') expect(open.pop(), `${path} ${tag}`).to.equal(name);
        else if (!tag.endsWith('/>') && !/^(meta|link|input|wbr|br)$/.test(name)) open.push(name);
      }
      expect(open, path).to.deep.equal([]);
    }
  });

  it('loads no external resources', () => {
    for (const body of pages.values()) {
      const addresses = [...body.matchAll(/\s(?:src|href|action|poster|srcset)="([^"]*)"/g)].map(([, to = '']) => to);
      const links = ['/docs', '/clients', '/console', 'data:,'];
      const own = (to: string): boolean => to.startsWith('/docs/') || links.includes(to);
      expect(addresses.filter((to) => !own(to) && !to.startsWith('#'))).to.deep.equal([]);
      expect(body).to.not.match(/@import|url\(/);
    }
  });

  it('lists every error of the deployment, and has the same ETag for the same catalogue', async () => {
    const found = idsIn(bodyAt(sharedPages.errors)).filter((id) => id.startsWith('error-'));
    expect(found.toSorted()).to.deep.equal(Object.keys(all.enabledErrors).map(errorAnchor).toSorted());
    const headersOf = async (base: string) => (await (await pageReader(all, base))('/docs/reference')).headers;
    expect(await headersOf(baseUrl)).to.deep.equal(await headersOf(baseUrl));
    expect((await headersOf('https://other.example.com')).ETag).to.not.equal((await headersOf(baseUrl)).ETag);
  });
});
