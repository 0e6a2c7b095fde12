import { createHash } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * The source of plugins/auth/passwords/common.gen.ts: the common passwords of @zxcvbn-ts/language-common, as
 * the first five bytes of each one's SHA-1, sorted. Passwords shorter than eight characters are left out: no
 * environment accepts them (password.minLength).
 */
export function commonPasswordsSource(): string {
  const words = dictionary['passwords-common'].filter((word) => word.length >= 8);
  const digests = words.map((word) => createHash('sha1').update(word.toLowerCase()).digest().subarray(0, 5));
  digests.sort((a, b) => Buffer.compare(a, b));
  return [
    '// Written by `npm run generate` from @zxcvbn-ts/language-common (MIT): see scripts/common-passwords.ts.',
    `export const commonPasswords = '${Buffer.concat(digests).toString('base64')}';`,
    '',
  ].join('\n');
}
