import { withoutShard, withShard } from '#core/runtime/secrets/sealed-shard.js';
import { SealedValueError, type Cell, type Vault } from '#core/runtime/secrets/vault.js';
import { dayMs } from '#core/runtime/clock.js';

/** How long a confirmation link works. */
export const confirmationDays = 7;

/** What somebody entered in a subscribe form and has not confirmed yet. */
export interface PendingSubscription {
  environmentId: string;
  /** The topic's key. */
  topic: string;
  email: string;
  /** Empty if none was given. */
  firstName: string;
  /** The language of the form. */
  locale: string;
  /** The web page with the form, for the consent record. */
  from: string;
  requestedAt: Date;
}

const prefix = 'svc_sub_';
/** The same cell for all tokens, because they are not bound to a row. */
const cell: Cell = { table: 'audience_contact', column: 'subscription_link', row: 'link' };

/**
 * The token of a confirmation link: encrypted and authenticated. It is the only place where svc stores an address that
 * nobody has confirmed (docs/decisions/0128-subscriptions-in-their-link.md).
 */
export function sealSubscription(vault: Vault, { requestedAt, ...pending }: PendingSubscription): string {
  const content = new URLSearchParams({ ...pending, requestedAt: requestedAt.toISOString() });
  return prefix + withShard(vault.seal(content.toString(), cell).toString('base64url'));
}

/** Opens a token, expired or not; null for anything that `sealSubscription` did not make. */
export function openSubscription(vault: Vault, token: string): PendingSubscription | null {
  const text = withoutShard(token.slice(prefix.length)) ?? '';
  const sealed = Buffer.from(text, 'base64url');
  // Decoding is lenient; a token has exactly one valid spelling.
  if (!token.startsWith(prefix) || sealed.toString('base64url') !== text) return null;
  try {
    const content = new URLSearchParams(vault.open(sealed, cell).toString());
    const of = (name: keyof PendingSubscription): string => content.get(name) ?? '';
    return {
      environmentId: of('environmentId'),
      topic: of('topic'),
      email: of('email'),
      firstName: of('firstName'),
      locale: of('locale'),
      from: of('from'),
      requestedAt: new Date(of('requestedAt')),
    };
  } catch (error) {
    if (error instanceof SealedValueError) return null;
    throw error;
  }
}

/** Whether a confirmation link no longer works because of its age. */
export const hasExpired = ({ requestedAt }: Pick<PendingSubscription, 'requestedAt'>, now: Date): boolean =>
  now.getTime() >= requestedAt.getTime() + confirmationDays * dayMs;
