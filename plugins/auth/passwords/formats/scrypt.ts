import { scryptSync, timingSafeEqual } from 'node:crypto';
import { bytesOf, costs, limits, parametersOf, refused, type HashFormat, type ParsedHash } from './format.js';

/** scrypt's parameters (RFC 7914, section 2). */
interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** @returns what is wrong with the parameters; undefined if they are valid */
export function scryptProblem({ n, r, p }: ScryptCost): string | undefined {
  if (n < 2 || !Number.isInteger(Math.log2(n)) || r < 1 || p < 1) return 'has invalid scrypt parameters';
  if (128 * n * r > limits.scryptBytes || n * r * p > limits.scryptWork)
    return `is too expensive: scrypt may use ${limits.scryptBytes} bytes (128 * N * r), and ${limits.scryptWork} for N * r * p`;
  return undefined;
}

/** Derives a key. @param length in bytes */
export const scryptKey = (password: string, salt: Buffer, { n, r, p }: ScryptCost, length: number): Buffer =>
  scryptSync(password, salt, length, { N: n, r, p, maxmem: 2 * limits.scryptBytes });

const phc = /^\$scrypt\$([a-z0-9=,]+)\$([A-Za-z0-9+/.]+=*)\$([A-Za-z0-9+/.]+=*)$/;
const werkzeug = /^scrypt:(\d{1,9}):(\d{1,3}):(\d{1,3})\$([^$]+)\$((?:[0-9a-f]{2})+)$/;
const django = /^scrypt\$(\d{1,9})\$([^$]+)\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/]+=*)$/;

/**
 * scrypt in three forms: the PHC form, as in passlib, with the parameters in any order,
 * `$scrypt$ln=16,r=8,p=1$<salt>$<hash>`; Werkzeug's, `scrypt:32768:8:1$salt$<hex>`; and Django's,
 * `scrypt$16384$salt$8$5$<hash>`. The last two use the salt's text unchanged.
 */
export const scrypt: HashFormat = {
  begins: /^\$?scrypt[$:]/,
  parse(text) {
    const [, parameters = '', salt1 = '', hash1 = ''] = phc.exec(text) ?? [];
    const values = parametersOf(parameters, ['ln', 'r', 'p']);
    const [ln = '', r1 = '', p1 = ''] = ['ln', 'r', 'p'].map((name) => values?.get(name));
    if (/^\d{1,2} \d{1,3} \d{1,3}$/.test(`${ln} ${r1} ${p1}`))
      return parsed([2 ** Number(ln), r1, p1], bytesOf(salt1), bytesOf(hash1));
    const [, n2, r2, p2, salt2 = '', hash2 = ''] = werkzeug.exec(text) ?? [];
    if (n2 !== undefined) return parsed([n2, r2, p2], Buffer.from(salt2), Buffer.from(hash2, 'hex'));
    const [, n3, salt3 = '', r3, p3, hash3 = ''] = django.exec(text) ?? [];
    if (n3 !== undefined) return parsed([n3, r3, p3], Buffer.from(salt3), bytesOf(hash3));
    return refused('is not a complete scrypt hash: $scrypt$ln=…,r=…,p=…$<salt>$<hash>');
  },
};

function parsed(numbers: readonly unknown[], salt: Buffer | undefined, hash: Buffer | undefined): ParsedHash {
  const [n = 0, r = 0, p = 0] = numbers.map(Number);
  const cost = { n, r, p };
  const problem = scryptProblem(cost);
  if (problem !== undefined) return refused(problem);
  if (!salt || !hash || salt.length > limits.saltBytes || hash.length < 16 || hash.length > limits.hashBytes)
    return refused(`must have a salt of up to ${limits.saltBytes} bytes and a hash of 16 to ${limits.hashBytes}`);
  return {
    ok: true,
    cost: costs.scrypt(n, r, p),
    verify: (password) => timingSafeEqual(scryptKey(password, salt, cost, hash.length), hash),
  };
}
