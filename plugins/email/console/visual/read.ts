import type { Mark, Node, NodeType } from 'prosemirror-model';
import { attributeOf, characterOf, hasAttribute, inlineElements, partsOf, tokensOf, type Token } from './tokens.js';
import { schema } from './schema.js';

/** What a block was made from. */
interface Origin {
  readonly node: Node;
  readonly source: string;
}

export interface Read {
  readonly doc: Node;
  readonly source: string;
  readonly origins: ReadonlyMap<number, Origin>;
}

/** Tokens from one index to another, both included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Deeper ones stay HTML: the time of a comparison grows with the depth. */
const maxDepth = 16;
/** More than these in one mail stay HTML, so that the page stays quick. */
const maxTokens = 20_000;

const marks: Readonly<Record<string, 'link' | 'strong' | 'em' | 'underline' | 'strike' | 'code'>> = {
  a: 'link',
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  code: 'code',
};
const boxes = new Set(['div', 'center', 'section', 'article', 'main', 'header', 'footer']);
const isBlank = (text: string): boolean => /^[ \t\r\n\f]*$/.test(text);

/**
 * Reads the HTML of an email as blocks. HTML that no block can show becomes an `html` block.
 * @param source any text, also broken HTML
 * @returns the document; write.ts makes the same text of it
 */
