import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { sameMailbox } from '#core/kernel/schema/email-address.js';
import { validateSendAfter } from '#core/messaging/input.js';
import { recipients as audienceRecipients } from '#plugins/audience/ports.js';
import { findSender, projectAddress, projectDomain } from '../senders/sender.js';
import { requireVerifiedSender } from '../senders/verified.js';
import { settings } from '../deployment/settings.js';
import type { NewMail } from './accept.js';
import { threadsOf, type ThreadHeaders } from './answered.js';
import type { Submission } from '../tables/message.js';
import type { Attachment } from './attachments.js';
import { mailEligibility, type AddressEligibility } from './eligibility.js';
import type { MessageFields } from './input.js';
import { at, atAsync, type IndexInCall } from './index-in-call.js';
import type { RenderedMessage } from './render-input.js';
import type { SenderRow } from '../tables/sender.js';
import { validateHeaders, validateMailbox, validateRecipients, validateTopic, type Addressed } from './validate.js';

/** A message of a call, rendered. */
export interface GivenMessage extends RenderedMessage {
  readonly input: MessageFields;
  readonly attachments: readonly Attachment[];
  /** What a message that came by SMTP keeps of its headers. */
  readonly submitted?: { readonly thread: ThreadHeaders; readonly submission: Submission };
  /** Its position in its call. */
  readonly indexInCall: IndexInCall;
}

interface ReadMessage extends GivenMessage {
  readonly addressed: Addressed;
  readonly sendAfter: Date | null;
  readonly topic: string | null;
}

const addressesOf = ({ to, cc, bcc }: Addressed): string[] => [...to, ...cc, ...bcc];

/**
 * Checks the messages of a call: their fields, whether their topics can be sent under, their senders and their
 * recipients. The number of database queries grows with the number of different topics and senders, not of messages.
 * Recipients are checked again before the submission.
 * @param known the sender, if rendering the messages has read it
 * @returns mails to accept, in the messages' order
 * @throws invalid_input, not_found for topics and answered messages, topic_archived, sender_not_verified; they name the
 * first message that causes the error
 */
export async function checkMessages(
  context: ReadContext<'sender_not_verified'>,
  environment: Environment,
  given: readonly GivenMessage[],
  known: SenderRow | null | undefined,
): Promise<NewMail[]> {
  const now = context.clock.now();
  const { relayHeaders } = context.deployment.settingsOf(settings);
  const read = given.map((message): ReadMessage => {
    const { input, indexInCall } = message;
    return at(indexInCall, () => {
      const addressed = message.addressed ?? validateRecipients(input);
      validateHeaders(input, relayHeaders);
      if (!message.addressed) validateTopic(input, addressed);
      return { ...message, addressed, sendAfter: validateSendAfter(input.sendAfter, now), topic: input.topic ?? null };
    });
  });
  // In a transaction they share a round trip; outside, concurrent calls share the reads.
  const [own, sender, eligibilityOf, threadOf] = await Promise.all([
    projectDomain(context, environment),
    known === undefined ? findSender(context, environment.id) : known,
    eligibilityByTopic(context, environment, read),
    threadsOf(context.db, environment.id, read),
    requireTopics(context, environment, read),
  ]);
  const mails = read.map((message) => {
    const { input, addressed, content, template, attachments, topic, sendAfter, indexInCall, submitted } = message;
    const { to, cc, bcc, replyTo, names } = addressed;
    const from = at(indexInCall, () => (input.from === undefined ? undefined : validateMailbox('from', input.from)));
    const ownAddress = sender?.fromAddress ?? projectAddress(own);
    const ownName = from === undefined || sameMailbox(from.address, ownAddress) ? (sender?.fromName ?? null) : null;
    return {
      environment,
      eligibility: addressesOf(addressed).map((address) => eligibilityOf(topic, address)),
      isSystem: false,
      from: {
        address: from?.address ?? ownAddress,
        name: input.fromName ?? from?.name ?? ownName,
      },
      replyTo: replyTo.length > 0 || !sender?.replyTo ? replyTo : [sender.replyTo],
      to,
      cc,
      bcc,
      names,
      content,
      attachments,
      headers: { ...input.headers, ...threadOf(input.inReplyTo), ...submitted?.thread },
      submission: submitted?.submission,
      tags: input.tags ?? {},
      template,
      topic,
      personId: null,
      sendAfter,
    };
  });
  const firstFrom = new Map<string, IndexInCall>();
  for (const [index, { from }] of mails.entries())
    if (!firstFrom.has(from.address)) firstFrom.set(from.address, read[index]?.indexInCall);
  await Promise.all(
    [...firstFrom].map(([from, indexInCall]) =>
      atAsync(indexInCall, () => requireVerifiedSender(context, environment, from)),
    ),
  );
  return mails;
}

/** Checks each topic once. */
async function requireTopics(
  { use }: Pick<ReadContext, 'use'>,
  environment: Environment,
  messages: readonly ReadMessage[],
): Promise<void> {
  const first = new Map<string, IndexInCall>();
  for (const { topic, indexInCall } of messages) if (topic !== null && !first.has(topic)) first.set(topic, indexInCall);
  await Promise.all(
    [...first].map(([topic, indexInCall]) =>
      atAsync(indexInCall, () => use(audienceRecipients).mustBeSendable(environment.id, topic)),
    ),
  );
}

/** Checks the recipients of each topic, and of messages without a topic, together. */
async function eligibilityByTopic(
  context: Pick<ReadContext, 'use' | 'deployment'>,
  environment: Environment,
  messages: readonly ReadMessage[],
): Promise<(topic: string | null, address: string) => AddressEligibility> {
  const addresses = new Map<string | null, Set<string>>();
  for (const { topic, addressed } of messages) {
    const known = addresses.get(topic) ?? new Set();
    addressesOf(addressed).forEach((address) => known.add(address));
    addresses.set(topic, known);
  }
  const found = new Map<string, AddressEligibility>();
  const keyOf = (topic: string | null, address: string): string => JSON.stringify([topic, address]);
  await Promise.all(
    [...addresses].map(async ([topic, all]) => {
      const checked = await mailEligibility(context, environment, { topic, isSystem: false }, [...all]);
      [...all].forEach((address, index) => {
        const each = checked[index];
        if (each) found.set(keyOf(topic, address), each);
      });
    }),
  );
  return (topic, address) => {
    const each = found.get(keyOf(topic, address));
    if (!each) throw new Error('The eligibility of a recipient was not checked.');
    return each;
  };
}
