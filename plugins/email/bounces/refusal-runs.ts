import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import { holdSending } from '#core/messaging/broadcasts/hold-sending.js';
import type { Attempted, Delivery, DeliveryReport, RecipientReport } from '#core/messaging/driver.js';
import type { Log } from '#core/runtime/log.js';
import { directory } from '#plugins/account/ports.js';
import { refusedMail } from '../broadcasts/mail-texts.js';
import { presentOne } from '../broadcasts/present.js';
import { transactionalMail } from '../ports.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { isAboutMailbox, isRelayRefusal } from './classify.js';
import { detailLine } from './report.js';

/*
 * A mail server that refuses everybody for good, such as `550 5.7.1 Relaying denied` or `554 5.7.0 Account suspended`,
 * would end every message of a broadcast within seconds. So a refusal that is not about the mailbox does not end a
 * message of a broadcast at once: it is tried again by the schedule of temporary failures. After 20 such refusals in a
 * row the broadcast is held, and its messages wait for email.broadcast.resume.
 *
 * A single message fails at once if the refusal is about it or its sender, who can act. It is tried again for a day if
 * the answer says that the server does not serve us, or after 20 refusals in a row of any mail
 * (docs/decisions/0224-single-mail-that-the-relay-refuses.md).
 */

/** This many refusals in a row, without an accepted message in between, hold a broadcast. */
const mostInRow = 20;
/** A refusal of this attempt ends the message, unless the broadcast is in a run of refusals. */
const lastAttempt = 5;
/** The most broadcasts that a process remembers. */
const mostRemembered = 1_000;

/** What the mail server has answered lately for one broadcast, as far as this process knows. */
interface Run {
  /** Refusals since the last accepted message. */
  refused: number;
  hasAccepted: boolean;
}

/** The refusals of broadcasts that this process has seen. */
interface RefusalRuns {
  /** Whether a broadcast is in a run of refusals that holds it. */
  isLong(broadcastId: string): boolean;
  /** The report of an attempt, in which refusals that may not end the message are temporary failures. */
  judge(delivery: Judged, report: DeliveryReport<MessageRow>): DeliveryReport<MessageRow>;
}

type Judged = Pick<Delivery<MessageRow, unknown>, 'message' | 'attempt'>;

const isRefusal = ({ outcome, code, response }: RecipientReport): boolean =>
  outcome === 'permanent' && code !== null && code >= 500 && !isAboutMailbox(response);

export function refusalRuns(): RefusalRuns {
  const runs = new Map<string, Run>();
  /** Refusals of any mail since the last accepted message. */
  let refusedOfAll = 0;
  const runOf = (broadcastId: string): Run => {
    const run = runs.get(broadcastId) ?? { refused: 0, hasAccepted: false };
    // The one that was used last is the last to be forgotten.
    runs.delete(broadcastId);
    runs.set(broadcastId, run);
    const [oldest] = runs.keys();
    if (runs.size > mostRemembered && oldest !== undefined) runs.delete(oldest);
    return run;
  };
  const mayEnd = ({ attempt }: Judged, { refused, hasAccepted }: Run): boolean =>
    refused < mostInRow && (attempt >= lastAttempt || (attempt > 1 && hasAccepted));

  const judgeAs = (
    report: DeliveryReport<MessageRow>,
    isFinal: (each: RecipientReport) => boolean,
  ): DeliveryReport<MessageRow> => ({
    ...report,
    recipients: report.recipients.map((each) =>
      isRefusal(each) && !isFinal(each) ? { ...each, outcome: 'temporary' } : each,
    ),
  });
  const mayEndSingle = ({ response }: RecipientReport): boolean =>
    refusedOfAll < mostInRow && !isRelayRefusal(response);

  return {
    isLong: (broadcastId) => (runs.get(broadcastId)?.refused ?? 0) >= mostInRow,
    judge(delivery, report) {
      const { broadcastId, template, isSystem } = delivery.message;
      for (const each of report.recipients) {
        if (each.outcome === 'sent') refusedOfAll = 0;
        else if (isRefusal(each)) refusedOfAll += 1;
      }
      // The notice of a run must survive what it reports.
      if (isSystem && template === refusedMail.name) return judgeAs(report, () => false);
      if (broadcastId === null) return judgeAs(report, mayEndSingle);
      const run = runOf(broadcastId);
      for (const each of report.recipients) {
        if (each.outcome === 'sent') Object.assign(run, { refused: 0, hasAccepted: true });
        else if (isRefusal(each)) run.refused += 1;
      }
      return judgeAs(report, () => mayEnd(delivery, run));
    },
  };
}

/** The delivery of mail, in which refusals that may concern everybody end no message. */
export const withRefusalRuns =
  <D extends Judged>(runs: RefusalRuns, deliver: (delivery: D) => Promise<DeliveryReport<MessageRow>>) =>
  async (delivery: D): Promise<DeliveryReport<MessageRow>> =>
    runs.judge(delivery, await deliver(delivery));

/**
 * Holds the broadcasts of which the mail server has refused 20 messages in a row for reasons that are not about the
 * mailboxes, says so in the log, and informs the owners.
 * @param attempted messages that an attempt was made for, each with the recipients that were answered
 */
export async function holdRefused(
  context: Context<'email.broadcast.paused'>,
  log: Log,
  runs: RefusalRuns,
  attempted: readonly Attempted<MessageRow>[],
): Promise<void> {
  const refused = new Map<string, { environment: Environment; answer: string }>();
  for (const { message, environment, recipients } of attempted) {
    const answer = recipients.find(({ status, response }) => status !== 'sent' && response !== null)?.response;
    if (answer && message.broadcastId !== null && runs.isLong(message.broadcastId))
      refused.set(message.broadcastId, { environment, answer: detailLine(answer) });
  }
  const environments = new Map([...refused].map(([id, { environment }]) => [id, environment]));
  const kind = { name: 'email', tables: broadcastTables } as const;
  for (const row of await holdSending(context, kind, environments, 'mail_refused')) {
    const found = refused.get(row.id);
    if (!found) continue;
    log.error(
      {
        broadcastId: row.id,
        environmentId: found.environment.id,
        response: found.answer,
        fix: 'Find out why the mail server refuses the sender or the account, then call email.broadcast.resume.',
      },
      'the mail server refuses the mail of a broadcast; the broadcast is held',
    );
    await announce(context, row, found);
  }
}

async function announce(
  { db, use, emit }: Context<'email.broadcast.paused'>,
  row: BroadcastRow,
  { environment, answer }: { environment: Environment; answer: string },
): Promise<void> {
  const broadcast = await presentOne(db, row);
  emit('email.broadcast.paused', { subjectId: row.id, data: { broadcast }, activityId: row.activityId }, environment);
  if (environment.closedAt) return;
  const { project } = await use(directory).describe(environment);
  const variables = { broadcast: shownName(row.name), projectName: shownName(project.name), answer };
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    await use(transactionalMail).queue(environment, { template: refusedMail, to, variables: () => variables });
}