export function read(source: string): Read {
  const tokens = tokensOf(source);
  const origins = new Map<number, Origin>();
  const { nodes } = schema;

  const at = (index: number): Token =>
    tokens[index] ?? { kind: 'text', name: '', from: 0, to: 0, match: -1, isLoose: false, isInline: true };
  const sourceOf = ({ from, to }: Range): string => source.slice(at(from).from, at(to).to);
  const isBlankText = ({ from, to }: Range): boolean =>
    from === to && at(from).kind === 'text' && isBlank(sourceOf({ from, to }));
  const isPlainComment = ({ from, to }: Range): boolean =>
    from === to &&
    at(from).kind === 'comment' &&
    !at(from).isLoose &&
    !/^<!(?:--)?\[|<!\[/.test(sourceOf({ from, to }));
  const isInline = ({ from, to }: Range): boolean => {
    const { kind, name, isLoose, match, isInline: inside } = at(from);
    if (isLoose) return false;
    if (kind === 'unit') return name === 'raw' || name === 'comment';
    if (kind === 'void') return name === 'br' || name === 'img' || name === 'wbr';
    if (kind === 'liquid') return match < 0 || inside;
    if (kind === 'comment') return isPlainComment({ from, to });
    return kind !== 'open' || (inside && inlineElements.has(name));
  };

  /** The elements, texts and tags directly between two tokens. */
  function itemsIn(from: number, to: number): Range[] {
    const items: Range[] = [];
    for (let index = from; index <= to; index++) {
      const { match } = at(index);
      const end = match > index ? match : index;
      items.push({ from: index, to: end });
      index = end;
    }
    return items;
  }
  const inside = ({ from, to }: Range): Range[] => itemsIn(from + 1, to - 1);
  const significant = (items: readonly Range[]): Range[] => items.filter((item) => !isBlankText(item));

  /** From the first thing that is not well nested to the last, or to the end if that one is never closed. */
  function withoutLoose(items: Range[]): Range[] {
    const first = items.findIndex(({ from }) => at(from).isLoose);
    if (first < 0) return items;
    const last = items.findLastIndex(({ from }) => at(from).isLoose);
    const isOpen = at(items[last]?.from ?? 0).kind === 'open';
    const end = isOpen ? items.length - 1 : last;
    const merged = { from: items[first]?.from ?? 0, to: items[end]?.to ?? 0 };
    return [...items.slice(0, first), merged, ...items.slice(end + 1)];
  }

  function make(type: NodeType, attrs: object, content: readonly Node[], from: number, to: number, lead: string): Node {
    const id = origins.size + 1;
    const node = type.create({ ...attrs, id, lead }, content);
    origins.set(id, { node, source: source.slice(from, to) });
    return node;
  }

  /** Texts, chips and marks. Line breaks of the source are spaces, as browsers show them. */
  function inlineOf(items: readonly Range[]): Node[] {
    const out: Node[] = [];
    let isSpace = true;
    const addText = (text: string, active: readonly Mark[]): void => {
      const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
      const shown = isSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
      if (shown === '') return;
      out.push(schema.text(shown, active));
      isSpace = shown.endsWith(' ');
    };
    const addAtom = (type: NodeType, text: string, active: readonly Mark[]): void => {
      out.push(type.create({ source: text }, null, active));
      isSpace = type === nodes.break;
    };
    const add = (range: Range, active: readonly Mark[]): void => {
      const { kind, name } = at(range.from);
      const text = sourceOf(range);
      if (kind === 'text')
        partsOf(text).forEach((part, index) => {
          const character = index % 2 === 1 ? characterOf(part) : undefined;
          if (index % 2 === 0) addText(part, active);
          else if (character === undefined) addAtom(nodes.raw, part, active);
          else if (character === ' ') addText(' ', active);
          else {
            out.push(schema.text(character, active));
            isSpace = false;
          }
        });
      else if (kind === 'output') addAtom(nodes.chip, text, active);
      else if (name === 'br') addAtom(nodes.break, text, active);
      else if (kind === 'open' && range.to > range.from + 1) {
        const open = source.slice(at(range.from).from, at(range.from).to);
        const mark = schema.marks[marks[name] ?? 'span'].create({ open });
        for (const item of inside(range)) add(item, mark.addToSet(active));
      } else if (kind === 'liquid' && range.to > range.from) {
        addAtom(nodes.raw, source.slice(at(range.from).from, at(range.from).to), active);
        for (const item of inside(range)) add(item, active);
        addAtom(nodes.raw, source.slice(at(range.to).from, at(range.to).to), active);
      } else addAtom(nodes.raw, text, active);
    };
    for (const item of items) add(item, []);
    const last = out.at(-1);
    if (last?.isText && last.text?.endsWith(' ')) {
      const shorter = last.text.slice(0, -1);
      out.splice(-1, 1, ...(shorter === '' ? [] : [schema.text(shorter, last.marks)]));
    }
    return out;
  }

  /** A paragraph that is something else: only a picture, or only a button. */
  function specialOf(items: readonly Range[], from: number, to: number, lead: string): Node | undefined {
    const [only, ...others] = significant(items);
    if (!only || others.length > 0) return undefined;
    const { kind, name } = at(only.from);
    const html = source.slice(from, to);
    const within = kind === 'open' && name === 'a' ? significant(inside(only)) : [];
    const [first] = within;
    const picture =
      name === 'img' ? only : within.length === 1 && first && at(first.from).name === 'img' ? first : undefined;
    if (picture && hasAttribute(html, 'img', 'src')) return make(nodes.picture, { html }, [], from, to, lead);
    const isButton =
      name === 'a' && /(?:^|\s)button(?:\s|$)/.test(attributeOf(sourceOf(only), 'a', 'class')) && within.length > 0;
    if (!isButton || !within.every(({ from: each }) => /^(?:text|output)$/.test(at(each).kind))) return undefined;
    const open = source.slice(from, at(only.from).to);
    const close = source.slice(at(only.to).from, to);
    return make(nodes.button, { open, close }, inlineOf(inside(only)), from, to, lead);
  }

  const emptyParagraph = (): Node => nodes.paragraph.create({ open: '', lead: '' });

  /** The content of a container, which is never empty, and what is behind its last block. */
  function contentOf(from: number, to: number, depth: number): { content: Node[]; tail: string } {
    const { content, tail } = blocksIn(from, to, depth + 1);
    return { content: content.length === 0 ? [emptyParagraph()] : content, tail };
  }

  function listOf(range: Range, depth: number, lead: string): Node | undefined {
    const items = significant(inside(range)).map((item) => {
      if (at(item.from).name !== 'li' || at(item.from).kind !== 'open' || at(item.from).isLoose) return undefined;
      const content: Node[] = [];
      for (const block of blocksIn(item.from + 1, item.to - 1, depth + 1).content) {
        if (block.type !== nodes.paragraph && block.type !== nodes.list) return undefined;
        content.push(block);
      }
      if (content[0]?.type !== nodes.paragraph) content.unshift(emptyParagraph());
      return nodes.item.create({ open: source.slice(at(item.from).from, at(item.from).to) }, content);
    });
    const all = items.flatMap((item) => item ?? []);
    if (all.length === 0 || all.length < items.length) return undefined;
    const { from, to, name } = at(range.from);
    const attrs = { open: source.slice(from, to), ordered: name === 'ol' };
    return make(nodes.list, attrs, all, from, at(range.to).to, lead);
  }

  /** The cells of a table by row; undefined if there is anything else in it. */
  function rowsOf(range: Range): Range[][] | undefined {
    const rows: Range[][] = [];
    for (const item of significant(inside(range))) {
      const { kind, name, isLoose } = at(item.from);
      if (kind !== 'open' || isLoose) return undefined;
      if (name === 'tbody') {
        const within = rowsOf(item);
        if (!within) return undefined;
        rows.push(...within);
      } else if (name === 'tr') {
        const cells = significant(inside(item));
        const areCells = cells.every(
          ({ from }) => /^t[dh]$/.test(at(from).name) && at(from).kind === 'open' && !at(from).isLoose,
        );
        if (!areCells || cells.length === 0) return undefined;
        rows.push(cells);
      } else return undefined;
    }
    return rows.length === 0 ? undefined : rows;
  }

  function tableOf(range: Range, depth: number, lead: string): Node | undefined {
    const rows = rowsOf(range);
    const cells = rows?.flat() ?? [];
    const [first] = cells;
    const last = cells.at(-1);
    if (!rows || !first || !last) return undefined;
    const [from, to] = [at(range.from).from, at(range.to).to];
    if (cells.length === 1) {
      const { content, tail } = contentOf(first.from + 1, first.to - 1, depth);
      const ends = { open: source.slice(from, at(first.from).to), close: source.slice(at(first.to).from, to), tail };
      return make(nodes.box, ends, content, from, to, lead);
    }
    const widths = new Set(rows.map(({ length }) => length));
    const content = cells.map((cell, index) => {
      const { content: blocks, tail } = contentOf(cell.from + 1, cell.to - 1, depth);
      const previous = cells[index - 1];
      const before = previous ? source.slice(at(previous.to).to, at(cell.from).from) : '';
      const open = source.slice(at(cell.from).from, at(cell.from).to);
      const close = source.slice(at(cell.to).from, at(cell.to).to);
      return nodes.cell.create({ before, open, close, tail }, blocks);
    });
    const attrs = {
      open: source.slice(from, at(first.from).from),
      close: source.slice(at(last.to).to, to),
      perRow: widths.size === 1 ? (rows[0]?.length ?? 1) : 1,
    };
    return make(nodes.columns, attrs, content, from, to, lead);
  }

  /** `if` or `for` around blocks. */
  function frameOf(range: Range, depth: number, lead: string): Node | undefined {
    const items = inside(range);
    if (!/^(?:if|unless|for)$/.test(at(range.from).name) || items.some(({ from }) => at(from).isLoose))
      return undefined;
    const heads = [
      range.from,
      ...items
        .map(({ from }) => from)
        .filter((from) => /^(?:else|elsif)$/.test(at(from).name) && at(from).kind === 'liquid'),
    ];
    const branches = heads.map((head, index) => {
      const { content, tail } = contentOf(head + 1, (heads[index + 1] ?? range.to) - 1, depth);
      return nodes.branch.create({ open: source.slice(at(head).from, at(head).to), tail }, content);
    });
    const { from } = at(range.from);
    const close = source.slice(at(range.to).from, at(range.to).to);
    return make(nodes.frame, { close }, branches, from, at(range.to).to, lead);
  }

  function elementBlock(range: Range, depth: number, lead: string): Node | undefined {
    const { name, kind, isInline: hasText, from } = at(range.from);
    const { to } = at(range.to);
    const open = source.slice(from, at(range.from).to);
    const html = source.slice(from, to);
    if (kind === 'liquid') return frameOf(range, depth, lead);
    if (name === 'hr') return make(nodes.divider, { html }, [], from, to, lead);
    if (kind !== 'open') return undefined;
    const items = inside(range);
    const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
    if (level > 0) return hasText ? make(nodes.heading, { open, level }, inlineOf(items), from, to, lead) : undefined;
    if (name === 'div' && /(?:^|\s)space(?:\s|$)/.test(attributeOf(open, 'div', 'class')))
      return make(nodes.space, { html }, [], from, to, lead);
    if (hasText && (name === 'p' || (name === 'div' && significant(items).length > 0)))
      return specialOf(items, from, to, lead) ?? make(nodes.paragraph, { open }, inlineOf(items), from, to, lead);
    if (name === 'ul' || name === 'ol') return listOf(range, depth, lead);
    if (name === 'table') return tableOf(range, depth, lead);
    if (name !== 'blockquote' && !(boxes.has(name) && significant(items).length > 0)) return undefined;
    const { content, tail } = contentOf(range.from + 1, range.to - 1, depth);
    const close = source.slice(at(range.to).from, to);
    return make(name === 'blockquote' ? nodes.quote : nodes.box, { open, close, tail }, content, from, to, lead);
  }

  /** Texts that are in no paragraph. */
  function bareBlock(run: readonly Range[], from: number, to: number, depth: number, lead: string): Node {
    const items = significant(run);
    const [first] = items;
    if (items.length === 1 && first && first.to > first.from && at(first.from).kind === 'liquid') {
      const frame = frameOf(first, depth, lead);
      if (frame) return frame;
    }
    const html = source.slice(from, to);
    if (items.every(({ from: each, to: end }) => /^(?:liquid|unit|comment)$/.test(at(each).kind) && each === end))
      return make(nodes.html, { html }, [], from, to, lead);
    return specialOf(run, from, to, lead) ?? make(nodes.paragraph, { open: '' }, inlineOf(run), from, to, lead);
  }

  /** The blocks between two tokens, and what is behind the last of them. */
  function blocksIn(from: number, to: number, depth: number): { content: Node[]; tail: string } {
    const content: Node[] = [];
    if (to < from) return { content, tail: '' };
    const [start, end] = [at(from).from, at(to).to];
    let done = start;
    const items = depth > maxDepth || tokens.length > maxTokens ? [{ from, to }] : withoutLoose(itemsIn(from, to));
    const leadTo = (next: number): string => source.slice(done, next);
    for (let index = 0; index < items.length; index++) {
      const item = items[index] ?? { from, to };
      if (isBlankText(item) || isPlainComment(item)) continue;
      const isMerged = depth > maxDepth || tokens.length > maxTokens || at(item.from).isLoose;
      if (!isMerged && isInline(item)) {
        let last = index;
        for (let next = index + 1; next < items.length; next++) {
          const other = items[next] ?? item;
          if (!isInline(other)) break;
          if (!isBlankText(other) && !isPlainComment(other)) last = next;
        }
        const run = items.slice(index, last + 1);
        const text = source.slice(at(item.from).from, at(run.at(-1)?.to ?? item.to).to);
        const begins = at(item.from).from + (at(item.from).kind === 'text' ? text.search(/[^ \t\r\n\f]/) : 0);
        const trailing = at(run.at(-1)?.to ?? 0).kind === 'text' ? (/[ \t\r\n\f]*$/.exec(text)?.[0].length ?? 0) : 0;
        const ends = at(item.from).from + text.length - trailing;
        content.push(bareBlock(run, begins, ends, depth, leadTo(begins)));
        done = ends;
        index = last;
        continue;
      }
      const [begins, ends] = [at(item.from).from, at(item.to).to];
      const lead = leadTo(begins);
      const made = isMerged ? undefined : elementBlock(item, depth, lead);
      content.push(made ?? make(nodes.html, { html: sourceOf(item) }, [], begins, ends, lead));
      done = ends;
    }
    return { content, tail: source.slice(done, end) };
  }

  /** A whole page: everything outside its body is kept as it is. */
  const body = tokens.findIndex(
    ({ kind, name, match, isLoose }) => kind === 'open' && name === 'body' && match > 0 && !isLoose,
  );
  const range = body < 0 ? { from: 0, to: tokens.length - 1 } : { from: body + 1, to: at(body).match - 1 };
  const { content, tail } = blocksIn(range.from, range.to, 0);
  const ends = body < 0 ? {} : { open: source.slice(0, at(body).to), close: source.slice(at(at(body).match).from) };
  const isEmpty = content.length === 0;
  const paragraph = nodes.paragraph.create({ lead: body < 0 && isBlank(source) ? '' : null });
  const doc = nodes.doc.create({ ...ends, tail }, isEmpty ? [paragraph] : content);
  return { doc, source, origins };
}
