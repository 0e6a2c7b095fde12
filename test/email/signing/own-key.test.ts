import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readOwnKey } from '#plugins/email/deployment/own-key.js';
import { newDkimKey } from './support.js';

describe('SVC_MAIL_DKIM_KEY', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is a private key as PEM, also with \\n for line breaks, or the name of its file', () => {
    const key = newDkimKey();
    const path = join(folder, 'dkim.pem');
    writeFileSync(path, key);
    const expected = readOwnKey(key);
    expect(expected.algorithm).to.equal('rsa');
    expect(expected.publicKey).to.match(/^MII/);
    expect(readOwnKey(key.replaceAll('\n', '\\n'))).to.deep.equal(expected);
    expect(readOwnKey(path)).to.deep.equal(expected);
  });

  it('may be an Ed25519 key, whose record holds 32 octets', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const read = readOwnKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    expect(read.algorithm).to.equal('ed25519');
    expect(Buffer.from(read.publicKey, 'base64')).to.have.length(32);
  });

  it('is refused where it cannot sign, and the error does not repeat it', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey;
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const pems = [weak, other].map((key) => key.export({ type: 'pkcs8', format: 'pem' }).toString());
    const cases = [...pems, newDkimKey().replace('MII', 'XXX'), join(folder, 'absent.pem'), 'a secret by mistake'];
    for (const text of cases) {
      const act = (): unknown => readOwnKey(text);
      expect(act).to.throw(/^must be/);
      expect(act).not.to.throw(text.slice(30, 60) || text);
    }
  });
});
