import { isAscii, isUtf8 } from 'node:buffer';
import { decodeText } from './charset.js';
import { base64Content, decodeTransfer } from './transfer.js';

/*
 * Received mail is rewritten before it is parsed, so that the parser finds all of its content: parts whose boundary is
 * missing or wrong, texts in charsets that the parser does not know, encodings that it does not decode. Signatures are
 * checked on the unchanged raw message.
 */

/** Deeper or further parts are left unchanged: the work grows with both. */
const [mostDepth, mostParts] = [10, 1_000];
/** How much of a body is searched for a boundary that no header names. */
const mostSearched = 64 * 1024;

/**
 * The information that a part gives about itself, by the Content-ID that it gets: the parser passes on nothing else
 * that identifies the part.
 */
export interface PartFacts {
  /** As it was written, without angle brackets; null if there is none. */
  readonly contentId: string | null;
  /** Its absolute address (RFC 2557 §5); null if there is none. */
  readonly location: string | null;
  /** With its parameters. */
  readonly contentType: string;
  /** The base of relative addresses in it. */
  readonly base: string;
}

interface Repairing {
  parts: number;
  readonly facts: PartFacts[];
}

/** The location of parts without an address (RFC 2557 §5). */
const noBase = 'thismessage:/';

interface Part {
  /** Unfolded, by line. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** The headers of a part that are rewritten. */
export const rewrittenHeaders: readonly string[] = ['content-type', 'content-transfer-encoding', 'content-id'];

/**
 * @returns the message with its texts in UTF-8 and its parts behind valid boundaries, the headers of the message itself
 * that were rewritten for that, as they arrived, and the information that its parts give about themselves: see
 * `factsOf`
 */
export function repaired(raw: Uint8Array): {
  message: Buffer;
  arrived: { key: string; value: string }[];
  facts: readonly PartFacts[];
} {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { headers } = partOf(bytes);
  const repairing: Repairing = { parts: mostParts, facts: [] };
  return {
    message: repairPart(bytes, 0, repairing, { usualType: 'text/plain', base: noBase }),
    facts: repairing.facts,
    arrived: rewrittenHeaders.flatMap((key) => {
      const value = valueOf(headers, key);
      return value === undefined ? [] : [{ key, value }];
    }),
  };
}

/** The facts about a part by its Content-ID; undefined for a part that was left unchanged. */
export const factsOf = (facts: readonly PartFacts[], contentId: string | undefined): PartFacts | undefined =>
  facts[Number(/^<part-(\d+)@repaired>$/.exec(contentId ?? '')?.[1] ?? NaN)];

function repairPart(
  bytes: Buffer,
  depth: number,
  repairing: Repairing,
  { usualType, base }: { usualType: string; base: string },
): Buffer {
  if (depth > mostDepth || (repairing.parts -= 1) < 0) return bytes;
  const part = partOf(bytes);
  const { body } = part;
  const location = absolute(locationOf(part.headers), base);
  const ownBase = location ?? base;
  const headers = named(part.headers, { usualType, location, base: ownBase }, repairing);
  const type = valueOf(headers, 'content-type') ?? usualType;
  const [name = ''] = type.toLowerCase().split(/[\s;]/, 1);
  if (!name.startsWith('multipart/')) return repairLeaf({ headers, body }, name, type);
  const boundary = boundaryOf(body, parameterOf(type, 'boundary'));
  // RFC 2049 §2: content that cannot be split is shown unchanged.
  if (boundary === null)
    return repairLeaf({ headers: changed(headers, { 'Content-Type': 'text/plain' }), body }, 'text/plain', '');
  const others = withoutEnd(type.replaceAll(/;\s*boundary\*?\s*=\s*(?:"[^"]*"|[^;]*)/gi, ''));
  const childType = name === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  return Buffer.concat([
    headerBytes(changed(headers, { 'Content-Type': `${others}; boundary="${boundary}"` })),
    ...splitAt(body, boundary).map((piece, index, pieces) =>
      // The preamble, the boundary lines, and what follows the closing one.
      index % 2 === 1 || index === 0 || pieces[index - 1]?.includes(`--${boundary}--`) === true
        ? piece
        : repairPart(piece, depth + 1, repairing, { usualType: childType, base: ownBase }),
    ),
  ]);
}

/** A field without the semicolons and spaces at its end. An expression would take time that grows with their square. */
function withoutEnd(field: string): string {
  let end = field.length;
  while (end > 0 && /[;\s]/.test(field.charAt(end - 1))) end -= 1;
  return field.slice(0, end);
}

/** The headers with a Content-ID that leads to their information. */
function named(
  headers: readonly string[],
  { usualType, location, base }: { usualType: string; location: string | null; base: string },
  { facts }: Repairing,
): string[] {
  const contentId = bareContentId(valueOf(headers, 'content-id') ?? '');
  const contentType = valueOf(headers, 'content-type') ?? usualType;
  facts.push({ contentId: contentId === '' ? null : contentId, location, contentType, base });
  return changed(headers, { 'Content-ID': `<part-${facts.length - 1}@repaired>` });
}

/** Content-Location, without the white space of its folds (RFC 2557 §4.4.1). */
const locationOf = (headers: readonly string[]): string | undefined =>
  headers
    .find((each) => /^content-location\s*:/i.test(each))
    ?.replace(/^[^:]*:/, '')
    .replaceAll(/\r\n\s*/g, '')
    .trim();

/** @returns null for text that is not an address */
export function absolute(address: string | undefined, base: string): string | null {
  return address !== undefined && address !== '' && URL.canParse(address, base) ? new URL(address, base).href : null;
}

/** A Content-ID without its angle brackets and the spaces around it. */
export function bareContentId(written: string): string {
  const text = written.trim();
  return text.slice(text.startsWith('<') ? 1 : 0, text.endsWith('>') ? -1 : undefined).trim();
}

/**
 * Headers and body. A boundary line may follow the headers without an empty line; a parameter may be on a line that is
 * not indented.
 */
function partOf(bytes: Buffer): Part {
  const headers: string[][] = [];
  let hasBoundary = false;
  let isOpen = false;
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const line = headerText(bytes.subarray(start, end)).replace(/\r$/, '');
    if (line.startsWith('--') && hasBoundary) break;
    start = end + 1;
    if (line === '') break;
    const last = headers.at(-1);
    const isContinued = /^[ \t]/.test(line) || (isOpen && /^[\w*-]+\s*=/.test(line));
    if (last && isContinued) last.push(line.trimStart());
    else headers.push([line]);
    hasBoundary ||= /boundary/i.test(line);
    isOpen = line.trimEnd().endsWith(';');
  }
  return {
    headers: headers.map((lines) => lines.join('\r\n ')),
    body: bytes.subarray(Math.min(start, bytes.length)),
  };
}

const headerText = (line: Buffer): string => (isAscii(line) ? line.toString('latin1') : decodeText(line, 'utf-8'));

/** A header's value, unfolded; undefined if there is none. */
function valueOf(headers: readonly string[], name: string): string | undefined {
  const line = headers.find((each) => each.slice(0, each.indexOf(':')).trim().toLowerCase() === name);
  return line
    ?.slice(line.indexOf(':') + 1)
    .replaceAll(/\r\n\s*/g, ' ')
    .trim();
}

function parameterOf(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(value);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}

function changed(headers: readonly string[], values: Readonly<Record<string, string>>): string[] {
  const names = new Set(Object.keys(values).map((name) => name.toLowerCase()));
  const kept = headers.filter((each) => !names.has(each.slice(0, each.indexOf(':')).trim().toLowerCase()));
  return [...kept, ...Object.entries(values).map(([name, value]) => `${name}: ${value}`)];
}

const headerBytes = (headers: readonly string[]): Buffer =>
  Buffer.from(`${headers.map((each) => inUtf8(each)).join('\r\n')}\r\n\r\n`);

/** The boundary that the header names, if it occurs; else the first line that looks like one; null if there is none. */
function boundaryOf(body: Buffer, named: string | undefined): string | null {
  if (named !== undefined && named !== '' && splitAt(body, named).length > 1) return named;
  const text = body.toString('latin1', 0, mostSearched);
  return /^--([^\s"][^\r\n"]{0,199}?)[ \t]*\r?\n(?:[\w-]{1,80}:|\r?\n)/m.exec(text)?.[1] ?? null;
}

/** The preamble, and then alternately a boundary line and the content after it. */
function splitAt(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== 10) continue;
    const found = body.indexOf(10, at);
    const end = found < 0 ? body.length : found + 1;
    const rest = body.toString('latin1', at + delimiter.length, Math.min(end, at + delimiter.length + 200));
    if (!/^(?:--)?\s*$/.test(rest)) continue;
    pieces.push(body.subarray(from, at), body.subarray(at, end));
    from = end;
    // The rest is left unchanged.
    if (rest.startsWith('--') || pieces.length > 2 * mostParts) break;
  }
  return [...pieces, body.subarray(from)];
}

