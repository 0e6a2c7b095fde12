import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** Below this, the overhead of headers and network packets exceeds the savings of compression. */
const smallest = 2_048;

const textTypes = /^(?:text\/|application\/(?:json|javascript|xml)\b|[^;]+\+(?:json|xml)\b)/i;

/**
 * In order of preference. Quality 5 makes a text of half a megabyte a fifteenth of its size in 30 ms, on another
 * thread; quality 11 would save a tenth more, in two seconds (measured).
 */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const compress = (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'gzip'
    ? gzipped(bytes)
    : brotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });

/**
 * Compressed forms of bodies that are answered again and again, such as /docs; they are freed together with the
 * body.
 */
const known = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>();

function compressed(body: string | Buffer, coding: Coding): Promise<Buffer> {
  if (typeof body === 'string') return compress(Buffer.from(body), coding);
  const forms = known.get(body) ?? new Map<Coding, Promise<Buffer>>();
  known.set(body, forms);
  const form = forms.get(coding) ?? compress(body, coding);
  forms.set(coding, form);
  return form;
}

/**
 * Compresses the answer if it is a text of 2 KiB or more and the client accepts br or gzip (RFC 9110 §12.5.3). Its
 * entity tag becomes weak, because the bytes differ from those of the uncompressed answer (RFC 9110 §8.8.3).
 */
export async function compressAnswer(context: Context): Promise<void> {
  const body: unknown = context.body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  if (Buffer.byteLength(body) < smallest || !textTypes.test(context.response.get('Content-Type'))) return;
  if (context.res.hasHeader('Content-Encoding')) return;
  context.vary('Accept-Encoding');
  const coding = codings.find((each) => context.acceptsEncodings(each) === each);
  if (!coding) return;
  context.body = await compressed(body, coding);
  context.set('Content-Encoding', coding);
  if (!context.res.hasHeader('ETag')) return;
  const tag = context.response.get('ETag');
  context.set('ETag', tag.startsWith('W/') ? tag : `W/${tag}`);
}
