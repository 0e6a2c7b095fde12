import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The key that the deployment's own domain signs with. */
export interface OwnKey {
  readonly algorithm: 'rsa' | 'ed25519';
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  /** In base64, as in the DNS record. */
  readonly publicKey: string;
}

/**
 * Reads SVC_MAIL_DKIM_KEY.
 * @param text the key as PEM, whose line breaks may be written as \n, or the name of a file that contains it
 * @throws Error whose message completes “SVC_MAIL_DKIM_KEY …”
 */
export function readOwnKey(text: string): OwnKey {
  const key = parseKey(text.includes('-----BEGIN ') ? text.replaceAll('\\n', '\n') : readFile(text));
  const algorithm = key.asymmetricKeyType;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (algorithm !== 'ed25519' && !(algorithm === 'rsa' && bits >= 1024))
    throw new Error('must be an RSA key of 1024 bits or more (2048 is usual), or an Ed25519 key');
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    algorithm,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    // RFC 8463 §4.2: for an Ed25519 key, the record contains only the last 32 octets.
    publicKey: (algorithm === 'rsa' ? spki : spki.subarray(-32)).toString('base64'),
  };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`must be a private key as PEM, or name a file that holds one (it cannot be read: ${code})`);
  }
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('must be a private key as PEM, without a passphrase, or name a file that holds one');
  }
}
