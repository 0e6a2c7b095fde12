import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import { claimsFrom } from './claims.js';

type Claims = Readonly<Record<string, string>>;

/**
 * The largest size of the claims of the settings in an access token, in bytes of JSON. With the claims that every token
 * has, and in base64, the token stays under 8 KiB: the longest line that nginx and others accept
 * (`large_client_header_buffers`), and half of the total header size that Node accepts.
 */
const maxClaimBytes = 4_096;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const claimBytes = (claims: Claims, metadata: string): number => bytesOf(claimsFrom(claims, jsonRecord(metadata)));

/** The claim with the longest value, for refusals. */
function longestClaim(claims: Claims, metadata: string): readonly [claim: string, key: string] {
  const values = claimsFrom(claims, jsonRecord(metadata));
  const [longest = ''] = Object.keys(values).sort((a, b) => bytesOf(values[b]) - bytesOf(values[a]));
  return [longest, claims[longest] ?? ''];
}

const limitText = `the headers that carry the token have room for at most ${maxClaimBytes}`;

/**
 * Refuses metadata that would make a user's access tokens longer than headers allow. Metadata that was stored before
 * the limit, or before the claim, may stay and become smaller.
 * @param before, after the user's metadata, JSON
 * @throws invalid_input
 */
export function requireClaimsFit(claims: Claims, before: string, after: string): void {
  const bytes = claimBytes(claims, after);
  if (bytes <= maxClaimBytes || bytes <= claimBytes(claims, before)) return;
  const [claim, key] = longestClaim(claims, after);
  throw invalidField(
    'metadata',
    `would put ${bytes} bytes of claims into the user’s access tokens, but ${limitText}: shorten “${key}”, or remove its claim with auth.settings.set {"claims": {${JSON.stringify(claim)}: null}}`,
  );
}

/** How many users are read in one statement. */
const pageSize = 200;

/**
 * Refuses claims that would make the access tokens of an existing user longer than headers allow. Each statement
 * searches for at most 5 seconds. If the environment is too large for that, `fittingClaims` keeps the tokens short.
 * @param claims all claims of the environment after the change
 * @param isChanged whether a claim was changed
 * @throws invalid_input naming the claim and the user
 */
export async function requireUsersFit(
  db: ReadSession,
  environmentId: string,
  claims: Claims,
  isChanged: (claim: string) => boolean,
): Promise<void> {
  const copies = Math.max(...Object.values(claims).map((key) => Object.values(claims).filter((k) => k === key).length));
  // Quotes, colon, comma and braces.
  const names = Object.keys(claims).reduce((sum, claim) => sum + bytesOf(claim) + 2, 2);
  const least = Math.max(2, Math.floor((maxClaimBytes - names) / copies));
  for (let after: Buffer = Buffer.alloc(16), full = true; full;) {
    const rows = await db
      .rows<{ id: Buffer; metadata: string }>(
        `SELECT id, metadata FROM auth_user WHERE environment_id = ? AND id > ? AND OCTET_LENGTH(metadata) > ?
         ORDER BY id LIMIT ${pageSize}`,
        [idBytes(environmentId), after, least],
      )
      .catch((error: unknown) => {
        if (isStatementTimeout(error)) return [];
        throw error;
      });
    for (const { id, metadata } of rows) {
      const bytes = claimBytes(claims, metadata);
      const [longest, key] = longestClaim(claims, metadata);
      if (bytes > maxClaimBytes) throw tooLong(Object.keys(claims).find(isChanged) ?? longest, bytes, key, idText(id));
    }
    after = rows.at(-1)?.id ?? after;
    full = rows.length === pageSize;
  }
}

const tooLong = (claim: string, bytes: number, key: string, userId: string): Error =>
  refusalOf.invalid_input({
    field: `claims.${claim}`,
    problem: `would put ${bytes} bytes of claims into the access tokens of the user ${userId}, but ${limitText}: shorten that user’s metadata “${key}” with auth.user.update, or omit the claim`,
    details: { field: `claims.${claim}`, userId },
  });

/**
 * The claims of a user's access token, in the order of the settings and as many as fit. Settings and metadata are
 * checked when they are written; this covers the case that both were written at the same time. A claim is omitted as a
 * whole, never cut.
 */
export function fittingClaims(claims: Claims, metadata: string): Record<string, unknown> {
  const all = claimsFrom(claims, jsonRecord(metadata));
  if (bytesOf(all) <= maxClaimBytes) return all;
  const fitting: Record<string, unknown> = {};
  for (const [claim, value] of Object.entries(all))
    if (bytesOf({ ...fitting, [claim]: value }) <= maxClaimBytes) fitting[claim] = value;
  return fitting;
}
