import { hourMs } from '#core/runtime/clock.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Services } from '#core/kernel/services.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { newId } from '#core/runtime/id.js';
import { inboundAddresses } from '../tables/inbound-address.js';
import type { Refusal } from './resources.js';

interface RefusedMail {
  envelopeFrom: string;
  envelopeTo: string;
  reason: Refusal;
}

const fixes: Readonly<Record<Refusal, string>> = {
  unknown_recipient: 'This address does not receive mail. Use another address of the domain.',
  receiving_off: 'Call email.domain.receiving.enable for the domain to receive its mail.',
  too_complex: 'Ask the sender for a simpler message: fewer parts, attachments or lines.',
  loop: 'The message is in a mail loop: look for a forwarding rule that leads back here.',
};

/** What the owner of the domain can do about a refusal. */
export const fixOf = (reason: Refusal): string => fixes[reason];

/** Events of one environment and process in an hour. Limited because anybody can send mail that is refused. */
const mostPerHour = 100;
const counts = new Map<string, { hour: number; count: number }>();

/**
 * Informs an environment that mail to it was refused, by `email.inbound.refused`; only for the first 100 of an hour.
 */
export async function refuse(
  { transaction, clock }: Pick<Services, 'transaction' | 'clock'>,
  environment: Environment,
  { envelopeFrom, envelopeTo, reason }: RefusedMail,
): Promise<void> {
  const hour = Math.floor(clock.now().getTime() / hourMs);
  const counted = counts.get(environment.id);
  const count = counted?.hour === hour ? counted.count + 1 : 1;
  if (counts.size > 10_000) counts.clear();
  counts.set(environment.id, { hour, count });
  if (count > mostPerHour) return;
  const id = newId();
  await transaction('Inbound mail', async ({ db, actIn, emit }) => {
    actIn(environment);
    // So that erasing the sender finds the event.
    if (envelopeFrom !== '')
      await db.insert(inboundAddresses, {
        environmentId: environment.id,
        addressKey: mailboxKey(envelopeFrom),
        inboundId: id,
        role: 'refused',
      });
    const data = { envelopeFrom, envelopeTo, reason, fix: fixOf(reason) };
    emit('email.inbound.refused', { subjectId: id, data: { refused: data } }, environment);
  });
}
