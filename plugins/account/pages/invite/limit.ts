import type { NamedLimit } from '#core/kernel/limits/named-limit.js';
import type { PageCallOptions } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { members } from '../../tables/member.js';

const perInvitation = (memberId: string): NamedLimit => ({
  name: 'account.invite.page',
  max: 60,
  windowSeconds: 600,
  description: '60 visits per invitation in 10 minutes',
  by: () => `member:${memberId}`,
});

/**
 * Counts visits with an invitation's link per invitation, not per IP address: a team joins from one office, and each
 * person loads the page several times. Tokens that belong to no invitation are guesses, which the operations count per
 * IP address.
 */
export async function invitationLimits(
  { database }: Services,
  token: string,
): Promise<Pick<PageCallOptions, 'limits'>> {
  const member = await database.findOne(members, { inviteDigest: sha256(token) });
  return member ? { limits: [perInvitation(member.id)] } : {};
}
