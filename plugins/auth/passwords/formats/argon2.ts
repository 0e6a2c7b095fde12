import { verifySync } from '@node-rs/argon2';
import { bytesOf, costs, limits, parametersOf, refused, type HashFormat } from './format.js';
import { trimEnd } from '#core/runtime/trim-end.js';

const unpadded = (base64: string): string => trimEnd(base64, '=');

const phc = /^\$(argon2(?:id|i))(?:\$v=(16|19))?\$([a-z0-9=,]+)\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/;

/**
 * argon2id and argon2i in the PHC form, with the parameters in any order:
 * `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`. Without `v`, it is version 16. Django writes `argon2` before it.
 */
export const argon2: HashFormat = {
  begins: /^(?:argon2)?\$argon2(?:id|i)\$/,
  parse(text) {
    const [, variant = '', version = '16', parameters = '', salt = '', digest = ''] =
      phc.exec(text.replace(/^argon2/, '')) ?? [];
    const values = parametersOf(parameters, ['m', 't', 'p']);
    const [m = '', t = '', p = ''] = ['m', 't', 'p'].map((name) => values?.get(name));
    if (!/^\d{1,7}$/.test(m) || !/^\d{1,4}$/.test(t) || !/^\d{1,3}$/.test(p))
      return refused('is not a complete argon2 hash: $argon2id$v=19$m=…,t=…,p=…$<salt>$<hash>');
    const [memory, passes, lanes] = [Number(m), Number(t), Number(p)];
    const [saltBytes, digestBytes] = [bytesOf(salt)?.length ?? 0, bytesOf(digest)?.length ?? 0];
    if (lanes < 1 || passes < 1 || memory < 8 * lanes) return refused('has argon2 parameters that are too small');
    if (memory > limits.argon2MemoryKib || memory * passes > limits.argon2Work || lanes > limits.argon2Lanes)
      return refused(
        `is too expensive: argon2 may use ${limits.argon2MemoryKib} KiB, ${limits.argon2Work} KiB times passes, and ${limits.argon2Lanes} lanes`,
      );
    if (saltBytes < 8 || saltBytes > limits.saltBytes || digestBytes < 16 || digestBytes > limits.hashBytes)
      return refused(`must have a salt of 8 to ${limits.saltBytes} bytes and a hash of 16 to ${limits.hashBytes}`);
    // The only spelling that the library reads.
    const hash = [`$${variant}`, `v=${version}`, `m=${memory},t=${passes},p=${lanes}`, ...[salt, digest].map(unpadded)];
    return {
      ok: true,
      cost: costs.argon2(memory, passes),
      verify: (password) => verifySync(hash.join('$'), password),
    };
  },
};
