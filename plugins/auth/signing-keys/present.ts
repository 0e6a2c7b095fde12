import type { SigningKeyRow } from '../tables/signing-key.js';
import type { SigningKeyValue } from './resources.js';

/**
 * Whether tokens that the key signed can still be verified: it signs, or it was replaced and its last token has not
 * expired.
 */
export const isPublished = ({ status, retiresAt }: Pick<SigningKeyRow, 'status' | 'retiresAt'>, now: Date): boolean =>
  status === 'active' || (status === 'published' && retiresAt !== null && retiresAt > now);

/** A key as replies and events show it. It is shown as retired once the last token that it signed has expired. */
export const presentSigningKey = (row: SigningKeyRow, now: Date): SigningKeyValue => ({
  keyId: row.id,
  algorithm: row.algorithm,
  status: row.status === 'active' ? 'active' : isPublished(row, now) ? 'published' : 'retired',
  publicJwk: row.publicJwk,
  createdAt: row.createdAt.toISOString(),
  signsFrom: row.signsFrom?.toISOString() ?? null,
  retiresAt: row.retiresAt?.toISOString() ?? null,
});
