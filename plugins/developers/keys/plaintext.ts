import { randomToken } from '#core/runtime/secrets/digest.js';

/**
 * A new key (docs/interface.md, Access): `svc_live_` and 43 characters, or `svc_live_pk` and 40 characters. A secret
 * key whose random part starts with `pk` is drawn again, so that its form never reads as a publishable key.
 */
export function newPlaintext(kind: 'secret' | 'publishable', environmentKind: 'live' | 'test'): string {
  if (kind === 'publishable') return `svc_${environmentKind}_pk${randomToken(40)}`;
  for (;;) {
    const random = randomToken(43);
    if (!random.startsWith('pk')) return `svc_${environmentKind}_${random}`;
  }
}

/** The part of a key that may be shown later: its form and the first four random characters. */
export const prefixOf = (plaintext: string): string => /^svc_(live|test)_(pk)?.{4}/.exec(plaintext)?.[0] ?? '';
