import { cacheHeaders, type CachedPage } from '../cached-page.js';

/*
 * The frame of an email's preview: an empty document, which the app fills. It has an address because a frame without
 * one would inherit the console's policy, which allows no inline styles, and emails have little else. Its own policy
 * allows no scripts, so what the app writes into it cannot run.
 */
const body = Buffer.from('<!doctype html><html lang="en"><head><title>Email</title></head><body></body></html>\n');

/** @param remoteImages whether the reader asked to load the images that the email names */
export const previewPage = (remoteImages: boolean, baseUrl: string): CachedPage => ({
  body,
  headers: {
    ...cacheHeaders(body),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      // The pictures that svc stores itself tell nobody that they were loaded.
      `img-src data: ${baseUrl}/email/images/${remoteImages ? ' https: http:' : ''}`,
      'font-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  },
});
