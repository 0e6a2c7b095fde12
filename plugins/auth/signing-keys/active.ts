import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { signingKeys, type SigningKeyRow, type SigningAlgorithm } from '../tables/signing-key.js';
import { makeSigningKey, openPrivateKey } from './keys.js';

/** How long clients may cache the set of published keys. A rotated key is published this long before it signs. */
export const jwksCacheSeconds = 300;

/**
 * The longest lifetime of an access token, regardless of the current `accessTokenSeconds`: it may have been longer when
 * the last token was signed, and a call that read the key before a rotation may still sign with it.
 */
export const longestTokenSeconds = 3_600 + 60;

/** A key that signs. */
export interface Signer {
  keyId: string;
  algorithm: SigningAlgorithm;
  privateKey: KeyObject;
}

/** The algorithm of an environment's first key. */
export const firstAlgorithm = 'ES256' satisfies SigningAlgorithm;

/**
 * Decrypted private keys by id. A key never changes, and the active key is read each time, so no entry becomes
 * outdated.
 */
const opened = new Map<string, KeyObject>();
const maxOpened = 1_000;

/**
 * The key that currently signs for an environment. The first call creates one. It is the active key, except in the
 * minutes after a rotation.
 * @param known the active key, if it was read already
 */
export async function activeSigner(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  environmentId: string,
  known: SigningKeyRow | null = null,
): Promise<Signer> {
  const active = known ?? (await activeKey(context, environmentId));
  const now = context.clock.now();
  const all = signsAt(active, now) ? [active] : await context.db.find(signingKeys, { environmentId });
  const { id: keyId, algorithm, privateKey } = signerAmong(all, now) ?? active;
  if (!privateKey) throw new Error(`The active signing key ${keyId} does not have a private half.`);
  const already = opened.get(keyId);
  if (already) return { keyId, algorithm, privateKey: already };
  const key = createPrivateKey({ key: openPrivateKey(context.vault, keyId, privateKey), format: 'der', type: 'pkcs8' });
  if (opened.size >= maxOpened) opened.clear();
  opened.set(keyId, key);
  return { keyId, algorithm, privateKey: key };
}

const signsAt = ({ signsFrom }: SigningKeyRow, now: Date): boolean => signsFrom === null || signsFrom <= now;

/**
 * Of an environment's keys, the one that signs now. Until the active key begins to, it is the newest replaced key that
 * may still sign: it is published until all of its tokens have expired. A retired key does not sign, so the active key
 * takes its place immediately.
 * @returns undefined if no key is active yet
 */
export function signerAmong(keys: readonly SigningKeyRow[], now: Date): SigningKeyRow | undefined {
  const active = keys.find(({ activeEnvironmentId }) => activeEnvironmentId !== null);
  if (!active || signsAt(active, now)) return active;
  const longest = shift(now, longestTokenSeconds * 1000);
  const [replaced] = keys
    .filter(
      (key) => key.status === 'published' && signsAt(key, now) && key.retiresAt !== null && key.retiresAt >= longest,
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  return replaced ?? active;
}

/**
 * The environment's active key. The first call creates one. If several calls run at the same time, one of them wins.
 */
export async function activeKey(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  environmentId: string,
): Promise<SigningKeyRow> {
  const found = await db.findOne(signingKeys, { activeEnvironmentId: environmentId });
  if (found) return found;
  const made = await makeSigningKey(vault, environmentId, firstAlgorithm, clock.now());
  try {
    await db.insert(signingKeys, made);
    return made;
  } catch (error) {
    if (!isDuplicate(error, 'active')) throw error;
    const other = await db.findOne(signingKeys, { activeEnvironmentId: environmentId });
    if (!other) throw error;
    return other;
  }
}
