import { expect } from 'chai';
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { equalBytes, keyedDigest, randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';
import { createVault, SealedValueError, type Cell, type Vault } from '#core/runtime/secrets/vault.js';

const cell: Cell = { table: 'webhook', column: 'secret', row: '018f' };
const secret = 'whsec_canary';

function refusal(vault: Vault, sealed: Buffer, where: Cell = cell): SealedValueError {
  try {
    vault.open(sealed, where);
  } catch (error) {
    if (error instanceof SealedValueError) return error;
    throw error;
  }
  throw new Error('It opened.');
}

describe('secrets: the vault', () => {
  const root = randomBytes(32);
  const vault = createVault(root);

  it('opens what it sealed: text or bytes, empty or large', () => {
    for (const plaintext of ['', 'a', 'grüße', randomBytes(100_000)]) {
      const sealed = vault.seal(plaintext, cell);
      expect(vault.open(sealed, cell).equals(Buffer.from(plaintext))).to.be.true;
      expect(sealed.length).to.equal(Buffer.byteLength(plaintext) + 33);
    }
    expect(createVault(Buffer.from(root)).open(vault.seal(secret, cell), cell).toString()).to.equal(secret);
  });

  it('has the documented format: version, key id, nonce, AES-256-GCM with HKDF-SHA256 of the column', () => {
    const sealed = vault.seal(secret, cell);
    expect([...sealed.subarray(0, 5)]).to.deep.equal([1, ...sha256(root).subarray(0, 4)]);
    const key = Buffer.from(hkdfSync('sha256', root, '', 'webhook.secret', 32));
    const cipher = createCipheriv('aes-256-gcm', key, sealed.subarray(5, 17), { authTagLength: 16 });
    cipher.setAAD(Buffer.concat([sealed.subarray(0, 5), Buffer.from('["webhook","secret","018f"]')]));
    const body = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    expect(sealed.subarray(17).equals(body)).to.be.true;
  });

  it('never gives the same result twice', () => {
    const sealed = Array.from({ length: 1000 }, () => vault.seal(secret, cell));
    expect(new Set(sealed.map((value) => value.subarray(5, 17).toString('hex'))).size).to.equal(1000);
    expect(sealed.some((value) => value.includes(secret))).to.be.false;
  });

  it('opens a value only in its own cell', () => {
    const sealed = vault.seal(secret, cell);
    const elsewhere: Cell[] = [
      { ...cell, row: '0190' },
      { ...cell, column: 'previous_secret' },
      { ...cell, table: 'provider' },
      { table: 'webhook.secret', column: '', row: '018f' },
      { table: 'webhook', column: 'secret","018f', row: '' },
    ];
    for (const where of elsewhere) expect(refusal(vault, sealed, where).reason).to.equal('not_authentic');
    // The same name when joined with dots, but two cells.
    const dotted = vault.seal(secret, { table: 'a', column: 'b.c', row: '1' });
    expect(refusal(vault, dotted, { table: 'a.b', column: 'c', row: '1' }).reason).to.equal('not_authentic');
  });

  it('detects every changed byte and every truncation', () => {
    const sealed = vault.seal(secret, cell);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(refusal(vault, changed).name).to.equal('SealedValueError');
      expect(refusal(vault, sealed.subarray(0, at)).name).to.equal('SealedValueError');
    }
    expect(refusal(vault, Buffer.concat([sealed, Buffer.of(0)])).reason).to.equal('not_authentic');
    expect(refusal(vault, Buffer.alloc(0)).reason).to.equal('malformed');
  });

  it('says that a value was sealed with another key', () => {
    expect(refusal(createVault(randomBytes(32)), vault.seal(secret, cell)).reason).to.equal('unknown_key');
  });

  it('reveals no secret in its errors', () => {
    const error = refusal(vault, vault.seal(secret, cell), { ...cell, row: 'row-canary' });
    const told = JSON.stringify([error.message, error.stack, Object.entries(error), error.cause]);
    expect(told).not.to.match(/canary/);
    expect(told).not.to.include(root.toString('base64')).and.not.to.include(root.toString('hex'));
    expect(error.message).to.include('webhook.secret');
  });

  it('requires root keys of 32 bytes', () => {
    expect(() => createVault(randomBytes(31))).to.throw(RangeError, /32 bytes/);
  });
});

describe('secrets: the root key', () => {
  it('reads base64, base64url, hexadecimal and generated keys', () => {
    const key = Buffer.from('fbff'.repeat(16), 'hex');
    const texts = [
      key.toString('base64'),
      key.toString('base64url'),
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
    ];
    for (const text of texts) expect(parseRootKey(`${text}\n`).equals(key), text).to.be.true;
    expect(parseRootKey(newRootKey()).length).to.equal(32);
    expect(newRootKey()).not.to.equal(newRootKey());
  });

  it('refuses anything else, says how to generate a key, and does not repeat the input', () => {
    const texts = [
      '',
      'canary',
      'c'.repeat(42),
      'c'.repeat(45),
      'f'.repeat(63),
      'g'.repeat(64),
      `${'c'.repeat(20)} ${'c'.repeat(22)}`,
    ];
    for (const text of texts) {
      expect(() => parseRootKey(text), text).to.throw(/^SVC_SECRET_KEY .*openssl rand -base64 32$/);
      expect(() => parseRootKey(text)).not.to.throw(/canary|ccc|ggg/);
    }
  });
});

describe('secrets: digests and tokens', () => {
  it('computes the digests of the standards’ test vectors', () => {
    // FIPS 180-4's "abc", and RFC 4231 test case 2.
    expect(sha256('abc').toString('hex')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256(Buffer.from('grüße')).equals(sha256('grüße'))).to.be.true;
    expect(keyedDigest(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).to.equal(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('compares bytes', () => {
    expect(equalBytes(Buffer.from('ab'), Buffer.from('ab'))).to.be.true;
    expect(equalBytes(Buffer.from('ab'), Buffer.from('ac'))).to.be.false;
    expect(equalBytes(Buffer.from('ab'), Buffer.from('abc'))).to.be.false;
    expect(equalBytes(Buffer.alloc(0), Buffer.alloc(0))).to.be.true;
  });

  it('draws tokens uniformly from 62 characters', () => {
    for (const length of [1, 6, 40, 43, 1000])
      expect(randomToken(length)).to.match(new RegExp(`^[A-Za-z0-9]{${length}}$`));
    for (const length of [0, -1, 1.5, NaN, Infinity]) expect(() => randomToken(length)).to.throw(RangeError);
    expect(new Set(Array.from({ length: 10_000 }, () => randomToken(43))).size).to.equal(10_000);
    // A plain modulo would draw A to H 25 % more often: 80 standard deviations in 620,000 draws.
    const counts = new Map<string, number>();
    for (const character of randomToken(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).to.equal(62);
    for (const [character, count] of counts) expect(count, character).to.be.within(9_300, 10_700);
  });
});
