import { dayMs, shift } from '#core/runtime/clock.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Caller } from '#core/kernel/caller/caller.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { perAccount, perIp, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';
import { text } from '#core/kernel/schema/schema.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { MemberRow } from '../tables/member.js';

/** How many days an invitation's link works after it was last sent. */
export const invitationDays = 7;

export const invitationToken = text('The token from the invitation link.', { pattern: '^svc_iv_[A-Za-z0-9]{43}$' });

/** Limits guesses at tokens. Showing an invitation and accepting it count together. */
export const invitationLimit = (description: string): NamedLimit =>
  perIp({ name: 'account.member.accept', max: 20, windowSeconds: 600, description });

const daySeconds = 86_400;

/** A limit that counts accepted invitations across all accounts. */
const acrossAccounts = (
  limit: Omit<NamedLimit, 'by' | 'acceptedOnly'>,
  by: (caller: Caller) => string | null,
): NamedLimit => ({ ...limit, acceptedOnly: true, by: ({ caller }) => by(caller) });

/** Limits invitations as mail to strangers. */
export const inviteLimits = [
  perAccount<{ email: string }>(
    {
      name: 'account.member.invite address',
      max: 3,
      windowSeconds: daySeconds,
      description: '3 invitations per day per mailbox and account',
      acceptedOnly: true,
    },
    ({ email }) => recipientKey(email),
  ),
  perAccount({
    name: 'account.member.invite',
    max: 50,
    windowSeconds: daySeconds,
    description: '50 invitations per day per account',
    acceptedOnly: true,
  }),
  // A person or an address may act in many accounts: opening another one does not allow inviting more people.
  acrossAccounts(
    {
      name: 'account.member.invite person',
      max: 50,
      windowSeconds: daySeconds,
      description: '50 invitations per day per member, across all of the member’s accounts',
    },
    (caller) => (caller.kind === 'member' ? mailboxKey(caller.label) : null),
  ),
  acrossAccounts(
    {
      name: 'account.member.invite ip',
      max: 100,
      windowSeconds: 3_600,
      description: '100 invitations per hour per IP address, across all accounts',
    },
    (caller) => addressGroup(caller.request.ip),
  ),
];

/** An invitation's token, which is only ever sent by mail, and what the member's row stores of it. */
interface Invitation {
  token: string;
  fields: Pick<MemberRow, 'inviteDigest' | 'inviteSealed' | 'inviteExpiresAt'>;
}

const cellOf = (memberId: string): Cell => ({ table: 'account_member', column: 'invite_sealed', row: memberId });
const expiryAfter = (now: Date): Date => shift(now, invitationDays * dayMs);

/** Whether an invitation's link no longer works because it was not used in time. */
export const hasExpired = ({ inviteExpiresAt }: MemberRow, now: Date): boolean =>
  inviteExpiresAt === null || inviteExpiresAt <= now;

/** A new link, which replaces the earlier one. */
export function newInvitation(vault: Vault, memberId: string, now: Date): Invitation {
  const token = `svc_iv_${randomToken(43)}`;
  const fields = {
    inviteDigest: sha256(token),
    inviteSealed: vault.seal(token, cellOf(memberId)),
    inviteExpiresAt: expiryAfter(now),
  };
  return { token, fields };
}

/** The invited member's current link with a new expiry, or a new link if it has expired. */
export function renewedInvitation(vault: Vault, member: MemberRow, now: Date): Invitation {
  const { id, inviteDigest, inviteSealed } = member;
  if (!inviteSealed || hasExpired(member, now)) return newInvitation(vault, id, now);
  const token = vault.open(inviteSealed, cellOf(id)).toString('utf8');
  return { token, fields: { inviteDigest, inviteSealed, inviteExpiresAt: expiryAfter(now) } };
}

/**
 * Checks that an invitation can still be accepted.
 * @returns when it expires
 * @throws invite_accepted, invite_revoked, invite_expired
 */
export function assertOpenInvitation(
  member: MemberRow,
  now: Date,
  fail: ErrorMakers<'invite_accepted' | 'invite_revoked' | 'invite_expired', SvcError>,
): Date {
  if (member.status === 'removed')
    throw fail.invite_revoked({ nextStep: 'Ask an owner or admin of the account to invite you again.' });
  if (member.acceptedAt)
    throw fail.invite_accepted({ nextStep: 'Sign in with the invited address to open the account.' });
  if (!member.inviteExpiresAt || hasExpired(member, now))
    throw fail.invite_expired({
      nextStep: 'Ask for a new invitation. Calling account.member.invite with the same address sends one.',
    });
  return member.inviteExpiresAt;
}
