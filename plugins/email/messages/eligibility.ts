import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { directory } from '#plugins/account/ports.js';
import { recipients, type Recipients } from '#plugins/audience/ports.js';

/** Why somebody does not get a message. */
export type BlockedReason = 'test_environment' | 'no_consent' | 'suppressed_recipient';

export interface Reach {
  address: string;
  /** The contact who has the address, where the audience product knows one. */
  contactId: string | null;
  /** Null where the message may go there. */
  blocked: BlockedReason | null;
}

/**
 * Who of the addressed may get mail from this environment, now: asked when a message is accepted and again as it leaves. A test
 * environment reaches the account's own active members alone, at addresses that are proven to be theirs (specification, What the service
 * does, 4); consent and suppressions are the audience product's to say (the same, 5).
 * @param topic null for mail that no subscription is needed for
 */
export async function reachable(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  topic: string | null,
  addresses: readonly string[],
): Promise<Reach[]> {
  const [proven, verdicts] = await Promise.all([
    environment.kind === 'live' ? undefined : use(directory).provenAddresses(environment.accountId),
    use(recipients).checkEligibility(environment.id, { channel: 'email', topic, system: false }, addresses),
  ]);
  const provenKeys = proven && new Set(proven);
  return verdicts.map(({ address, contactId, blockReason }) => ({
    address,
    contactId,
    blocked: provenKeys?.has(mailboxKey(address)) === false ? 'test_environment' : blockReason,
  }));
}

/** Without the audience product nobody has unsubscribed, and there are no topics to ask about. */
export const everybodyMay = (): Recipients => ({
  checkEligibility: (_environmentId, _purpose, addresses) =>
    Promise.resolve(
      addresses.map((address) => ({ address, contactId: null, blockReason: null, suppressionReason: null })),
    ),
  mustBeSendable: () => Promise.resolve(),
  eligibleRecipients: () =>
    Promise.resolve({
      sql: 'SELECT NULL AS contact_id, NULL AS address LIMIT 0',
      parameters: [],
      columns: ['contact_id', 'address'],
    }),
  preferencesUrl: () => '',
});
