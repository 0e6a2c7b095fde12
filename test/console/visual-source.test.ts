import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { Transform } from 'prosemirror-transform';
import { read } from '#plugins/email/console/visual/read.js';
import { write } from '#plugins/email/console/visual/write.js';
import { letters } from './letters.js';

/** Writes every block by itself, in place of the source as a whole. */
const writtenByBlocks = (html: string): string => {
  const from = read(html);
  return write(from.doc, { ...from, doc: from.doc.type.create({ tail: '-' }, from.doc.content) });
};

interface TextPlace {
  readonly at: number;
  /** The source of the block that is written anew after an edit here: a list is one block. */
  readonly source: string;
}

/** The texts that can be typed into. */
const textsOf = (html: string): TextPlace[] => {
  const from = read(html);
  const texts: TextPlace[] = [];
  from.doc.descendants((node, at) => {
    if (!node.inlineContent) return true;
    const inside = from.doc.resolve(at + 1);
    const above = Array.from({ length: inside.depth }, (_, depth) => inside.node(depth + 1));
    const block = above.find(({ type }) => type.name === 'list') ?? node;
    texts.push({ at: at + 1, source: from.origins.get(Number(block.attrs['id']))?.source ?? '' });
    return true;
  });
  return texts;
};

const typed = (html: string, at: number, text: string): string => {
  const from = read(html);
  return write(new Transform(from.doc).insert(at, from.doc.type.schema.text(text)).doc, from);
};

const pieces = fc.constantFrom(
  ...'<p>|</p>|<div>|</div>|<b>|</b>|<a href="x>y">|</a>|<ul>|<li>|</li>|</ul>|<table>|<tr>|<td>|</td>|</tr>|</table>|<h1>|</h1>|<br>|<hr/>|<img src=a>|<!-- c -->|<!--|-->|<!--[if mso]>|<![endif]-->|{{ a }}|{{ "}" |{{|}}|{% if a %}|{% else %}|{% endif %}|{% for a in b %}|{% endfor %}|{% raw %}|{% endraw %}|{% comment %}|{%|%}|<style>|</style>|<p class="{% if a %}x{% endif %}">|<td {% if a %}>|<|>|&amp;|&nope;|&#0;|&|"|\'|\n  |text|é|<body>|</body>|<html>|<blockquote>|</blockquote>|<P>|</P >|<o:p/>|<span|</'.split(
    '|',
  ),
);
const hostile = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

describe('The visual editor’s HTML', () => {
  it('is the same byte for byte if nothing was edited, in whole and block by block', () => {
    for (const html of Object.values(letters)) {
      const from = read(html);
      expect(write(from.doc, from)).to.equal(html);
      expect(writtenByBlocks(html)).to.equal(html);
    }
  });

  it('is the same for any HTML and Liquid, also broken', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'grapheme' })), (html) => {
        read(html).doc.check();
        return writtenByBlocks(html) === html;
      }),
      { numRuns: 3_000 },
    );
  });

  it('changes only the block that was edited', () => {
    for (const html of Object.values(letters))
      for (const { at, source } of textsOf(html)) {
        const changed = typed(html, at, 'Added ');
        let start = 0;
        while (html[start] === changed[start] && start < html.length) start++;
        let end = 0;
        while (html.at(-1 - end) === changed.at(-1 - end) && end < html.length - start) end++;
        expect(changed).to.contain('Added ');
        expect(source).to.contain(html.slice(start, html.length - end));
      }
  });

  it('keeps what it means after an edit: read again, it is the same document', () => {
    const shape = (html: string): string => read(html).doc.toString();
    fc.assert(
      fc.property(
        fc.oneof(hostile, fc.constantFrom(...Object.values(letters))),
        fc.nat(),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
        (html, which, text) => {
          const texts = textsOf(html);
          const place = texts[which % Math.max(1, texts.length)];
          if (!place) return;
          const once = typed(html, place.at, `${text.trim()}.`);
          expect(write(read(once).doc, read(once))).to.equal(once);
          expect(shape(writtenByBlocks(once))).to.equal(shape(once));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is loaded as one file of at most 110 KiB, gzipped', async () => {
    const folder = new URL('../../dist/console/', import.meta.url);
    const [file, ...others] = (await readdir(folder)).filter((name) => /^visual-editor-.*\.js$/.test(name));
    expect(others).to.deep.equal([]);
    const bytes = gzipSync(await readFile(new URL(file ?? '', folder))).byteLength;
    expect(bytes).to.be.greaterThan(50 * 1024);
    expect(bytes).to.be.at.most(110 * 1024);
  });
});
