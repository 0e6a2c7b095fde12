import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/channel.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import type { MessageRow } from '../tables/message.js';
import { fixtureOf } from './fixtures.js';

type Ended = LoadedMessage<MessageRow> & { readonly environment: Environment };

/** Codes with which providers refuse a text because its recipient told the carrier STOP: Twilio's and Telnyx's. */
const optOutCodes = new Set([21_610, 40_300]);

/** What follows from texts that have ended, in the transaction that records it. */
export async function endTexts(context: FullContext, ended: readonly Ended[]): Promise<void> {
  await suppressOptedOut(context, ended);
  await playEnded(context, ended);
}

/** Suppresses numbers that the carrier keeps an opt-out of: svc did not see their STOP. */
async function suppressOptedOut({ use }: FullContext, ended: readonly Ended[]): Promise<void> {
  for (const { environment, recipients } of ended)
    for (const { status, code, address } of recipients)
      if (status === 'failed' && code !== null && optOutCodes.has(code)) {
        const note = 'The carrier has an opt-out of this number.';
        await use(suppressions).add(environment, { channel: 'sms', address, reason: 'stop', note });
      }
}

/** What test numbers do once their texts were taken. */
async function playEnded({ db, use, clock }: FullContext, ended: readonly Ended[]): Promise<void> {
  const delivered: Buffer[] = [];
  for (const { message, environment, recipients } of ended)
    for (const { status, address } of recipients) {
      const outcome = status === 'sent' && !message.isSystem ? fixtureOf(environment, address) : null;
      if (outcome !== null && outcome !== 'undelivered') delivered.push(idBytes(message.id));
      if (outcome === 'stopped') {
        const note = 'A test number that answers STOP.';
        await use(suppressions).add(environment, { channel: 'sms', address, reason: 'stop', note });
      }
    }
  if (delivered.length > 0)
    await db.run('UPDATE sms_message SET delivered_at = ? WHERE id IN (?)', [clock.now(), delivered]);
}
