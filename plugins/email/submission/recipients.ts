import { mailboxKey, parseAddress } from '#core/kernel/schema/email-address.js';
import { displayNameProblem } from '../templates/header.js';
import type { Addressed } from '../messages/validate.js';
import type { ShownMailbox, Submission } from '../tables/message.js';
import type { SubmittedMail } from '../inbound/parse/parsed.js';

/** The most recipients of a message of email.send. */
const perMessage = 50;

/** The recipients of the messages that a submitted one becomes, and what its To and Cc show. */
interface Addressing {
  readonly messages: readonly Addressed[];
  readonly shown: Submission['shown'];
}

/**
 * Recipients of the envelope that appear in To and Cc are to and cc; the others are bcc. More than 50 become several
 * messages, which all show the same To and Cc.
 * @param envelope as `parseAddress` returns them
 * @param isToOne whether a single recipient is `to` wherever it stands: mail under a topic has exactly one
 */
export function addressingOf(
  mail: Pick<SubmittedMail, 'to' | 'cc' | 'replyTo'>,
  envelope: readonly string[],
  isToOne: boolean,
): Addressing {
  const [to, cc, replyTo] = [valid(mail.to), valid(mail.cc), valid(mail.replyTo)];
  const keysOf = (mailboxes: readonly ShownMailbox[]): Set<string> =>
    new Set(mailboxes.map(({ address }) => mailboxKey(address)));
  const [inTo, inCc] = [keysOf(to), keysOf(cc)];
  const recipients = [...new Map(envelope.map((address) => [mailboxKey(address), address]))];
  const names: Record<string, string> = {};
  for (const { address, name } of [...to, ...cc, ...replyTo]) if (name !== null) names[address] ??= name;
  const groups = Array.from({ length: Math.ceil(recipients.length / perMessage) }, (_, index) =>
    recipients.slice(index * perMessage, (index + 1) * perMessage),
  );
  const messages = groups.map((group): Addressed => {
    const isTo = ([key]: readonly [string, string]): boolean => inTo.has(key) || (isToOne && recipients.length === 1);
    const isCc = (each: readonly [string, string]): boolean => !isTo(each) && inCc.has(each[0]);
    const addressesOf = (kept: (each: readonly [string, string]) => boolean): string[] =>
      group.filter(kept).map(([, address]) => address);
    return {
      to: addressesOf(isTo),
      cc: addressesOf(isCc),
      bcc: addressesOf((each) => !isTo(each) && !isCc(each)),
      replyTo: replyTo.map(({ address }) => address),
      names,
    };
  });
  const [first] = messages;
  const isShownAlready =
    messages.length === 1 &&
    first !== undefined &&
    isSame(first.to, to) &&
    isSame(first.cc, cc) &&
    names === first.names;
  return { messages, shown: isShownAlready ? null : { to, cc } };
}

const isSame = (addresses: readonly string[], shown: readonly ShownMailbox[]): boolean =>
  addresses.length === shown.length && shown.every(({ address }) => addresses.includes(address));

/** The mailboxes that can be sent to, with names that a header can have. */
const valid = (mailboxes: SubmittedMail['to']): ShownMailbox[] =>
  mailboxes.flatMap(({ address, name }) => {
    const parsed = parseAddress(address);
    if (!parsed.ok) return [];
    return [{ address: parsed.address, name: name === null || displayNameProblem(name) !== null ? null : name }];
  });
