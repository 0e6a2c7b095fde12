import { createHash } from 'node:crypto';
import type { Catalogue } from '#core/kernel/catalogue.js';
import { policyText, privateHeaders } from '#core/surfaces/pages/page.js';
import { referenceDocument } from './document.js';
import { script } from './script.js';
import { referenceStyles } from './styles.js';

/** The reference as it is served: rendered once, the same bytes for everybody. */
export interface ReferencePage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** A source of the policy that lets one text run and nothing else. */
const source = (text: string): string => `'sha256-${digest(text).toString('base64')}'`;

/**
 * GET /reference. Its script and styles are allowed by their digests, not by a nonce: a nonce is worth something once, and this page is
 * kept, here and in browsers, under its ETag.
 */
export function referencePage(catalogue: Catalogue, baseUrl: string): ReferencePage {
  const styles = referenceStyles();
  const body = Buffer.from(referenceDocument(catalogue, baseUrl, styles, script));
  return {
    body,
    headers: {
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'en',
      // Kept, and asked for again each time: after an upgrade nobody reads yesterday's page.
      'Cache-Control': 'no-cache',
      ETag: `"${digest(body).toString('base64url').slice(0, 22)}"`,
      'Content-Security-Policy': policyText({
        'default-src': "'none'",
        'style-src': source(styles),
        'script-src': source(script),
        'img-src': 'data:',
        'form-action': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      }),
    },
  };
}
