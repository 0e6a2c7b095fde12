/*
 * The preview of an email. The app posts the HTML to a frame, because a frame without an address would inherit the
 * console's policy, which allows no inline styles. The answer's own policy makes it an opaque origin without scripts.
 */

/** The largest HTML that is previewed, in bytes. */
export const previewLimit = 2 * 1024 * 1024;

const fieldStart = 'html=';

/**
 * The HTML of a form that was posted as text/plain: one field, `html`, and a line end.
 * @returns undefined if the body has another form
 */
export function previewedHtml(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  return text.startsWith(fieldStart) ? text.slice(fieldStart.length).replace(/\r\n$/, '') : undefined;
}

/** @param remoteImages whether the reader asked to load the images that the email names */
export const previewHeaders = (remoteImages: boolean): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${remoteImages ? ' https: http:' : ''}`,
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
});
