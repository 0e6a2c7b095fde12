import { lift, setBlockType, wrapIn } from 'prosemirror-commands';
import { closeHistory } from 'prosemirror-history';
import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import {
  NodeSelection,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import { newBlock, type BlockName } from './blocks.js';
import { attr, elementOf, schema } from './schema.js';
import { attributeOf, withAttribute } from './tokens.js';

const { nodes, marks } = schema;

/** A block and where it is. */
export interface Place {
  readonly node: Node;
  readonly pos: number;
}

/** The blocks around the selection, the innermost first. Texts of a list belong to the list. */
export function blocksAround({ selection }: EditorState): Place[] {
  const { $from } = selection;
  const places: Place[] = [];
  if (selection instanceof NodeSelection && selection.node.type.isInGroup('block'))
    places.push({ node: selection.node, pos: selection.from });
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    const isBlock = node.type.isInGroup('block') && $from.node(depth - 1).type !== nodes.item;
    if (isBlock || node.type === nodes.branch) places.push({ node, pos: $from.before(depth) });
  }
  return places;
}

/** The block that the selection is in. */
export const currentBlock = (state: EditorState): Place | undefined =>
  blocksAround(state).find(({ node }) => node.type !== nodes.branch);

/** What is before a block in the source; null for a new one. */
const leadOf = (node: Node): string | null => (node.attrs['lead'] === null ? null : attr(node, 'lead'));

const emptyParagraph = (): Node => nodes.paragraph.create();

/** Puts the selection into a block, or on it if there is no text in it. Undo reverts such a change separately. */
function select(tr: Transaction, pos: number): Transaction {
  const node = closeHistory(tr).doc.nodeAt(pos);
  if (!node) return tr;
  const inside = node.isAtom ? null : Selection.findFrom(tr.doc.resolve(pos + 1), 1, true);
  return tr.setSelection(inside ?? NodeSelection.create(tr.doc, pos)).scrollIntoView();
}

/** Moves the block before or after its neighbour. */
export const moveBlock =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const place = currentBlock(state);
    if (!place) return false;
    const $pos = state.doc.resolve(place.pos);
    const index = $pos.index();
    const other = $pos.parent.maybeChild(index + by);
    if (!other) return false;
    if (!dispatch) return true;
    const target = by < 0 ? place.pos - other.nodeSize : place.pos + other.nodeSize;
    // What is between the blocks stays where it is.
    const as = (node: Node, lead: string | null): Node =>
      node.type.create({ ...node.attrs, lead }, node.content, node.marks);
    const pair = [as(other, leadOf(place.node)), as(place.node, leadOf(other))];
    const start = Math.min(place.pos, target);
    const tr = state.tr.replaceWith(
      start,
      start + other.nodeSize + place.node.nodeSize,
      by > 0 ? pair : [pair[1], pair[0]].flatMap((node) => node ?? []),
    );
    const shift = target - place.pos;
    const { selection } = state;
    tr.setSelection(
      selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, selection.from + shift)
        : TextSelection.create(tr.doc, selection.anchor + shift, selection.head + shift),
    );
    dispatch(closeHistory(tr).scrollIntoView());
    return true;
  };

export const duplicateBlock: Command = (state, dispatch) => {
  const place = currentBlock(state);
  if (!place) return false;
  const end = place.pos + place.node.nodeSize;
  const { node } = place;
  const copy = node.type.create({ ...node.attrs, id: 0, lead: null }, node.content);
  dispatch?.(select(state.tr.insert(end, copy), end));
  return true;
};

export const deleteBlock: Command = (state, dispatch) => {
  const place = currentBlock(state);
  if (!place) return false;
  const { pos, node } = place;
  const isOnly = state.doc.resolve(pos).parent.childCount === 1;
  const tr = isOnly
    ? state.tr.replaceWith(pos, pos + node.nodeSize, emptyParagraph())
    : state.tr.delete(pos, pos + node.nodeSize);
  const near = tr.doc.resolve(Math.min(pos, tr.doc.content.size));
  dispatch?.(closeHistory(tr).setSelection(Selection.near(near)).scrollIntoView());
  return true;
};

/** Inserts blocks after the current one, or in place of an empty text. */
export const insertBlocks =
  (content: Fragment): Command =>
  (state, dispatch) => {
    const place = currentBlock(state);
    if (!dispatch) return true;
    const isEmpty = place?.node.type === nodes.paragraph && place.node.childCount === 0;
    const end = place ? place.pos + place.node.nodeSize : state.doc.content.size;
    const at = isEmpty ? place.pos : end;
    dispatch(select(state.tr.replaceWith(at, end, content), at));
    return true;
  };

export const insertBlock = (name: BlockName): Command => insertBlocks(Fragment.from(newBlock(name)));

const isIn = ({ selection: { $from } }: EditorState, type: NodeType): boolean =>
  Array.from({ length: $from.depth }, (_, depth) => $from.node(depth + 1)).some((node) => node.type === type);

/** Makes texts headings, and headings texts. @param level 0 for a text */
export const setLevel =
  (level: number): Command =>
  (state, dispatch) => {
    const { from, to } = state.selection;
    const type = level === 0 ? nodes.paragraph : nodes.heading;
    if (!setBlockType(type)(state) && !isIn(state, type)) return false;
    const attrs = level === 0 ? { open: '<p>' } : { open: `<h${level}>`, level };
    dispatch?.(state.tr.setBlockType(from, to, type, (node) => ({ ...attrs, lead: leadOf(node) })));
    return true;
  };

