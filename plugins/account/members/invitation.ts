import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { perIp, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import { text } from '#core/kernel/schema/schema.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import type { Place, Vault } from '#core/runtime/secrets/vault.js';
import type { MemberRow } from '../tables/member.js';

/** How long a link works after it was sent (catalog: invitations 7 days). */
export const invitationDays = 7;

export const invitationToken = text('The token of an invitation’s link.', { pattern: '^svc_iv_[A-Za-z0-9]{43}$' });

/** Guesses at tokens, counted in one for looking at an invitation and for accepting it. */
export const invitationLimit = (words: string): NamedLimit =>
  perIp({ name: 'account.member.accept', max: 20, windowSeconds: 600, words });

/** What a member's row holds of an invitation, and the token of its link, which leaves in the mail alone. */
export interface Invitation {
  token: string;
  held: Pick<MemberRow, 'inviteDigest' | 'inviteSealed' | 'inviteExpiresAt'>;
}

const place = (memberId: string): Place => ({ table: 'account_member', column: 'invite_sealed', row: memberId });
const expiryFrom = (now: Date): Date => new Date(now.getTime() + invitationDays * 86_400_000);
const isOver = ({ inviteExpiresAt }: MemberRow, now: Date): boolean =>
  inviteExpiresAt === null || inviteExpiresAt <= now;

/** A new link: one that was sent before stops. */
export function newInvitation(vault: Vault, memberId: string, now: Date): Invitation {
  const token = `svc_iv_${randomToken(43)}`;
  const held = {
    inviteDigest: sha256(token),
    inviteSealed: vault.seal(token, place(memberId)),
    inviteExpiresAt: expiryFrom(now),
  };
  return { token, held };
}

/** The link that somebody invited already has, good for as long again; a new one where that one has expired. */
export function renewedInvitation(vault: Vault, member: MemberRow, now: Date): Invitation {
  const { id, inviteDigest, inviteSealed } = member;
  if (!inviteSealed || isOver(member, now)) return newInvitation(vault, id, now);
  const token = vault.open(inviteSealed, place(id)).toString('utf8');
  return { token, held: { inviteDigest, inviteSealed, inviteExpiresAt: expiryFrom(now) } };
}

/**
 * May this invitation still be accepted?
 * @returns when it expires
 * @throws invite_accepted, invite_revoked, invite_expired
 */
export function mustBeOpen(
  member: MemberRow,
  now: Date,
  fail: ErrorMakers<'invite_accepted' | 'invite_revoked' | 'invite_expired', SvcError>,
): Date {
  if (member.acceptedAt) throw fail.invite_accepted();
  if (member.status === 'removed') throw fail.invite_revoked();
  if (!member.inviteExpiresAt || isOver(member, now)) throw fail.invite_expired();
  return member.inviteExpiresAt;
}