function repairLeaf({ headers, body }: Part, name: string, type: string): Buffer {
  const encoding = (valueOf(headers, 'content-transfer-encoding') ?? '').toLowerCase();
  const isAttached = /^attachment\b/i.test(valueOf(headers, 'content-disposition') ?? '');
  const isText = name === 'text/calendar' || (/^text\/(?:plain|html)$/.test(name) && !isAttached);
  if (isText) {
    if (isReadable(body, encoding, parameterOf(type, 'charset'))) return Buffer.concat([headerBytes(headers), body]);
    const bytes = decodeTransfer(body, encoding);
    const text = decodeText(bytes, parameterOf(type, 'charset'), name === 'text/html');
    const others = withoutEnd((type || name).replaceAll(/;\s*charset\*?\s*=\s*(?:"[^"]*"|[^;]*)/gi, ''));
    return withContent(
      changed(headers, { 'Content-Type': `${others}; charset=utf-8` }),
      Buffer.from(text.replaceAll('\r\n', '\n')),
    );
  }
  if (/^(?:x-)?uu/.test(encoding)) return withContent(headers, decodeTransfer(body, encoding));
  const content = encoding === 'base64' ? base64Content(body) : body;
  return Buffer.concat([headerBytes(headers), content, ...(content === body ? [] : [Buffer.from('\r\n')])]);
}

/** Whether the parser reads a text unchanged: most mail, and long hostile text. */
const isReadable = (body: Buffer, encoding: string, charset = 'utf-8'): boolean =>
  /^(?:|7bit|8bit|binary)$/.test(encoding) &&
  ((isAscii(body) && !body.includes(0x1b) && /^"?(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)"?$/i.test(charset)) ||
    (/^utf-8$/i.test(charset) && isUtf8(body) && !body.includes(0x1b)));

/** As base64: a decoded text may have lines that look like a boundary. */
const withContent = (headers: readonly string[], content: Buffer): Buffer =>
  Buffer.concat([
    headerBytes(changed(headers, { 'Content-Transfer-Encoding': 'base64' })),
    Buffer.from(`${content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n`),
  ]);

const encodedWord = /=\?([^?\s*]{1,60})(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;
const encodedRun = /=\?[^?\s]{1,80}\?[bq]\?[^?]*\?=(?:\s+=\?[^?\s]{1,80}\?[bq]\?[^?]*\?=)*/gi;

/** A header with its encoded words (RFC 2047) in UTF-8. A character may begin in one word and end in the next. */
const inUtf8 = (header: string): string =>
  header.replaceAll(encodedRun, (run) => {
    const words: { label: string; bytes: Buffer }[] = [];
    for (const [, label = '', encoding = '', text = ''] of run.matchAll(encodedWord)) {
      const bytes =
        encoding.toLowerCase() === 'b'
          ? Buffer.from(text, 'base64')
          : decodeTransfer(Buffer.from(text.replaceAll('_', '=20')), 'quoted-printable');
      const last = words.at(-1);
      if (last?.label === label) last.bytes = Buffer.concat([last.bytes, bytes]);
      else words.push({ label, bytes });
    }
    return words
      .map(({ label, bytes }) => `=?utf-8?B?${Buffer.from(decodeText(bytes, label)).toString('base64')}?=`)
      .join(' ');
  });
