import { Fragment, Slice, type Node } from 'prosemirror-model';
import { read } from './read.js';
import { schema } from './schema.js';
import { tokensOf, withAttribute } from './tokens.js';

/* The blocks that can be inserted, as HTML that the layout styles (plugins/email/layout/styles.ts). */

const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

const columns = (count: number): string => {
  const width = Math.floor(100 / count);
  const cell = (index: number): string =>
    `<td class="svc-column" width="${width}%" valign="top" style="width:${width}%;vertical-align:top;padding:0 ${index === count - 1 ? 0 : 8}px 0 ${index === 0 ? 0 : 8}px"><p></p></td>`;
  return `<table ${table}><tr>\n${Array.from({ length: count }, (_, index) => cell(index)).join('\n')}\n</tr></table>`;
};

const row = (tag: string): string =>
  `<tr>${`<${tag} align="left" style="padding:6px 8px 6px 0;text-align:left;vertical-align:top"><p></p></${tag}>`.repeat(2)}</tr>`;

const space = (pixels: number): string =>
  `<div class="space" style="height:${pixels}px;line-height:${pixels}px;font-size:${pixels}px">&nbsp;</div>`;

export const blocks = [
  { name: 'Text', html: '<p></p>' },
  { name: 'Heading', html: '<h2></h2>' },
  { name: 'Picture', html: '<p><img src="" alt="" style="max-width:100%"></p>' },
  { name: 'Button', html: '<p><a class="button" href=""></a></p>' },
  { name: 'Two columns', html: columns(2) },
  { name: 'Three columns', html: columns(3) },
  { name: 'List', html: '<ul><li></li></ul>' },
  { name: 'Divider', html: '<hr>' },
  { name: 'Space', html: space(24) },
  { name: 'Quote', html: '<blockquote><p></p></blockquote>' },
  {
    name: 'Table',
    html: `<table width="100%" cellpadding="0" cellspacing="0" border="0">\n${row('th')}\n${row('td')}\n</table>`,
  },
  {
    name: 'Social links',
    html: '<p><a href="https://www.instagram.com/">Instagram</a> · <a href="https://www.linkedin.com/">LinkedIn</a> · <a href="https://www.youtube.com/">YouTube</a></p>',
  },
  { name: 'Own HTML', html: '' },
] as const;

export type BlockName = (typeof blocks)[number]['name'];

/** The height of a space. */
export const pixelsOf = (html: string): number => Number(/height:\s*(\d+)px/.exec(html)?.[1] ?? 24);

export const spaceOf = space;

/** The picture of a block with a link around it, or without one. */
export function linked(html: string, href: string): string {
  const tokens = tokensOf(html);
  const link = tokens.find(({ kind, name }) => kind === 'open' && name === 'a');
  if (link && href !== '') return withAttribute(html, 'a', 'href', href);
  const image = tokens.find(({ name }) => name === 'img');
  if (!image) return html;
  const tag = html.slice(image.from, image.to);
  const close = link && tokens[link.match];
  if (link && close) return html.slice(0, link.from) + tag + html.slice(close.to);
  return href === ''
    ? html
    : html.slice(0, image.from) + withAttribute(`<a href="">${tag}</a>`, 'a', 'href', href) + html.slice(image.to);
}

/** Nodes without what they were read from: as something new. */
function anew(node: Node): Node {
  if (node.isText) return node;
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: 0, lead: null } : node.attrs;
  return node.type.create(attrs, node.content.content.map(anew), node.marks);
}

/** HTML as new blocks. */
export const blocksOf = (html: string): Fragment => Fragment.from(read(html).doc.content.content.map(anew));

/** A new block. */
export function newBlock(name: BlockName): Node {
  if (name === 'Own HTML') return schema.nodes.html.create();
  // A button and a link without text are nothing in HTML, so they are made here.
  if (name === 'Button') return schema.nodes.button.create(null, schema.text('Read more'));
  const found = blocks.find((block) => block.name === name);
  return blocksOf(found?.html ?? '<p></p>').firstChild ?? schema.nodes.paragraph.create();
}

/** Blocks for a place in a text: a single paragraph joins the text around it. */
export function sliceOf(content: Fragment): Slice {
  const open = (node: Node | null | undefined): number => (node?.type === schema.nodes.paragraph ? 1 : 0);
  return new Slice(content, open(content.firstChild), open(content.lastChild));
}
