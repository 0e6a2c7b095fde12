import type { Session } from '#core/runtime/database/session.js';
import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import { digestOf, loadFormerOptOuts, type ContactAddresses, type FormerOptOut } from './history.js';
import type { ConsentClaim } from './plan.js';

/** A contact before and after a write; `before` is null for a new one, which has no consents. */
export interface AddressChange {
  before: ContactAddresses | null;
  after: ContactAddresses;
}

type FormerClaim = ConsentClaim & { state: 'revoked' };

/** The `source` of revocations that a contact gets with an address. */
const sources: Readonly<Record<Channel, string>> = {
  email: 'opt-out at this address',
  sms: 'opt-out at this number',
};

/** The channels on which an existing contact got an address that it did not have. */
const gainedOn = ({ before, after }: AddressChange): Channel[] =>
  channels.filter((channel) => {
    const digest = digestOf(after, channel);
    return before !== null && digest !== null && digestOf(before, channel)?.equals(digest) !== true;
  });

/** Whether an existing contact got an address or number that it did not have. */
export const gainsAddress = (change: AddressChange): boolean => gainedOn(change).length > 0;

/**
 * The opt-outs that contacts get with their new addresses, as claims for `recordConsents`: opt-outs of contacts that
 * had these addresses before. They revoke what the contact agreed to at another address, unless it did so later.
 *
 * Call it after the contacts were written, so that no other contact can have one of the addresses meanwhile, and append
 * the claims before grants of the same call.
 * @param changes of contacts of one environment
 * @returns the claims of each change, in the order of `changes`
 */
export async function optOutsAtGainedAddresses(
  db: Session,
  changes: readonly AddressChange[],
): Promise<FormerClaim[][]> {
  const gained = changes.map((change) =>
    gainedOn(change).flatMap((channel) => {
      const digest = digestOf(change.after, channel);
      return digest ? [{ channel, digest }] : [];
    }),
  );
  const [first] = changes;
  const digests = gained.flat().map(({ digest }) => digest);
  const optOuts = first && digests.length > 0 ? await loadFormerOptOuts(db, first.after.environmentId, digests) : [];
  const byDigest = new Map<string, FormerOptOut[]>();
  for (const optOut of optOuts) {
    const key = optOut.digest.toString('hex');
    const group = byDigest.get(key);
    if (group) group.push(optOut);
    else byDigest.set(key, [optOut]);
  }
  return changes.map(({ after: contact }, index) =>
    (gained[index] ?? []).flatMap(({ channel, digest }) =>
      (byDigest.get(digest.toString('hex')) ?? []).map((optOut) => claimOf(contact, channel, optOut)),
    ),
  );
}

/** Given when the person opted out, so that a consent given after it counts. */
const claimOf = (contact: ContactAddresses, channel: Channel, { topic, until }: FormerOptOut): FormerClaim => ({
  contact,
  channel,
  topic,
  state: 'revoked',
  source: sources[channel],
  givenAt: until,
  ofFormerContact: true,
});
