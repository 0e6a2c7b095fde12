import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { bytesOf, costs, limits, parametersOf, refused, type HashFormat } from './format.js';
import { scryptKey, scryptProblem } from './scrypt.js';

const form = /^\$fbscrypt\$([A-Za-z0-9+/_,=-]+)\$([A-Za-z0-9+/_-]+=*)\$([A-Za-z0-9+/_-]+=*)$/;

const base64 = (text: string): Buffer | undefined => bytesOf(text.replaceAll('-', '+').replaceAll('_', '/'));

/**
 * Firebase's modified scrypt, as one text: `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer
 * key>$<salt>$<hash>`, where n is the project's memory cost and r its rounds, all base64 as Firebase shows them. scrypt
 * over salt and separator gives an AES-256 key; the hash is the signer key encrypted with it in counter mode from a
 * counter of zero (https://github.com/firebase/scrypt).
 */
export const firebaseScrypt: HashFormat = {
  begins: /^\$fbscrypt\$/,
  parse(text) {
    const [, parameters = '', salt = '', digest = ''] = form.exec(text) ?? [];
    const values = parametersOf(parameters, ['v', 'n', 'r', 'p', 'ss', 'sk']);
    const [v = '', n = '', r = '', p = ''] = ['v', 'n', 'r', 'p'].map((name) => values?.get(name));
    const [separator = '', key = ''] = [values?.get('ss'), values?.get('sk')];
    if (key === '' || !/^1 \d{1,2} \d{1,3} \d{1,3}$/.test(`${v} ${n} ${r} ${p}`))
      return refused(
        'is not a complete Firebase hash: $fbscrypt$v=1,n=<memory cost>,r=<rounds>,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>',
      );
    const cost = { n: 2 ** Number(n), r: Number(r), p: Number(p) };
    const problem = scryptProblem(cost);
    if (problem !== undefined) return refused(problem);
    const [saltEnd, signerKey, start, hash] = [base64(separator), base64(key), base64(salt), base64(digest)];
    if (!saltEnd || !signerKey || !start || !hash) return refused('has a part that is not base64');
    if (hash.length < 16 || hash.length > limits.hashBytes || signerKey.length !== hash.length)
      return refused('has a hash and a signer key of different lengths');
    if (start.length + saltEnd.length > limits.saltBytes) return refused('has a salt that is too long');
    const wholeSalt = Buffer.concat([start, saltEnd]);
    return {
      ok: true,
      cost: costs.scrypt(cost.n, cost.r, cost.p),
      verify(password) {
        const cipher = createCipheriv('aes-256-ctr', scryptKey(password, wholeSalt, cost, 32), Buffer.alloc(16));
        return timingSafeEqual(cipher.update(signerKey), hash);
      },
    };
  },
};
