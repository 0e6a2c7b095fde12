import { Schema, type Attrs, type AttributeSpec, type Mark, type Node } from 'prosemirror-model';

/*
 * What the visual editor can show of an email. Elements keep their own tags: `open` is the source up to the content,
 * `close` what follows it. Blocks know by `id` what they were made from (read.ts), and by `lead` what is before them.
 */

const text = (value: string): AttributeSpec => ({ default: value, validate: 'string' });
const own = { id: { default: 0, validate: 'number' }, lead: { default: null, validate: 'string|null' } };
const ends = (open: string, close: string) => ({ open: text(open), close: text(close), tail: text('') });

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+', attrs: { open: text(''), close: text(''), tail: text('') } },
    paragraph: {
      group: 'block',
      content: 'inline*',
      attrs: { ...own, open: text('<p>') },
      parseDOM: [{ tag: 'p' }],
      toDOM: () => ['p', 0],
    },
    heading: {
      group: 'block',
      content: 'inline*',
      defining: true,
      attrs: { ...own, open: text('<h2>'), level: { default: 2, validate: 'number' } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level, open: `<h${level}>` } })),
      toDOM: (node) => [`h${levelOf(node)}`, 0],
    },
    button: {
      group: 'block',
      content: 'inline*',
      marks: '',
      defining: true,
      attrs: { ...own, ...ends('<p><a class="button" href="">', '</a></p>') },
      toDOM: () => ['div', { class: 'v-button' }, ['span', 0]],
    },
    picture: {
      group: 'block',
      draggable: true,
      attrs: { ...own, html: text('') },
      toDOM: () => ['div', { class: 'v-picture' }],
    },
    divider: {
      group: 'block',
      draggable: true,
      attrs: { ...own, html: text('<hr>') },
      parseDOM: [{ tag: 'hr' }],
      toDOM: () => ['div', { class: 'v-divider' }, ['hr']],
    },
    space: {
      group: 'block',
      draggable: true,
      attrs: { ...own, html: text('') },
      toDOM: () => ['div', { class: 'v-space' }],
    },
    html: {
      group: 'block',
      draggable: true,
      attrs: { ...own, html: text('') },
      toDOM: () => ['div', { class: 'v-html' }],
    },
    list: {
      group: 'block',
      content: 'item+',
      attrs: { ...own, open: text('<ul>'), ordered: { default: false, validate: 'boolean' } },
      parseDOM: [{ tag: 'ul' }, { tag: 'ol', attrs: { ordered: true, open: '<ol>' } }],
      toDOM: (node) => [node.attrs['ordered'] === true ? 'ol' : 'ul', 0],
    },
    item: {
      content: 'paragraph (paragraph | list)*',
      defining: true,
      attrs: { open: text('<li>') },
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    quote: {
      group: 'block',
      content: 'block+',
      defining: true,
      attrs: { ...own, ...ends('<blockquote>', '</blockquote>') },
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    box: {
      group: 'block',
      content: 'block+',
      isolating: true,
      attrs: { ...own, ...ends('<div>', '</div>') },
      toDOM: () => ['div', { class: 'v-box' }, 0],
    },
    columns: {
      group: 'block',
      content: 'cell+',
      isolating: true,
      attrs: { ...own, ...ends('', ''), perRow: { default: 2, validate: 'number' } },
      toDOM: () => ['div', { class: 'v-columns' }, 0],
    },
    cell: {
      content: 'block+',
      isolating: true,
      attrs: { before: text(''), ...ends('<td>', '</td>') },
      toDOM: () => ['div', { class: 'v-cell' }, 0],
    },
    frame: {
      group: 'block',
      content: 'branch+',
      isolating: true,
      attrs: { ...own, close: text('{% endif %}') },
      toDOM: () => ['div', { class: 'v-frame' }, 0],
    },
    branch: {
      content: 'block+',
      isolating: true,
      attrs: { open: text(''), tail: text('') },
      toDOM: () => ['div', { class: 'v-branch' }, 0],
    },
    chip: {
      group: 'inline',
      inline: true,
      attrs: { source: text('') },
      toDOM: (node) => ['span', { class: 'v-chip' }, attr(node, 'source')],
    },
    raw: {
      group: 'inline',
      inline: true,
      attrs: { source: text('') },
      toDOM: (node) => ['span', { class: 'v-raw' }, attr(node, 'source')],
    },
    break: {
      group: 'inline',
      inline: true,
      selectable: false,
      attrs: { source: text('<br>') },
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
    text: { group: 'inline' },
  },
  marks: {
    link: {
      attrs: { open: text('<a href="">') },
      inclusive: false,
      toDOM: () => ['span', { class: 'v-link' }, 0],
    },
    strong: {
      attrs: { open: text('<strong>') },
      parseDOM: [{ tag: 'strong' }, { tag: 'b' }],
      toDOM: () => ['strong', 0],
    },
    em: { attrs: { open: text('<em>') }, parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
    underline: { attrs: { open: text('<u>') }, parseDOM: [{ tag: 'u' }], toDOM: () => ['u', 0] },
    strike: { attrs: { open: text('<s>') }, parseDOM: [{ tag: 's' }], toDOM: () => ['s', 0] },
    code: { attrs: { open: text('<code>') }, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
    /** Any other inline element. */
    span: { attrs: { open: text('<span>') }, excludes: '', toDOM: () => ['span', 0] },
  },
});

/** A text attribute of a node or mark. */
export function attr({ attrs }: { readonly attrs: Attrs }, name: string): string {
  const value: unknown = attrs[name];
  return typeof value === 'string' ? value : '';
}

export function levelOf({ attrs }: Node | Mark): number {
  const value: unknown = attrs['level'];
  return typeof value === 'number' ? value : 2;
}

/** The id of a block, by which it is found in what was read; 0 for a new one. */
export function idOf({ attrs }: Node): number {
  const value: unknown = attrs['id'];
  return typeof value === 'number' ? value : 0;
}

export const elementOf = (open: string): string => /^<([a-zA-Z][^\s/>]*)/.exec(open)?.[1] ?? '';
