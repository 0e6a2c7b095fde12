import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { keyedDigest, sha256 } from './digest.js';

/** Where a sealed value is stored. A value moved to another place does not open there. */
export interface Place {
  table: string;
  column: string;
  /** The row's id, in the one spelling that both sides use. */
  row: string;
}

/** Keeps what must be read back (webhook secrets, TOTP seeds, private keys) unreadable in a stolen table. */
export interface Vault {
  /** Encrypts under the current key, for one place. 33 bytes longer than the plaintext. */
  seal(plaintext: string | Buffer, where: Place): Buffer;
  /** Decrypts what was sealed for this place under the current key or a previous one; else throws SealedValueError. */
  open(sealed: Buffer, where: Place): Buffer;
  /**
   * HMAC-SHA256 under a key of its own per column, for what is looked up but must not be read back: the addresses of erased people. The
   * same text gives the same 32 bytes while the root key stays.
   */
  digest(text: string, where: Omit<Place, 'row'>): Buffer;
}

/** A sealed value that does not open. Its message names table and column, never the row, a key or a byte of the value. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
  constructor(
    readonly reason: 'malformed' | 'unknown_key' | 'not_authentic',
    where: Place,
  ) {
    super(`A sealed value of ${where.table}.${where.column} does not open: ${reasons[reason]}.`);
  }
}

const reasons = {
  malformed: 'it is not in the form of a sealed value',
  unknown_key: 'it was sealed under a SVC_SECRET_KEY that is not known here',
  not_authentic: 'it was changed, or sealed for another place',
} as const;

// A sealed value: version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
const VERSION = 1;
const ID_END = 5;
const NONCE_END = 17;
const TAG_BYTES = 16;

/** Bytes of a root key, and of each key derived from it: AES-256's. */
export const ROOT_KEY_BYTES = 32;

/**
 * A vault of AES-256-GCM (NIST SP 800-38D) under a key per column, derived from the root key by HKDF-SHA256 (RFC 5869).
 * A random nonce of 96 bits is good for 2^32 values under one key (section 8.3), hence per column and root key.
 *
 * @param current the root key that seals
 * @param previous root keys that still open what they sealed, while it is being sealed anew
 * @returns the vault
 * @throws RangeError when a root key is not 32 bytes long
 */
export function createVault(current: Buffer, previous: readonly Buffer[] = []): Vault {
  const sealing = createRing(current);
  const rings = new Map([...previous.map(createRing), sealing].map((ring) => [ring.id.readUInt32BE(), ring]));
  return {
    seal: (plaintext, where) => {
      const head = Buffer.concat([Buffer.of(VERSION), sealing.id]);
      const nonce = randomBytes(NONCE_END - ID_END);
      const cipher = createCipheriv('aes-256-gcm', sealing.keyFor(where), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(head, where));
      const body = [cipher.update(Buffer.from(plaintext)), cipher.final()];
      return Buffer.concat([head, nonce, ...body, cipher.getAuthTag()]);
    },
    open: (sealed, where) => {
      const tagStart = sealed.length - TAG_BYTES;
      if (tagStart < NONCE_END || sealed[0] !== VERSION) throw new SealedValueError('malformed', where);
      const ring = rings.get(sealed.readUInt32BE(1));
      if (ring === undefined) throw new SealedValueError('unknown_key', where);
      const nonce = sealed.subarray(ID_END, NONCE_END);
      // Without authTagLength Node would take a tag of 4 bytes, which can be forged by trying.
      const decipher = createDecipheriv('aes-256-gcm', ring.keyFor(where), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(sealed.subarray(0, ID_END), where));
      decipher.setAuthTag(sealed.subarray(tagStart));
      const plaintext = decipher.update(sealed.subarray(NONCE_END, tagStart));
      try {
        return Buffer.concat([plaintext, decipher.final()]);
      } catch {
        plaintext.fill(0);
        throw new SealedValueError('not_authentic', where);
      }
    },
    // Never the key that seals the column: one key, one use.
    digest: (text, { table, column }) => keyedDigest(sealing.keyFor({ table: `digest ${table}`, column }), text),
  };
}

interface Ring {
  id: Buffer;
  keyFor(where: Omit<Place, 'row'>): KeyObject;
}

/** One root key and the keys derived from it. Tables and columns are words of the code, so the map stays small. */
function createRing(rootKey: Buffer): Ring {
  if (rootKey.length !== ROOT_KEY_BYTES) {
    throw new RangeError(`SVC_SECRET_KEY must be ${ROOT_KEY_BYTES} bytes long, not ${rootKey.length}.`);
  }
  const root = createSecretKey(rootKey);
  const keys = new Map<string, KeyObject>();
  return {
    id: sha256(rootKey).subarray(0, ID_END - 1),
    keyFor: ({ table, column }) => {
      const use = `${table}.${column}`;
      const known = keys.get(use);
      if (known !== undefined) return known;
      // No salt: the root key is uniformly random already (RFC 5869 section 3.1).
      const key = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', use, ROOT_KEY_BYTES)));
      keys.set(use, key);
      return key;
    },
  };
}

/** Version, key id and place as additional authenticated data. JSON keeps ('a', 'b.c') apart from ('a.b', 'c'). */
function boundTo(head: Buffer, { table, column, row }: Place): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([table, column, row]))]);
}
