import { randomToken } from '#core/runtime/secrets/digest.js';

/**
 * A new key's plaintext, in the specification's forms: `svc_live_` and 43 more characters, or `svc_live_pk` and 40 more. A secret
 * key whose random part begins like a publishable one's is drawn again.
 */
export function newKeyText(kind: 'secret' | 'publishable', environmentKind: 'live' | 'test'): string {
  if (kind === 'publishable') return `svc_${environmentKind}_pk${randomToken(40)}`;
  for (;;) {
    const random = randomToken(43);
    if (!random.startsWith('pk')) return `svc_${environmentKind}_${random}`;
  }
}

/** What of a key may be shown later: its form and the first four characters of the rest. */
export const prefixOf = (plaintext: string): string => /^svc_(live|test)_(pk)?.{4}/.exec(plaintext)?.[0] ?? '';
