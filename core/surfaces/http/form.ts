import type { Context } from 'koa';
import { refusalOf } from '#core/kernel/errors/common.js';

/*
 * Parses submitted forms. Node's own parser refuses multipart boundaries under 27 characters, which mail programs send.
 * Pages accept no files.
 */

/** The fields of a urlencoded or multipart form; none for another multipart body. */
export function formFields(body: Buffer, contentType: string | undefined): URLSearchParams {
  const type = contentType ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) return new URLSearchParams(body.toString('utf8'));
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? new URLSearchParams() : multipartFields(body, boundary);
}

/** The text fields of multipart/form-data (RFC 7578, delimiters by RFC 2046 §5.1.1), without files. */
function multipartFields(body: Buffer, boundary: string): URLSearchParams {
  const fields = new URLSearchParams();
  // latin1 has one character per byte, so splitting cannot break a character. The first delimiter may lack its line
  // break.
  const [, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  for (const part of parts) {
    if (part.startsWith('--')) break;
    const headEnd = part.indexOf('\r\n\r\n');
    const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(
      part.slice(0, Math.max(0, headEnd)),
    )?.[1];
    const name = /;\s*name\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition ?? '');
    if (!name || /;\s*filename\*?\s*=/i.test(disposition ?? '')) continue;
    fields.append(utf8(name[1] ?? name[2] ?? ''), utf8(part.slice(headEnd + 4)));
  }
  return fields;
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/**
 * Refuses a form that another site made the browser post (CSRF). Browsers send Sec-Fetch-Site to https and loopback
 * addresses, and Origin in the other cases; a client that sends neither is not a browser and has nobody's cookies.
 * @throws forbidden
 */
export function requireOwnForm(context: Context, baseUrl: string): void {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  const isOwn =
    site === ''
      ? origin === '' || origin === new URL(baseUrl).origin || hostOf(origin) === context.host
      : site === 'same-origin' || site === 'none';
  if (!isOwn)
    throw refusalOf.forbidden({
      problem: 'the form was sent from another site',
      nextStep: 'Open this page itself, and send its form from there.',
    });
}

/**
 * Whether a form was certainly sent from one of svc's own pages: the browser says so. Clients that send neither
 * Sec-Fetch-Site nor Origin could have taken the form from anywhere. The page needs a Referrer-Policy other than
 * no-referrer, under which browsers without Sec-Fetch-Site send `Origin: null`.
 */
export function isFromOwnPage(context: Context, baseUrl: string): boolean {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  return site === '' ? origin === new URL(baseUrl).origin || hostOf(origin) === context.host : site === 'same-origin';
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
