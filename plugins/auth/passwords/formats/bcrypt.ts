import { createHash } from 'node:crypto';
import { compareSync } from 'bcryptjs';
import { costs, limits, refused, type HashFormat } from './format.js';

/** How many bytes of a password bcrypt reads, including the zero byte after it. */
const readBytes = 72;

/**
 * bcrypt: `$2a$`, `$2b$` and `$2y$`, as exported by Auth0 and Clerk. Django writes `bcrypt$` before it, or
 * `bcrypt_sha256$` if it hashed the password with SHA-256 first. bcrypt reads 72 bytes of a password and the zero byte
 * after it: a text that fills them may be the whole password or only its beginning.
 */
export const bcrypt: HashFormat = {
  begins: /^(?:bcrypt(?:_sha256)?\$)?\$2[a-z]?\$/,
  parse(text) {
    const [, wrapper = '', hash = '', cost = ''] =
      /^(bcrypt(?:_sha256)?\$)?(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/.exec(text) ?? [];
    if (hash === '') return refused('is not a complete bcrypt hash: $2b$<cost>$ and 53 characters');
    if (Number(cost) < 4 || Number(cost) > limits.bcryptCost)
      return refused(`has a cost outside the allowed range: bcrypt may have a cost from 4 to ${limits.bcryptCost}`);
    const hashedFirst = wrapper === 'bcrypt_sha256$';
    const prepare = (password: string): string =>
      hashedFirst ? createHash('sha256').update(password).digest('hex') : password;
    return {
      ok: true,
      cost: costs.bcrypt(Number(cost)),
      verify: (password) => compareSync(prepare(password), hash),
      covers: (password) => hashedFirst || Buffer.byteLength(password) < readBytes,
    };
  },
};
