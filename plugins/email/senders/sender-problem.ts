import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { ReadinessProblem } from '#core/messaging/readiness.js';
import { keyName, keysOf } from '../tables/domain-key.js';
import { isSignedSender, provenDomain, signedDomain } from './verified.js';

/**
 * Why mail under a topic cannot be sent from an address, as a readiness problem.
 * @param edit how another address is named, as the end of “name an address at example.com …”
 * @returns null if it can be sent (isSignedSender)
 */
export async function senderProblem(
  context: Reading,
  environment: Environment,
  from: string,
  edit: string,
): Promise<ReadinessProblem | null> {
  if (await isSignedSender(context, environment, from)) return null;
  const signed = await signedDomain(context, environment);
  const other = signed === null ? [] : [`name an address at ${signed} ${edit}`];
  const proven = await provenDomain(context.db, environment, { domain: domainOf(from) });
  if (!proven)
    return {
      code: 'sender_not_verified',
      message: `The from address ${from} is not on a verified domain of this environment.`,
      fix: waysOf([...other, 'add its domain with email.domain.add and verify it with email.domain.verify']),
    };
  const keys = (await keysOf(context.db, [proven.id])).filter(({ replacedAt }) => replacedAt === null);
  const records = keys.map(({ selector }) => `TXT ${keyName(selector, proven.domain)}`).join(' and ');
  return {
    code: 'sender_not_verified',
    message: `No DKIM record of ${proven.domain} resolves, so mail from ${from} would be sent unsigned.`,
    fix: waysOf([
      `publish ${records} again, with the values that email.domain.get shows, and call email.domain.verify`,
      ...other,
    ]),
  };
}

/** The possible solutions in one sentence. */
function waysOf(ways: readonly string[]): string {
  const text = ways.join('; or ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
