import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { randomBytes } from '../random-bytes.js';
import { keyedDigest, sha256, type Digesting } from './digest.js';

/** The table cell that a sealed value is stored in. A value that was copied to another cell cannot be opened there. */
export interface Cell {
  table: string;
  column: string;
  /** The row's id, spelled the same when sealing and opening. */
  row: string;
}

/**
 * Encrypts secrets that must be read back (webhook secrets, TOTP seeds, private keys), so that a stolen table does not
 * reveal them.
 */
export interface Vault {
  /** Encrypts for one cell. The result is 33 bytes longer than the plaintext. */
  seal(plaintext: string | Buffer, where: Cell): Buffer;
  /** Decrypts a value that was sealed for this cell. @throws SealedValueError */
  open(sealed: Buffer, where: Cell): Buffer;
  /**
   * HMAC-SHA256 with a separate key for each column, for values that are looked up but never read back, such as the
   * addresses of erased people. With the same root key, the same text gives the same 32 bytes.
   */
  digest(text: string, where: Omit<Cell, 'row'>): Buffer;
  /** The same for a text that is digested in pieces. */
  digesting(where: Omit<Cell, 'row'>): Digesting;
}

/** A sealed value cannot be opened. The message names its table and column, and no row, key or content. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
  constructor(
    readonly reason: 'malformed' | 'unknown_key' | 'not_authentic',
    where: Cell,
  ) {
    super(`A sealed value of ${where.table}.${where.column} cannot be opened: ${reasons[reason]}.`);
  }
}

const reasons = {
  malformed: 'it does not have the format of a sealed value',
  unknown_key: 'it was sealed with another key',
  not_authentic: 'it was modified, or sealed for another cell',
} as const;

// A sealed value: version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
const VERSION = 1;
const ID_END = 5;
const NONCE_END = 17;
const TAG_BYTES = 16;

/** The length of a root key, and of the AES-256 keys derived from it. */
export const ROOT_KEY_BYTES = 32;

/**
 * A vault that uses AES-256-GCM (NIST SP 800-38D) with a key for each column, derived from the root key by HKDF-SHA256
 * (RFC 5869). Random 96-bit nonces are safe for 2^32 values with one key (section 8.3), that is, for each column and
 * root key.
 *
 * @param rootKey 32 random bytes
 * @returns the vault
 * @throws RangeError if the root key is not 32 bytes long
 */
export function createVault(rootKey: Buffer): Vault {
  const derived = deriveKeys(rootKey);
  // Not the key that seals the column: every key has one use.
  const digestKey = ({ table, column }: Omit<Cell, 'row'>): KeyObject =>
    derived.keyFor({ table: `digest ${table}`, column });
  return {
    seal: (plaintext, where) => {
      const head = Buffer.concat([Buffer.of(VERSION), derived.id]);
      const nonce = randomBytes(NONCE_END - ID_END);
      const cipher = createCipheriv('aes-256-gcm', derived.keyFor(where), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(head, where));
      const body = [cipher.update(Buffer.from(plaintext)), cipher.final()];
      return Buffer.concat([head, nonce, ...body, cipher.getAuthTag()]);
    },
    open: (sealed, where) => {
      const tagStart = sealed.length - TAG_BYTES;
      if (tagStart < NONCE_END || sealed[0] !== VERSION) throw new SealedValueError('malformed', where);
      if (!sealed.subarray(1, ID_END).equals(derived.id)) throw new SealedValueError('unknown_key', where);
      const nonce = sealed.subarray(ID_END, NONCE_END);
      // Without authTagLength, Node would accept tags of 4 bytes, which can be forged by trial.
      const decipher = createDecipheriv('aes-256-gcm', derived.keyFor(where), nonce, { authTagLength: TAG_BYTES });
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
    digest: (text, where) => keyedDigest(digestKey(where), text),
    digesting: (where) => createHmac('sha256', digestKey(where)),
  };
}

interface DerivedKeys {
  /** Tells this root key from another one. */
  id: Buffer;
  keyFor(where: Omit<Cell, 'row'>): KeyObject;
}

/**
 * The keys derived from a root key, one for each column. Tables and columns come from the code, so the map stays small.
 */
function deriveKeys(rootKey: Buffer): DerivedKeys {
  if (rootKey.length !== ROOT_KEY_BYTES) {
    throw new RangeError(`A root key must be ${ROOT_KEY_BYTES} bytes long, not ${rootKey.length}.`);
  }
  const root = createSecretKey(rootKey);
  const keys = new Map<string, KeyObject>();
  return {
    id: sha256(rootKey).subarray(0, ID_END - 1),
    keyFor: ({ table, column }) => {
      const use = `${table}.${column}`;
      const cached = keys.get(use);
      if (cached !== undefined) return cached;
      // No salt, because the root key is uniformly random (RFC 5869 section 3.1).
      const key = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', use, ROOT_KEY_BYTES)));
      keys.set(use, key);
      return key;
    },
  };
}

/** Version, key id and cell as additional authenticated data. JSON distinguishes ('a', 'b.c') from ('a.b', 'c'). */
function boundTo(head: Buffer, { table, column, row }: Cell): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([table, column, row]))]);
}
