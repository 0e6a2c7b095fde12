import type { Node } from 'prosemirror-model';
import type { NodeView, NodeViewConstructor } from 'prosemirror-view';
import { pixelsOf } from './blocks.js';
import { attr } from './schema.js';
import { attributeOf } from './tokens.js';
import { chipWords, frameWords, rawWords } from './words.js';

/* How blocks look that are more than texts. Texts of templates are set as text, never as HTML. */

function element(name: string, kind: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = kind;
  if (text !== '') made.textContent = text;
  return made;
}

/** A node without editable content, drawn again when it changes. */
const drawn =
  (name: string, kind: string, draw: (node: Node, dom: HTMLElement) => void): NodeViewConstructor =>
  (node) => {
    const dom = element(name, kind);
    draw(node, dom);
    const { type } = node;
    return {
      dom,
      update(next) {
        if (next.type !== type) return false;
        dom.replaceChildren();
        draw(next, dom);
        return true;
      },
      ignoreMutation: () => true,
    };
  };

/** Blocks below a line that says what they are. */
const headed =
  (kind: string, head: (node: Node) => string): NodeViewConstructor =>
  (node): NodeView => {
    const dom = element('div', kind);
    const label = element('span', 'v-head');
    const contentDOM = element('div', 'v-content');
    label.contentEditable = 'false';
    label.textContent = head(node);
    dom.append(label, contentDOM);
    const { type } = node;
    return {
      dom,
      contentDOM,
      update(next) {
        if (next.type !== type) return false;
        label.textContent = head(next);
        return true;
      },
      ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
    };
  };

/** An address of this server, which the policy of the page lets load; undefined for others. */
function ownAddress(address: string): string | undefined {
  if (!URL.canParse(address) || address.includes('{')) return undefined;
  const url = new URL(address);
  return url.origin === location.origin ? url.href : undefined;
}

function drawPicture(node: Node, dom: HTMLElement): void {
  const html = attr(node, 'html');
  const address = attributeOf(html, 'img', 'src');
  const description = attributeOf(html, 'img', 'alt');
  const own = ownAddress(address);
  if (own !== undefined) {
    const image = document.createElement('img');
    image.src = own;
    image.alt = description;
    dom.append(image);
    return;
  }
  const about = address === '' ? 'Picture without an address' : `Picture: ${address}`;
  dom.append(element('span', 'v-name', about), element('span', 'v-detail', description));
}

export const nodeViews: Readonly<Record<string, NodeViewConstructor>> = {
  chip: drawn('span', 'v-chip', (node, dom) => {
    dom.textContent = chipWords(attr(node, 'source'));
  }),
  raw: drawn('span', 'v-raw', (node, dom) => {
    dom.textContent = rawWords(attr(node, 'source'));
  }),
  picture: drawn('div', 'v-picture', drawPicture),
  space: drawn('div', 'v-space', (node, dom) => {
    const pixels = pixelsOf(attr(node, 'html'));
    dom.style.height = `${pixels}px`;
    dom.textContent = `Space of ${pixels} pixels`;
  }),
  html: drawn('div', 'v-html', (node, dom) => {
    const html = attr(node, 'html');
    const shown = html.length > 400 ? `${html.slice(0, 400)}…` : html;
    dom.append(element('span', 'v-head', 'Own HTML'), element('code', 'v-detail', shown === '' ? 'Empty' : shown));
  }),
  branch: headed('v-branch', (node) => frameWords(attr(node, 'open'))),
  columns: (node) => {
    const dom = element('div', 'v-columns');
    const set = ({ attrs: { perRow } }: Node): void =>
      dom.style.setProperty('--columns', String(typeof perRow === 'number' ? perRow : 1));
    set(node);
    return {
      dom,
      contentDOM: dom,
      update(next) {
        if (next.type !== node.type) return false;
        set(next);
        return true;
      },
      ignoreMutation: (mutation) => mutation.type === 'attributes' && mutation.target === dom,
    };
  },
};