/** Makes texts a list, or the list texts again. */
export const toggleList =
  (ordered: boolean): Command =>
  (state, dispatch) => {
    if (isIn(state, nodes.list)) return liftListItem(nodes.item)(state, dispatch);
    return wrapInList(nodes.list, { ordered, open: ordered ? '<ol>' : '<ul>' })(state, dispatch);
  };

export const toggleQuote: Command = (state, dispatch) =>
  isIn(state, nodes.quote) ? lift(state, dispatch) : wrapIn(nodes.quote)(state, dispatch);

/** Puts the current block into a frame. @param open the Liquid tag that begins it */
export const wrapInFrame =
  (open: string): Command =>
  (state, dispatch) => {
    const place = currentBlock(state);
    if (!place) return false;
    const { node, pos } = place;
    const branch = nodes.branch.create({ open }, node);
    const close = `{% end${/^\{%-?\s*(\w+)/.exec(open)?.[1] ?? 'if'} %}`;
    const frame = nodes.frame.create({ close, lead: leadOf(node) }, branch);
    dispatch?.(select(state.tr.replaceWith(pos, pos + node.nodeSize, frame), pos));
    return true;
  };

/** Takes the blocks out of the frame around them. @param pos of the branch */
export const unwrapFrame =
  (pos: number): Command =>
  (state, dispatch) => {
    const $pos = state.doc.resolve(pos);
    const frame = $pos.parent;
    if (frame.type !== nodes.frame) return false;
    const content = frame.children.flatMap((branch) => branch.children);
    dispatch?.(select(state.tr.replaceWith($pos.before(), $pos.after(), content), $pos.before()));
    return true;
  };

/** Changes an attribute of a node, and keeps the selection. */
export const setAttr =
  (pos: number, name: string, value: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.setNodeAttribute(pos, name, value));
    return true;
  };

/** The tag of the frame's condition, with the end that belongs to it. @param pos of the branch */
export const setCondition =
  (pos: number, open: string): Command =>
  (state, dispatch) => {
    const $pos = state.doc.resolve(pos);
    const tr = state.tr.setNodeAttribute(pos, 'open', open);
    const tag = /^\{%-?\s*(if|unless|for)\b/.exec(open)?.[1];
    if (tag !== undefined && $pos.index() === 0 && !attr($pos.parent, 'close').includes(`end${tag}`))
      tr.setNodeAttribute($pos.before(), 'close', `{% end${tag} %}`);
    dispatch?.(tr);
    return true;
  };

/** @returns the tag with the alignment; '' begins with a new paragraph */
export function aligned(open: string, align: string): string {
  const tag = open === '' ? '<p>' : open;
  const element = elementOf(tag).toLowerCase();
  const rest = attributeOf(tag, element, 'style')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^text-align\s*:/i.test(part));
  const style = [...rest, ...(align === '' ? [] : [`text-align:${align}`])].join(';');
  return withAttribute(tag, element, 'style', style === '' ? undefined : style);
}

/** The link at the selection, and how far it reaches. */
export function linkAt({ doc, selection }: EditorState): { mark: Mark; from: number; to: number } | undefined {
  const { $from } = selection;
  const { parent } = $from;
  const linkOf = (node: Node | null): Mark | undefined => (node ? marks.link.isInSet(node.marks) : undefined);
  const index = $from.index();
  const isBehind = !linkOf(parent.maybeChild(index)) && $from.textOffset === 0;
  const start = isBehind ? index - 1 : index;
  const mark = parent.inlineContent && start >= 0 ? linkOf(parent.maybeChild(start)) : undefined;
  if (!mark) return undefined;
  let [first, last] = [start, start];
  while (first > 0 && linkOf(parent.child(first - 1))?.eq(mark)) first--;
  while (last + 1 < parent.childCount && linkOf(parent.child(last + 1))?.eq(mark)) last++;
  const begin = $from.start();
  const sizeTo = (count: number): number =>
    parent.children.slice(0, count).reduce((sum, node) => sum + node.nodeSize, 0);
  return doc.content.size > 0 ? { mark, from: begin + sizeTo(first), to: begin + sizeTo(last + 1) } : undefined;
}

/** Sets, changes or removes the link of the selection. @param text for a link where nothing is selected */
export const setLink =
  (href: string, text: string): Command =>
  (state, dispatch) => {
    const found = linkAt(state);
    const { tr } = state;
    const { from, to } = found ?? state.selection;
    tr.removeMark(from, to, marks.link);
    if (href === '') {
      dispatch?.(tr);
      return true;
    }
    const open = withAttribute(found ? attr(found.mark, 'open') : '<a href="">', 'a', 'href', href);
    const mark = marks.link.create({ open });
    if (from === to) tr.insert(from, schema.text(text === '' ? href : text, [mark]));
    else tr.addMark(from, to, mark);
    dispatch?.(tr.scrollIntoView());
    return true;
  };

export const insertChip =
  (source: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.chip.create({ source }), true).scrollIntoView());
    return true;
  };
