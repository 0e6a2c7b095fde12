import type { FullContext } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { Delivery, DeliveryReport, LoadedMessage } from '#core/messaging/driver.js';
import { recordReports } from '../bounces/record.js';
import type { OwnedReport } from '../bounces/report.js';
import type { MessageRow } from '../tables/message.js';
import { fixtureOf, playDelivery, playReports } from '../messages/fixtures.js';

type Deliver<C> = (delivery: Delivery<MessageRow, C>) => Promise<DeliveryReport<MessageRow>>;

/**
 * The same delivery, except that the addresses of fixtures.ts play their outcomes and mail is only sent to the other
 * recipients.
 */
export const withFixtures =
  <C>(deployment: Deployment, deliver: Deliver<C>): Deliver<C> =>
  async (delivery) => {
    const { environment, recipients, attempt } = delivery;
    const played = new Map(
      recipients.flatMap(({ address }) => {
        const outcome = fixtureOf(deployment, environment, address);
        return outcome === null ? [] : [[address, playDelivery(address, outcome, attempt)] as const];
      }),
    );
    if (played.size === 0) return deliver(delivery);
    const others = recipients.filter(({ address }) => !played.has(address));
    const sent =
      others.length === 0 ? { durationMs: 0, recipients: [] } : await deliver({ ...delivery, recipients: others });
    const reports = new Map(sent.recipients.map((report) => [report.address, report]));
    return {
      ...sent,
      recipients: recipients.flatMap(({ address }) => played.get(address) ?? reports.get(address) ?? []),
    };
  };

/**
 * Records the reports of the addresses of fixtures.ts after their messages were accepted: bounces, complaints,
 * deliveries.
 */
export async function playEnded(
  context: FullContext,
  ended: readonly (LoadedMessage<MessageRow> & { readonly environment: Environment })[],
): Promise<void> {
  const at = context.clock.now();
  const owned = ended.flatMap(({ message, environment, recipients }): OwnedReport[] =>
    recipients.flatMap(({ address, position, status }) => {
      const outcome = status === 'sent' ? fixtureOf(context.deployment, environment, address) : null;
      const played = outcome === null ? [] : playReports(outcome, at);
      return played.map((report) => ({ messageId: message.id, position, report }));
    }),
  );
  if (owned.length > 0) await recordReports(context, owned);
}
