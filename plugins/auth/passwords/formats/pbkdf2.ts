import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { trimEnd } from '#core/runtime/trim-end.js';
import { bytesOf, costs, limits, parametersOf, refused, type HashFormat, type ParsedHash } from './format.js';

/** The output size of each digest, in bytes. */
const digests: Readonly<Record<string, number>> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

const b64 = '[A-Za-z0-9+/.]+=*';
const withParameters = new RegExp(`^\\$pbkdf2-(\\w+)\\$([a-z0-9,]*=[a-z0-9=,]+)\\$(${b64})\\$(${b64})$`);
const passlib = new RegExp(`^\\$pbkdf2(?:-(\\w+))?\\$(\\d{1,9})\\$(${b64})\\$(${b64})$`);
const django = new RegExp(`^pbkdf2_(\\w+)\\$(\\d{1,9})\\$([^$]+)\\$(${b64})$`);
const werkzeug = /^pbkdf2:(\w+):(\d{1,9})\$([^$]+)\$((?:[0-9a-f]{2})+)$/;

/**
 * PBKDF2 (RFC 8018) in four forms: the PHC form, as in Auth0's import, `$pbkdf2-sha512$i=100000,l=64$<salt>$<hash>`;
 * passlib's, `$pbkdf2-sha256$29000$<salt>$<hash>`; Django's, `pbkdf2_sha256$600000$salt$<hash>`; and Werkzeug's,
 * `pbkdf2:sha256:600000$salt$<hex>`. The last two use the salt's text unchanged.
 */
export const pbkdf2: HashFormat = {
  begins: /^\$?pbkdf2[-_:$]/,
  parse(text) {
    const [, digest1, parameters = '', salt1 = '', hash1 = ''] = withParameters.exec(text) ?? [];
    const values = parametersOf(parameters, ['i'], ['l']);
    const [rounds1 = '', length = ''] = [values?.get('i'), values?.get('l')];
    if (digest1 !== undefined && /^\d{1,9} \d{0,4}$/.test(`${rounds1} ${length}`)) {
      const hash = bytesOf(hash1);
      if (length !== '' && hash?.length !== Number(length)) return refused('has a hash that is not `l` bytes long');
      return parsed(digest1, rounds1, bytesOf(salt1), hash);
    }
    const [, digest2 = 'sha1', rounds2, salt2 = '', hash2 = ''] = passlib.exec(text) ?? [];
    if (rounds2 !== undefined) return parsed(digest2, rounds2, bytesOf(salt2), bytesOf(hash2));
    const [, digest3 = '', rounds3, salt3 = '', hash3 = ''] = django.exec(text) ?? [];
    if (rounds3 !== undefined) return parsed(digest3, rounds3, Buffer.from(salt3), bytesOf(hash3));
    const [, digest4 = '', rounds4, salt4 = '', hash4 = ''] = werkzeug.exec(text) ?? [];
    if (rounds4 !== undefined) return parsed(digest4, rounds4, Buffer.from(salt4), Buffer.from(hash4, 'hex'));
    return refused('is not a complete PBKDF2 hash: $pbkdf2-sha256$i=…,l=…$<salt>$<hash>');
  },
};

const unpadded = (bytes: Buffer): string => trimEnd(bytes.toString('base64'), '=');

function parsed(
  digest: string,
  iterations: string | undefined,
  salt: Buffer | undefined,
  hash: Buffer | undefined,
): ParsedHash {
  const size = digests[digest];
  if (size === undefined) return refused(`uses a digest other than ${Object.keys(digests).join(', ')}`);
  if (!salt || !hash || salt.length > limits.saltBytes || hash.length < 16 || hash.length > limits.longHashBytes)
    return refused(`must have a salt of up to ${limits.saltBytes} bytes and a hash of 16 to ${limits.longHashBytes}`);
  const rounds = Number(iterations);
  if (rounds >= 1 && hash.length > limits.hashBytes) {
    // The blocks of PBKDF2 do not depend on each other (RFC 8018 section 5.2): the first is the hash of its length.
    const first = hash.subarray(0, size);
    const stored = `$pbkdf2-${digest}$i=${rounds},l=${size}$${unpadded(salt)}$${unpadded(first)}`;
    const short = parsed(digest, iterations, salt, first);
    return short.ok ? { ...short, stored } : short;
  }
  if (rounds < 1) return refused('has no iterations');
  if (rounds * Math.ceil(hash.length / size) > limits.pbkdf2Rounds)
    return refused(`is too expensive: PBKDF2 may have ${limits.pbkdf2Rounds} iterations, times the blocks of its hash`);
  return {
    ok: true,
    cost: costs.pbkdf2(rounds * Math.ceil(hash.length / size), size > 32),
    verify: (password) => timingSafeEqual(pbkdf2Sync(password, salt, rounds, hash.length, digest), hash),
  };
}
