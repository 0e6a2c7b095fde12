import type { Fragment, Mark, Node } from 'prosemirror-model';
import { attr, elementOf, idOf, schema } from './schema.js';
import { encoded } from './tokens.js';
import type { Read } from './read.js';

const { nodes } = schema;

const closing = (open: string): string => (open === '' ? '' : `</${elementOf(open)}>`);

/** Texts with their marks as HTML. */
export function inlineHtml(content: Fragment): string {
  let active: readonly Mark[] = [];
  let html = '';
  const change = (wanted: readonly Mark[]): void => {
    const differing = active.findIndex((mark, index) => !wanted[index]?.eq(mark));
    const shared = differing < 0 ? active.length : differing;
    for (const mark of active.slice(shared).reverse()) html += closing(attr(mark, 'open'));
    for (const mark of wanted.slice(shared)) html += attr(mark, 'open');
    active = wanted;
  };
  content.forEach((node) => {
    change(node.marks);
    html += node.isText ? encoded(node.text ?? '') : attr(node, 'source');
  });
  change([]);
  return html;
}

/** Whether a block is as it was read, wherever it is now. */
const isSame = (was: Node, now: Node): boolean =>
  was === now ||
  (was.type === now.type &&
    Object.entries(was.attrs).every(([name, value]) => name === 'lead' || value === now.attrs[name]) &&
    was.content.eq(now.content));

/**
 * Writes a document as HTML. A block that is as it was read is written as its source, byte by byte; only others are
 * written anew.
 * @param from what was read, if the document began from it
 */
export function write(doc: Node, from: Pick<Read, 'doc' | 'source' | 'origins'>): string {
  if (doc.eq(from.doc)) return from.source;

  const blocks = (parent: Node): string => {
    let html = '';
    let isAfterBare = false;
    parent.forEach((node, _, index) => {
      const own = node.attrs['lead'] === null ? undefined : attr(node, 'lead');
      html += own ?? (index === 0 ? '' : '\n');
      // Without a paragraph, two texts would run into one.
      const isBare = node.type === nodes.paragraph && attr(node, 'open') === '';
      html += isBare && isAfterBare ? anew(node, '<p>') : blockHtml(node);
      isAfterBare = isBare && node.childCount > 0;
    });
    return html;
  };
  const blockHtml = (node: Node): string => {
    const origin = from.origins.get(idOf(node));
    return origin && isSame(origin.node, node) ? origin.source : anew(node, attr(node, 'open'));
  };
  const items = (list: Node): string => {
    let html = attr(list, 'open');
    list.forEach((item) => {
      html += `\n${attr(item, 'open')}`;
      item.forEach((node, _, index) => {
        const isText = node.type === nodes.paragraph && attr(node, 'open') === '';
        if (index > 0) html += '\n';
        html += isText && index > 0 ? anew(node, '<p>') : blockHtml(node);
      });
      html += closing(attr(item, 'open'));
    });
    return `${html}\n${closing(attr(list, 'open'))}`;
  };
  const anew = (node: Node, open: string): string => {
    const { type } = node;
    if (type === nodes.paragraph || type === nodes.heading) return open + inlineHtml(node.content) + closing(open);
    if (type === nodes.button) return open + inlineHtml(node.content) + attr(node, 'close');
    if (type === nodes.list) return items(node);
    let html = open;
    if (type === nodes.columns)
      node.forEach((cell) => {
        html += attr(cell, 'before') + attr(cell, 'open') + blocks(cell) + attr(cell, 'tail') + attr(cell, 'close');
      });
    else if (type === nodes.frame)
      node.forEach((branch) => {
        html += attr(branch, 'open') + blocks(branch) + attr(branch, 'tail');
      });
    else if (node.isAtom) return attr(node, 'html');
    else html += blocks(node);
    return html + attr(node, 'tail') + attr(node, 'close');
  };

  const [only] = doc.children;
  const isEmpty = doc.childCount === 1 && only?.type === nodes.paragraph && only.childCount === 0;
  const origin = isEmpty ? from.origins.get(idOf(only)) : undefined;
  const isKept = origin !== undefined && only !== undefined && isSame(origin.node, only);
  const content = isEmpty && !isKept ? '' : blocks(doc);
  return attr(doc, 'open') + content + attr(doc, 'tail') + attr(doc, 'close');
}

/** Blocks as HTML. */
export const htmlOf = (content: Fragment): string =>
  write(nodes.doc.create(null, content), { doc: nodes.doc.create(), source: '', origins: new Map() });
