import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { phoneKey } from '#core/kernel/schema/phone.js';
import { shift } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import { maskEmail, maskPhone, type IdentityFacts } from '../identities/normalize.js';
import { codeMail, codeText, linkMail, verifyAddressMail } from '../mails/templates.js';
import { signInTexts } from '../ports.js';
import type { ReturnTarget } from './return-target.js';
import { challenges } from '../tables/challenge.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { minutes } from '../tables/lifetimes.js';
import { codeDigest, linkDigest, newCode, newLinkToken } from './secrets.js';
import { countShared } from '#core/kernel/limits/count-against.js';
import { sharerOf } from '#core/messaging/system-budget.js';

interface NewProof {
  purpose: 'signin_code' | 'signin_link' | 'identity';
  /** The address or number to prove. */
  identity: IdentityFacts;
  /** The signed-in user who adds it; null for a sign-in, which must not depend on which user has the address. */
  userId: string | null;
  target: ReturnTarget;
  locale: string | null;
}

interface StartedProof {
  id: string;
  /** The address or number, masked. */
  sentTo: string;
  expiresAt: Date;
  /** Mail to the address bounced before. */
  hasBounced: boolean;
}

/**
 * Stores a challenge and sends its code or link, in the caller's transaction. It does the same in the same number of
 * statements, no matter who has the address.
 * @throws auth_send_limited, account_closed, provider_not_configured, destination_not_allowed
 */
export async function startProof(
  context: Context<never, 'auth_send_limited'>,
  environment: Environment,
  proof: NewProof,
): Promise<StartedProof> {
  const { db, clock, vault, deployment } = context;
  const { purpose, identity, userId, target, locale } = proof;
  const now = clock.now();
  const id = newId();
  const isLink = purpose === 'signin_link';
  const secret = isLink ? newLinkToken(id) : newCode();
  const lifetime = isLink ? minutes.link : minutes.code;
  const expiresAt = shift(now, lifetime * 60_000);
  await db.defer(
    challenges.insertRows([
      {
        id,
        environmentId: environment.id,
        purpose,
        userId,
        identityKind: identity.kind,
        identityKey: identity.key,
        identityValue: identity.value,
        secretDigest: isLink ? linkDigest(secret) : codeDigest(vault, id, secret),
        webauthnChallenge: null,
        methods: [],
        openedBy: null,
        attempts: 0,
        ...target,
        locale,
        createdAt: now,
        expiresAt,
        completedAt: null,
      },
    ]),
  );
  const shared = {
    to: identity.value,
    ...(locale === null ? {} : { locale }),
    ...(userId === null ? {} : { personId: userId }),
  };
  const valid = { minutes: String(lifetime) };
  if (identity.kind === 'phone') {
    await countText(context, environment, identity.value);
    const variables = { code: secret, ...valid };
    await context.use(signInTexts).queue(environment, { ...shared, template: codeText, variables });
    return { id, sentTo: maskPhone(identity.value), expiresAt, hasBounced: false };
  }
  const mail = isLink
    ? {
        template: linkMail,
        variables: valid,
        url: `${deployment.baseUrl}/auth/${environment.id}/link?token=${secret}`,
      }
    : { template: userId === null ? codeMail : verifyAddressMail, variables: { code: secret, ...valid } };
  const { hasBounced } = await context.use(transactionalMail).queue(environment, { ...shared, ...mail });
  return { id, sentTo: maskEmail(identity.value), expiresAt, hasBounced };
}

/** The digits at the end of a number that its prefix omits: a prefix is a block of 10,000 numbers. */
const subscriberDigits = 4;
const max = 20;
const windowSeconds = 3_600;

/**
 * Counts a sign-in text against the limit per block of numbers, across IP addresses: people who are paid for texts to
 * their own numbers have them in blocks. One IP address cannot use up the limit of a block.
 * @throws auth_send_limited
 */
async function countText(
  { db, clock, fail, caller }: Context<never, 'auth_send_limited'>,
  environment: Environment,
  number: string,
): Promise<void> {
  const prefix = phoneKey(number).slice(0, -subscriberDigits);
  const key = `sign-in text|${environment.id}|${prefix}`;
  const reached = await countShared(db, [{ key, max, windowSeconds, now: clock.now() }], sharerOf(caller));
  if (!reached) return;
  const { seconds, isShare } = reached;
  const period = `text messages per hour to numbers with the same prefix${isShare ? ', of which your IP address has used its share' : ''}`;
  throw fail.auth_send_limited({ limit: max, period, seconds });
}
