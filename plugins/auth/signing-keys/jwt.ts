import { sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Signer } from './active.js';
import type { SigningAlgorithm } from '../tables/signing-key.js';

/*
 * Access tokens as JWS (RFC 7515) in compact form. jsonwebtoken creates and checks ES256 and RS256. It does not support
 * EdDSA (RFC 8037), which node:crypto signs here.
 */

export type Claims = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims, which contain `iat` and `exp`, with `kid` and `typ: JWT` in the header. */
export function signJwt({ keyId, algorithm, privateKey }: Signer, claims: Claims): string {
  // Without noTimestamp, which would remove the `iat` of the claims.
  if (algorithm !== 'EdDSA') return jwt.sign({ ...claims }, privateKey, { algorithm, keyid: keyId });
  const text = `${encode({ alg: algorithm, typ: 'JWT', kid: keyId })}.${encode(claims)}`;
  return `${text}.${signBytes(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/**
 * The contents of a token before anything is checked; null for anything that does not have the form of one of svc's
 * access tokens.
 */
export function claimedIn(token: string): { keyId: string; sessionId: string } | null {
  const [head, body] = token.split('.');
  const { kid, typ } = parsePart(head) ?? {};
  const { sid } = parsePart(body) ?? {};
  return typ === 'JWT' && typeof kid === 'string' && typeof sid === 'string' ? { keyId: kid, sessionId: sid } : null;
}

/**
 * The claims of a token whose signature was made by this key with its one algorithm. The caller must check the times in
 * it.
 * @returns null for a wrong signature, another algorithm in the header, or a malformed token
 */
export function verifyJwt(token: string, publicKey: KeyObject, algorithm: SigningAlgorithm): Claims | null {
  // Three parts of base64url: the decoder would ignore other characters, such as a line break at the end.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  const [head = '', body = '', signature = ''] = token.split('.');
  if (parsePart(head)?.['alg'] !== algorithm) return null;
  if (algorithm === 'EdDSA') {
    const valid = verifyBytes(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
    return valid ? parsePart(body) : null;
  }
  try {
    const claims = jwt.verify(token, publicKey, {
      algorithms: [algorithm],
      ignoreExpiration: true,
      ignoreNotBefore: true,
    });
    return typeof claims === 'string' ? null : { ...claims };
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return null;
    throw error;
  }
}

function parsePart(part: string | undefined): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? Object.fromEntries(Object.entries(parsed))
      : null;
  } catch {
    return null; // If it is not JSON, it is not an access token of svc.
  }
}
