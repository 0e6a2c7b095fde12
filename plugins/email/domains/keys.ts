import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { DomainKeyRow } from '../tables/domain-key.js';

const generate = promisify(generateKeyPair);

/** A new DKIM key. */
export interface NewKey extends Pick<DomainKeyRow, 'selector' | 'algorithm' | 'publicKey'> {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

/** The octets before the key in the SPKI form of an Ed25519 public key (RFC 8410 §4). */
const spkiPrefix = 12;

/**
 * Makes the keys of a domain in threads of libuv, not on the event loop: RSA with 2048 bits, which every receiver
 * checks (RFC 8301 §3.2), and Ed25519 (RFC 8463).
 * @param from the number of the first selector
 */
export async function makeKeys(from = 1): Promise<NewKey[]> {
  const [rsa, ed25519] = await Promise.all([
    generate('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
    generate('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  ]);
  return [
    {
      selector: `svc${from}`,
      algorithm: 'rsa',
      publicKey: rsa.publicKey.toString('base64'),
      privateKey: rsa.privateKey,
    },
    {
      selector: `svc${from + 1}`,
      algorithm: 'ed25519',
      publicKey: ed25519.publicKey.subarray(spkiPrefix).toString('base64'),
      privateKey: ed25519.privateKey,
    },
  ];
}

const cellOf = (domainId: string, selector: string): Cell => ({
  table: 'email_domain_key',
  column: 'private_key_sealed',
  row: `${domainId}/${selector}`,
});

/** The row of a new key. Its record has not been found yet. */
export const keyRow = (
  vault: Vault,
  domainId: string,
  { selector, algorithm, publicKey, privateKey }: NewKey,
): DomainKeyRow => ({
  domainId,
  selector,
  algorithm,
  publicKey,
  privateKeySealed: vault.seal(privateKey, cellOf(domainId, selector)),
  resolved: false,
  replacedAt: null,
});

/** The private key as PEM. @throws SealedValueError */
export const openKey = (
  vault: Vault,
  { domainId, selector, privateKeySealed }: Pick<DomainKeyRow, 'domainId' | 'selector' | 'privateKeySealed'>,
): string => vault.open(privateKeySealed, cellOf(domainId, selector)).toString('utf8');
