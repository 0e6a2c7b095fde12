import { createHash } from 'node:crypto';
import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { policyText, privateHeaders } from '../pages/page.js';
import { referenceDocument } from './document.js';
import { script } from './script.js';
import { referenceStyles } from './styles.js';

/** A policy source that allows exactly one script or stylesheet. */
const source = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * GET /reference and its pages. Script and styles are allowed by their digests: a nonce must not be used twice, and
 * these pages are cached.
 * @param path one of referencePaths()
 */
export function referencePage(catalogue: Catalogue, baseUrl: string, path: string): CachedPage {
  const styles = referenceStyles();
  const body = Buffer.from(referenceDocument(catalogue, { baseUrl, path, styles, script }));
  return {
    body,
    headers: {
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'en',
      ...cacheHeaders(body),
      'Content-Security-Policy': policyText({
        'default-src': "'none'",
        'style-src': source(styles),
        'script-src': source(script),
        'img-src': 'data:',
        // The search reads the other pages.
        'connect-src': "'self'",
        'form-action': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      }),
    },
  };
}
