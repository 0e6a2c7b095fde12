import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { CreationOptionsValue, RequestOptionsValue } from '#plugins/auth/passkeys/webauthn-json.js';

/** How an answer differs from that of a browser with a good authenticator. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** False: no PIN or fingerprint was checked. */
  userVerified?: boolean;
  userPresent?: boolean;
  signCount?: number;
  type?: string;
  crossOrigin?: boolean;
  backupEligible?: boolean;
  userHandle?: string;
  tamperedSignature?: boolean;
  /** An attestation statement of this format; its certificate is not valid. */
  attestationFormat?: 'packed';
}

/** A credential that an authenticator stores. */
interface Kept {
  id: Buffer;
  privateKey: KeyObject;
  userHandle: string;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const flags = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** CBOR (RFC 8949) of the few types that a credential needs. */
type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size);
  if (size < 256) return Buffer.of((major << 5) | 24, size);
  return Buffer.of((major << 5) | 25, size >> 8, size & 255);
}

const isList = (value: Cbor): value is readonly Cbor[] => Array.isArray(value);

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

/** COSE algorithms (RFC 9053, RFC 8812) with the keys of node:crypto. */
const keyPairs = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-35]: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const;
type CoseAlgorithm = keyof typeof keyPairs;

/** The public key as COSE: EC2 for ES256 (P-256) and ES384 (P-384), OKP for EdDSA (Ed25519), RSA for RS256. */
function coseKey(publicKey: KeyObject, algorithm: CoseAlgorithm): Buffer {
  const { x, y, n, e } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
  const fields: Record<CoseAlgorithm, [number, Cbor][]> = {
    [-7]: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    [-35]: [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    [-8]: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    [-257]: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return cbor(new Map(fields[algorithm]));
}

const statement: readonly [string, Cbor][] = [
  ['alg', -7],
  ['sig', Buffer.from('no signature')],
  ['x5c', [Buffer.from('no certificate')]],
];

/**
 * An authenticator with its browser, in software, with attestation “none”. It answers the options of
 * `auth.passkey.register.start` and `auth.passkey.signin.start`; the differences of a forged answer are passed with
 * them.
 * @param origin the page that the browser shows
 * @param algorithm of its credentials: ES256 by default
 */
export function softwareAuthenticator(origin: string, algorithm: CoseAlgorithm = -7) {
  const credentials: Kept[] = [];
  const counter = { signatures: 0 };

  const clientData = (type: string, challenge: string, forgery: Forgery): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? origin,
        crossOrigin: forgery.crossOrigin ?? false,
      }),
    );

  const authenticatorData = (rpId: string, forgery: Forgery, attested?: Buffer): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forgery.signCount ?? counter.signatures);
    const set =
      ((forgery.userPresent ?? true) ? flags.userPresent : 0) |
      ((forgery.userVerified ?? true) ? flags.userVerified : 0) |
      ((forgery.backupEligible ?? true) ? flags.backupEligible : 0) |
      flags.backedUp |
      (attested ? flags.attested : 0);
    return Buffer.concat([sha256(forgery.rpId ?? rpId), Buffer.of(set), count, attested ?? Buffer.alloc(0)]);
  };

  return {
    credentials,
    /** The result of `navigator.credentials.create`. */
    create(options: CreationOptionsValue, forgery: Forgery & { credentialId?: Buffer; aaguid?: Buffer } = {}) {
      const { publicKey, privateKey } = keyPairs[algorithm]();
      const id = forgery.credentialId ?? randomBytes(32);
      credentials.push({ id, privateKey, userHandle: options.user.id });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([forgery.aaguid ?? Buffer.alloc(16), length, id, coseKey(publicKey, algorithm)]);
      const attestation = new Map<string, Cbor>([
        ['fmt', forgery.attestationFormat ?? 'none'],
        ['attStmt', new Map(forgery.attestationFormat ? statement : [])],
        ['authData', authenticatorData(options.rp.id, forgery, attested)],
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key' as const,
        authenticatorAttachment: 'platform',
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, forgery).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    /** The result of `navigator.credentials.get`, for the newest credential. */
    get(options: RequestOptionsValue, forgery: Forgery = {}) {
      const credential = credentials.at(-1);
      if (!credential) throw new Error('The authenticator has no credential.');
      const data = authenticatorData(options.rpId, forgery);
      const client = clientData('webauthn.get', options.challenge, forgery);
      const signature = sign(
        algorithm === -8 ? null : 'sha256',
        Buffer.concat([data, sha256(client)]),
        credential.privateKey,
      );
      if (forgery.tamperedSignature === true)
        signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
      return {
        id: credential.id.toString('base64url'),
        rawId: credential.id.toString('base64url'),
        type: 'public-key' as const,
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: forgery.userHandle ?? credential.userHandle,
        },
      };
    },
  };
}
