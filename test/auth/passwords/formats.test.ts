import { expect } from 'chai';
import { pbkdf2Sync } from 'node:crypto';
import { parseHash } from '#plugins/auth/passwords/formats/parse.js';
import { standIn } from '#plugins/auth/passwords/schemes.js';

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const fromText = (text: string): string => base64(Buffer.from(text));
const fromHex = (hex: string): string => base64(Buffer.from(hex, 'hex'));

/** Firebase's published example: github.com/firebase/scrypt, README. */
const firebaseExample =
  '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';

/** Where each hash comes from, the hash, its password. None was made by svc. */
const vectors: readonly (readonly [string, string, string])[] = [
  [
    'argon2id, the reference implementation’s tests',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    'password',
  ],
  [
    'argon2i, the reference implementation’s tests',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    'password',
  ],
  [
    'argon2i of version 1.0, which names no version',
    '$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ',
    'password',
  ],
  [
    'argon2 as Django writes it',
    'argon2$argon2i$v=19$m=256,t=2,p=2$c29tZXNhbHQ$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E',
    'password',
  ],
  ['bcrypt $2a$, jBCrypt’s tests', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe', 'a'],
  ['bcrypt $2a$, jBCrypt’s tests', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i', 'abc'],
  ['bcrypt $2b$, libxcrypt', '$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu', 'password'],
  ['bcrypt $2y$, libxcrypt', '$2y$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu', 'password'],
  ['bcrypt as Django writes it', 'bcrypt$$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu', 'password'],
  [
    'scrypt, RFC 7914 section 12',
    `$scrypt$ln=14,r=8,p=1$${fromText('SodiumChloride')}$${fromHex('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887')}`,
    'pleaseletmein',
  ],
  [
    'scrypt, Django’s tests',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
    'lètmein',
  ],
  [
    'scrypt, Werkzeug 3',
    'scrypt:1024:8:1$wbldSpjxdAuaub3o$b7ddc3a795be984c484e917bface116d41fb8baff1a6749ee892a5b95e8f00207e152291043e66464fe29b6d893aaddf6c1eb915c6c20bd18cac7aabd755ac77',
    'lètmein',
  ],
  ['Firebase’s published example', firebaseExample, 'user1password'],
  [
    'PBKDF2 with SHA-1, RFC 6070',
    `$pbkdf2$4096$${fromText('salt')}$${fromHex('4b007901b765489abead49d926f721d065a429c1')}`,
    'password',
  ],
  [
    'PBKDF2 with SHA-256, RFC 7914 section 11',
    `$pbkdf2-sha256$i=80000,l=64$${fromText('NaCl')}$${fromHex('4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d')}`,
    'Password',
  ],
  [
    'PBKDF2, passlib’s documentation',
    '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44',
    'password',
  ],
  ['PBKDF2, Django’s tests', 'pbkdf2_sha256$720000$seasalt$eDupbcisD1UuIiou3hMuMu8oe/XwnpDw45r6AA5iv0E=', 'lètmein'],
  [
    'PBKDF2, Werkzeug 3',
    'pbkdf2:sha512:1000$jHax9Av5X0QVgOrK$498a3dd5e9fbdd6b715e9b99d9c7e054ee79df086e004e8382a13daa7b1f2b37535e85bf6406d972576fca6c28ce5a22858bbe1e154acd97e0a9f0de61403745',
    'lètmein',
  ],
];

function verifierOf(hash: string): (password: string) => boolean {
  const parsed = parseHash(hash);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.verify;
}

const salt = fromText('saltsaltsaltsalt');
const digest = fromHex('ab'.repeat(32));
const bcryptRest = 'abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu';

/** Hashes that would cost too much, or that nobody can check: what is wrong, and the hash. */
const hostile: readonly (readonly [string, string])[] = [
  ['is too expensive', `$argon2id$v=19$m=1048576,t=1,p=1$${salt}$${digest}`],
  ['is too expensive', `$argon2id$v=19$m=65536,t=17,p=1$${salt}$${digest}`],
  ['is too expensive', `$argon2id$v=19$m=65536,t=1,p=32$${salt}$${digest}`],
  ['not a complete argon2', `$argon2id$v=19$m=65536,t=99999,p=1$${salt}$${digest}`],
  ['not a complete argon2', `$argon2id$v=19$m=65536,t=1,p=1,keyid=abcd$${salt}$${digest}`],
  ['too small', `$argon2id$v=19$m=65536,t=0,p=1$${salt}$${digest}`],
  ['salt of 8', `$argon2id$v=19$m=65536,t=2,p=1$c2E$${digest}`],
  ['bcrypt may have a cost', `$2b$15$${bcryptRest}`],
  ['bcrypt may have a cost', `$2b$31$${bcryptRest}`],
  ['not a complete bcrypt', `$2x$10$${bcryptRest}`],
  ['is too expensive', `$scrypt$ln=18,r=8,p=1$${salt}$${digest}`],
  ['is too expensive', `$scrypt$ln=17,r=8,p=5$${salt}$${digest}`],
  ['is too expensive', `$scrypt$ln=99,r=8,p=1$${salt}$${digest}`],
  ['invalid scrypt', `scrypt:30000:8:1$salt$${'ab'.repeat(32)}`],
  ['is too expensive', `scrypt:1048576:8:1$salt$${'ab'.repeat(32)}`],
  ['is too expensive', firebaseExample.replace('n=14', 'n=18')],
  ['different lengths', firebaseExample.replace(/\$[^$]+$/, `$${digest}`)],
  ['is too expensive', `$pbkdf2-sha256$i=2000001,l=32$${salt}$${digest}`],
  ['is too expensive', `$pbkdf2$1500000$${salt}$${digest}`],
  ['not a complete PBKDF2', `pbkdf2_sha256$9999999999$salt$${digest}`],
  ['a digest other than', `$pbkdf2-md5$i=1000$${salt}$${digest}`],
  ['not `l` bytes', `$pbkdf2-sha256$i=1000,l=64$${salt}$${digest}`],
  ['longer than 512', `$2b$10$${'a'.repeat(600)}`],
  ['an unsupported format', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['an unsupported format', 'password'],
  ['an unsupported format', ''],
];

describe('Password hashes of other systems', () => {
  it('PBKDF2 of 512 bytes: the first block is stored and compared', () => {
    const made = pbkdf2Sync('correct horse 9', 'pepper', 1000, 512, 'sha256');
    const text = `$pbkdf2-sha256$i=1000,l=512$${Buffer.from('pepper').toString('base64')}$${made.toString('base64')}`;
    for (const each of [text, `pbkdf2:sha256:1000$pepper$${made.toString('hex')}`]) {
      const long = parseHash(each);
      if (!long.ok || long.stored === undefined) throw new Error('The hash was refused, or is stored as it is.');
      expect(long.stored.length).to.be.lessThan(120);
      const stored = parseHash(long.stored);
      for (const hash of [long, stored]) {
        if (!hash.ok) throw new Error(hash.problem);
        expect(hash.verify('correct horse 9')).to.equal(true);
        expect(hash.verify('correct horse 8')).to.equal(false);
      }
    }
  });

  for (const [source, hash, password] of vectors)
    it(`are checked: ${source}`, () => {
      const verify = verifierOf(hash);
      expect(verify(password)).to.equal(true);
      expect(verify(`${password}x`)).to.equal(false);
      expect(verify('')).to.equal(false);
    });

  it('are checked with their parameters in any order, padded or not', () => {
    const byName = new Map(vectors.map(([source, ...rest]) => [source, rest]));
    const padded = (part: string): string => part.padEnd(4 * Math.ceil(part.length / 4), '=');
    const pad = (hash: string): string =>
      hash.replace(/([^$]+)\$([^$]+)$/, (_, start: string, end: string) => `${padded(start)}$${padded(end)}`);
    for (const [source, from, to] of [
      ['argon2id, the reference implementation’s tests', 'm=65536,t=2,p=1', 't=2,m=65536,p=1'],
      ['argon2i of version 1.0, which names no version', 'm=65536,t=2,p=1', 'p=1,t=2,m=65536'],
      ['argon2 as Django writes it', 'm=256,t=2,p=2', 't=2,p=2,m=256'],
      ['scrypt, RFC 7914 section 12', 'ln=14,r=8,p=1', 'r=8,p=1,ln=14'],
      ['PBKDF2 with SHA-256, RFC 7914 section 11', 'i=80000,l=64', 'l=64,i=80000'],
      ['Firebase’s published example', 'v=1,n=14,r=8,p=1', 'r=8,n=14,p=1,v=1'],
    ] as const) {
      const [hash = '', password = ''] = byName.get(source) ?? [];
      const other = pad(hash.replace(from, to));
      expect(other, source).to.not.equal(hash);
      expect(verifierOf(other)(password), other).to.equal(true);
      expect(verifierOf(other)(`${password}x`), other).to.equal(false);
      const nobody = parseHash(standIn(other));
      expect(nobody.ok, standIn(other)).to.equal(true);
    }
    const twice = vectors[0]?.[1].replace('p=1', 'p=1,p=1') ?? '';
    expect(parseHash(twice).ok).to.equal(false);
  });

  it('are checked as Django wraps bcrypt around SHA-256', () => {
    // bcrypt of a hash in hexadecimal, made by libxcrypt.
    const hash = 'bcrypt_sha256$$2b$05$abcdefghijklmnopqrstuuE94Q3eTNjN48w2NX2tPsDTNeG6w2MH2';
    expect(verifierOf(hash)('password')).to.equal(true);
  });

  it('are refused if a sign-in would take more than about a second or 128 MiB, or if nobody could check them', () => {
    for (const [problem, hash] of hostile) {
      const parsed = parseHash(hash);
      expect(parsed.ok ? 'accepted' : parsed.problem, hash).to.contain(problem);
    }
  });

  it('are read in no time, however hostile the text', () => {
    const started = process.cpuUsage();
    for (let count = 1; count <= 200; count += 1) {
      parseHash(`$pbkdf2-sha256$${'1'.repeat(count)}$${'A'.repeat(count)}`);
      parseHash(`$fbscrypt$v=1,n=14,r=8,p=1,ss=${'='.repeat(count)},sk=${'A'.repeat(count)}$`);
      parseHash(`scrypt:1:1:1$${'$'.repeat(count)}`);
    }
    expect(process.cpuUsage(started).user).to.be.below(1_000_000);
  });
});
