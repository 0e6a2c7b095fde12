import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { erasedSince } from '#core/kernel/erasure/erased.js';
import { perInput, perIp, perUser } from '#core/kernel/limits/named-limit.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';
import { text } from '#core/kernel/schema/schema.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import { orgInvites, type OrgInviteRow } from '../tables/org-invite.js';

/** How many days an invitation's link works after it was last sent. */
export const invitationDays = 7;

const prefix = 'svc_oi_';

/** Any text: one that does not have the form of a token is answered like an unknown one. */
export const invitationToken = text('The token from the invitation link.', { minLength: 1, maxLength: 200 });
export const exampleInvitationToken = `${prefix}${'x'.repeat(43)}`;

const hourSeconds = 3_600;
const daySeconds = 86_400;

/**
 * Limits invitations as mail to strangers. Refused calls do not count, so that other people cannot use up an
 * organization's limit.
 */
export const inviteLimits = [
  perInput<{ organizationId: string; email: string }>(
    {
      name: 'auth.org.invite.create address',
      max: 3,
      windowSeconds: daySeconds,
      description: '3 invitations per day per mailbox and organization',
      acceptedOnly: true,
    },
    ({ organizationId, email }) => `${organizationId.toLowerCase()}:${recipientKey(email)}`,
  ),
  // Creating more organizations does not allow sending more mail to a person.
  perInput<{ email: string }>(
    {
      name: 'auth.org.invite.create mailbox',
      max: 10,
      windowSeconds: daySeconds,
      description: '10 invitations per day per mailbox, from all organizations together',
      acceptedOnly: true,
    },
    ({ email }) => recipientKey(email),
  ),
  perInput<{ organizationId: string }>(
    {
      name: 'auth.org.invite.create',
      max: 50,
      windowSeconds: hourSeconds,
      description: '50 invitations per hour per organization',
      acceptedOnly: true,
    },
    ({ organizationId }) => organizationId.toLowerCase(),
  ),
  // Creating ten organizations does not allow a user to invite more people.
  perUser({
    name: 'auth.org.invite.create user',
    max: 50,
    windowSeconds: hourSeconds,
    description: '50 invitations per hour per user',
    acceptedOnly: true,
  }),
  perIp({
    name: 'auth.org.invite.create ip',
    max: 100,
    windowSeconds: hourSeconds,
    description: '100 invitations per hour per IP address',
    acceptedOnly: true,
  }),
];

const cellOf = (inviteId: string): Cell => ({ table: 'auth_org_invite', column: 'token_sealed', row: inviteId });

/** A token, which is only ever sent by mail, and what the invitation's row stores of it. */
interface IssuedToken {
  token: string;
  fields: Pick<OrgInviteRow, 'tokenDigest' | 'tokenSealed' | 'expiresAt'>;
}

const expiryAfter = (now: Date): Date => shift(now, invitationDays * dayMs);

/** Whether an invitation's link no longer works because it was not used in time. */
export const hasExpired = ({ expiresAt }: Pick<OrgInviteRow, 'expiresAt'>, now: Date): boolean => expiresAt <= now;

/** A new token, which replaces the earlier one. */
export function newToken(vault: Vault, inviteId: string, now: Date): IssuedToken {
  const token = `${prefix}${randomToken(43)}`;
  const tokenSealed = vault.seal(token, cellOf(inviteId));
  return { token, fields: { tokenDigest: sha256(token), tokenSealed, expiresAt: expiryAfter(now) } };
}

/**
 * The open invitation's token with a new expiry, so that a mail sent earlier still works; a new token if it has
 * expired.
 */
export function renewedToken(vault: Vault, invite: OrgInviteRow, now: Date): IssuedToken {
  const { id, tokenDigest, tokenSealed } = invite;
  if (!tokenSealed || hasExpired(invite, now)) return newToken(vault, id, now);
  const token = vault.open(tokenSealed, cellOf(id)).toString('utf8');
  return { token, fields: { tokenDigest, tokenSealed, expiresAt: expiryAfter(now) } };
}

/**
 * The invitation with this token in the environment; null if there is none, or if the invited person was erased after
 * it was last sent. The eraser deletes it, unless a person of another product has the address too.
 */
export async function findInvite(
  { db, vault }: { db: ReadSession; vault: Vault },
  environmentId: string,
  token: string,
): Promise<OrgInviteRow | null> {
  const [row] = await db.prepared<object>(
    `SELECT ${orgInvites.columnList()} FROM auth_org_invite WHERE token_digest = ? AND environment_id = ?`,
    [sha256(token), idBytes(environmentId)],
  );
  if (!row) return null;
  const invite = orgInvites.decode(row);
  const sent = { environmentId, product: 'auth', acceptedAt: shift(invite.expiresAt, -invitationDays * dayMs) };
  const [isErased] = await erasedSince({ db, vault }, sent, [invite]);
  return isErased === true ? null : invite;
}

/**
 * Checks that an invitation can still be accepted.
 * @throws invite_accepted, invite_revoked, invite_expired
 */
export function assertOpenInvite(
  invite: OrgInviteRow,
  now: Date,
  fail: ErrorMakers<'invite_accepted' | 'invite_revoked' | 'invite_expired', SvcError>,
): void {
  if (invite.acceptedAt)
    throw fail.invite_accepted({ nextStep: 'Sign in with the invited address to find the organization.' });
  if (invite.revokedAt)
    throw fail.invite_revoked({ nextStep: 'Ask an owner or admin of the organization to invite you again.' });
  if (hasExpired(invite, now))
    throw fail.invite_expired({
      nextStep: 'Ask for a new invitation. Calling auth.org.invite.create with the same address sends one.',
    });
}
