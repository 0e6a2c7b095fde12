import { blockRule, explainBlock, type BlockedBy } from '#core/messaging/blocked.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { boolean, dateTime, list, nullable, object, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { channels } from '../channels.js';
import { decideEligibility } from './decide-eligibility.js';
import type { Channel } from '../ports.js';
import { channel } from '../resources.js';
import type { ContactRow } from '../tables/contact.js';
import { topics } from '../tables/topic.js';

const Reach = object({
  channel,
  topic: nullable(text('The key of the topic; null for messages without a topic, such as receipts.')),
  reachable: boolean('Whether a message can be sent now.'),
  reason: nullable(blockRule('The rule that blocks it; null if reachable. ')),
  since: nullable(dateTime('When the person opted out, or the address was suppressed; null if there is no record.')),
  recordId: nullable(uuid('The consent record or the suppression that blocks it; null if there is none.')),
  fix: nullable(text('The next step; null if reachable.')),
});

/** Whether a contact may be reached, in replies. */
export const reachList = list(
  Reach,
  'For each channel: whether the contact can be sent a message now, without a topic and under each topic that has the channel, and what blocks it. Does not include what blocks every message of the environment, such as a missing SMS registration or a test key.',
);

/**
 * Whether a contact may be sent messages now, by channel and topic, as `decideEligibility` decides it when sending. An
 * archived topic, or a topic that no longer has a channel, is listed only if the contact has made a choice about it.
 * @param said the topics and channels about which the contact has made a choice
 */
export async function reachOf(
  context: { readonly db: ReadSession; readonly vault: Vault },
  { environmentId, email, phone }: Pick<ContactRow, 'environmentId' | 'email' | 'phone'>,
  said: readonly { readonly channel: Channel; readonly topic: string }[],
): Promise<ValueOf<typeof reachList>> {
  const known = await context.db.find(topics, { environmentId });
  const lists = await Promise.all(
    channels.map(async (on) => {
      const address = on === 'email' ? email : phone;
      const listed = known.filter(
        ({ topic, channels: has, archivedAt }) =>
          (archivedAt === null && has.includes(on)) || said.some((of) => of.channel === on && of.topic === topic),
      );
      const keys = [null, ...listed.map(({ topic }) => topic).sort()];
      if (address === null)
        return keys.map((topic) =>
          presentReach(
            { rule: 'no_address', channel: on, topic, recordId: null, since: null, source: null },
            on,
            topic,
          ),
        );
      const questions = keys.map((topic) => ({ channel: on, topic, system: false, address }));
      const answers = await decideEligibility(context, environmentId, questions);
      return answers.map(({ blockedBy }, index) => presentReach(blockedBy, on, keys[index] ?? null));
    }),
  );
  return lists.flat();
}

const presentReach = (by: BlockedBy | null, on: Channel, topic: string | null): ValueOf<typeof Reach> => ({
  channel: on,
  topic,
  reachable: by === null,
  reason: by && by.rule,
  since: by && by.since,
  recordId: by && by.recordId,
  fix: by && explainBlock(by).fix,
});
