import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { bytesOf, limits, refused, type HashFormat } from './format.js';
import { scryptKey, scryptProblem } from './scrypt.js';

const form =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3}),ss=([A-Za-z0-9+/_-]*=*),sk=([A-Za-z0-9+/_-]+=*)\$([A-Za-z0-9+/_-]+=*)\$([A-Za-z0-9+/_-]+=*)$/;

const base64 = (text: string): Buffer | undefined => bytesOf(text.replaceAll('-', '+').replaceAll('_', '/'));

/**
 * Firebase's modified scrypt, as one text: `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>`, where n is the
 * project's memory cost and r its rounds, all base64 as Firebase shows them. scrypt over salt and separator gives an AES-256 key; the hash is the
 * signer key encrypted with it in counter mode from a counter of zero (https://github.com/firebase/scrypt).
 */
export const firebaseScrypt: HashFormat = {
  begins: /^\$fbscrypt\$/,
  parse(text) {
    const [, n, r, p, separator = '', key = '', salt = '', digest = ''] = form.exec(text) ?? [];
    if (n === undefined)
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
      verify(password) {
        const cipher = createCipheriv('aes-256-ctr', scryptKey(password, wholeSalt, cost, 32), Buffer.alloc(16));
        return timingSafeEqual(cipher.update(signerKey), hash);
      },
    };
  },
};
