import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/driver.js';
import { adjustSegments } from '../broadcasts/metering.js';
import { suppressions } from '#plugins/audience/ports.js';
import { applyReports, suppressOptedOut } from '../callbacks/apply-report.js';
import { applyEarlyReports } from '../callbacks/record-report.js';
import { messages, type MessageRow } from '../tables/message.js';
import { fixtureOf, playReport } from '../messages/fixtures.js';

type Ended = LoadedMessage<MessageRow> & { readonly environment: Environment };

/** What follows when texts have ended, in the transaction that records it. */
export async function endTexts(context: FullContext, ended: readonly Ended[]): Promise<void> {
  for (const { environment, recipients } of ended)
    for (const { status, code, response, address } of recipients)
      if (status === 'failed' && code !== null)
        await suppressOptedOut(context, environment, address, { code: String(code), detail: response });
  await applyEarly(context, ended);
  await playEnded(context, ended);
  await adjustSegments(context, ended);
}

/** Applies what carriers reported before svc knew that the provider had taken the text. */
function applyEarly(context: FullContext, ended: readonly Ended[]): Promise<void> {
  const sent = ended.filter(({ recipients }) => recipients.some(({ status }) => status === 'sent'));
  return applyEarlyReports(
    context,
    sent.map(({ message }) => message.id),
  );
}

/** What test numbers do after their texts were taken. */
async function playEnded(context: FullContext, ended: readonly Ended[]): Promise<void> {
  for (const { message, environment, recipients } of ended)
    for (const { status, address } of recipients) {
      const outcome = status === 'sent' && !message.isSystem ? fixtureOf(environment, address) : null;
      const sent = outcome === null ? null : await context.db.findOne(messages, { id: message.id });
      if (!sent || outcome === null) continue;
      const report = playReport(outcome, sent.id, context.clock.now());
      await applyReports(context, new Map([[sent.id, sent]]), [report]);
      if (outcome !== 'stopped') continue;
      const note = 'A test number that replies STOP.';
      await context.use(suppressions).add(environment, { channel: 'sms', address, reason: 'stop', note });
    }
}
