import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { manifest } from './assets.js';

/**
 * Scripts, styles and calls of svc's own origin, and nothing else. Trusted Types leave no way to write HTML into the
 * page (docs/decisions/0101-console-session.md).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * The document that loads the app; the same for every address below /console. Until its script has arrived, it shows
 * the same grey lines as the app does while it starts.
 */
export async function shellPage(): Promise<CachedPage> {
  const { script, style, font } = await manifest();
  const file = (name: string): string => `/console/assets/${name}`;
  const body = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>svc</title>
<link rel="icon" href="data:,">
<link rel="preload" href="${file(font)}" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="/console/catalogue.json" as="fetch" crossorigin>
<link rel="stylesheet" href="${file(style)}">
<script type="module" src="${file(script)}"></script>
</head>
<body>
<div class="plain"><div class="loading" role="status" aria-label="Loading"><span></span><span></span><span></span></div></div>
<noscript>The console needs JavaScript. Everything it does can also be done with the command line, svc.</noscript>
</body>
</html>
`);
  return {
    body,
    headers: {
      ...cacheHeaders(body),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    },
  };
}
