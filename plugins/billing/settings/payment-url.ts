import { textSetting } from '#config/declare.js';

/** Where payments are collected: Stripe, with a key and the address of its API. */
export interface StripeAddress {
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

const key = /^(?:sk|rk)_(test|live)_[A-Za-z0-9]+$/;
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Messages never repeat the invalid value: it contains a secret key. */
const wanted = 'must be stripe:// followed by a Stripe secret key (sk_live_…, sk_test_…, rk_…), or manual';

/**
 * Reads SVC_PAYMENT_URL: `stripe://<key>`, and for tests `stripe://<key>@<host>:<port>`, which speaks HTTP to a
 * loopback address and HTTPS to any other.
 * @returns null for `manual`
 * @throws Error whose message completes “SVC_PAYMENT_URL …”
 */
export function parsePaymentUrl(text: string): StripeAddress | null {
  if (text === 'manual') return null;
  if (!text.startsWith('stripe://') || !URL.canParse(text)) throw new Error(wanted);
  const url = new URL(text);
  const hasHost = url.username !== '';
  const secret = hasHost ? url.username : url.host;
  if (!key.test(secret) || url.password !== '' || !['', '/'].includes(url.pathname) || url.search + url.hash !== '')
    throw new Error(wanted);
  if (!hasHost) return { key: secret, host: 'api.stripe.com', port: 443, protocol: 'https' };
  const protocol = loopback.has(url.hostname) ? 'http' : 'https';
  const port = url.port === '' ? { http: 80, https: 443 }[protocol] : Number(url.port);
  return { key: secret, host: url.hostname, port, protocol };
}

/** Who collects, without the key: `stripe (live) at api.stripe.com`; null for manual. */
function collectorName(text: string): string | null {
  const address = parsePaymentUrl(text);
  if (address === null) return null;
  const [, mode = ''] = key.exec(address.key) ?? [];
  return `stripe (${mode}) at ${address.host}`;
}

export const paymentSettings = {
  paymentUrl: textSetting({
    variable: 'SVC_PAYMENT_URL',
    share: 'deployment',
    identity: (text) => (typeof text === 'string' ? collectorName(text) : null),
    description:
      'Who collects invoices: `stripe://<secret key>`, or `manual` if the operator marks them as paid with `npm run billing`.',
    defaultValue: 'manual',
    read(text) {
      parsePaymentUrl(text);
      return text;
    },
  }),
} as const;
