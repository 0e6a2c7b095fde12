import { systemTemplatesOf } from '#core/messaging/system-template.js';
import type { Services } from '#core/kernel/services.js';
import { broadcastQueue } from '#core/messaging/broadcasts/work.js';
import { bulkQueue } from '#core/messaging/bulk/queue.js';
import { deliveryQueue } from '#core/messaging/delivery/queue.js';
import { createSending } from '#core/messaging/delivery/sending.js';
import { dividedLimits, type Attempted, type DeliveryDriver, type DeliveryLimits } from '#core/messaging/driver.js';
import { lanes, type WorkQueue } from '#core/runtime/work/queue.js';
import { holdLimited } from '../bounces/held-broadcasts.js';
import { recordRefused, suppressRefused } from '../bounces/refused.js';
import { isAboutMailbox } from '../bounces/classify.js';
import { holdRefused, refusalRuns, withRefusalRuns } from '../bounces/refusal-runs.js';
import { returnDomains } from '../bounces/return-path.js';
import { emailBroadcasts, emailBulk } from '../broadcasts/kind.js';
import { mailboxFolder } from '../mailbox/store.js';
import { mailboxTransport } from '../mailbox/transport.js';
import { emailDriver } from '../messages/driver.js';
import { oldestRetry, recordRetries } from '../messages/retries.js';
import { mailEligibility } from '../messages/eligibility.js';
import { settings } from '../deployment/settings.js';
import type { MessageRow } from '../tables/message.js';
import { loadMailContents, type MailContent } from './contents.js';
import { mailDelivery } from './deliver.js';
import { playEnded, withFixtures } from './play-fixtures.js';
import { mailPace } from './pace.js';
import { relayRecovery } from './relay-recovery.js';
import { relayWatch } from './relay-watch.js';
import { smtpTransport } from './smtp/transport.js';
import type { MailTransport } from '../transport.js';
import { shift, minuteMs } from '#core/runtime/clock.js';

/** Two busy lanes stay below 50 connections, which mail servers usually accept from one client. */
const limitsOfMachine = { concurrency: 24, perAccount: 12, alone: 20, stalledAfterMs: 5_000, mostStalled: 24 };

/** The delivery of mail: over SMTP, or into the local mailbox if no server is set. */
export function deliveryQueues(services: Services): WorkQueue[] {
  const limits = dividedLimits(limitsOfMachine, services.deployment.processes);
  const recovery = relayRecovery(services);
  const transport = chooseTransport(services, limits, recovery.accepted);
  const runs = refusalRuns();
  const mail = mailDelivery(transport, services, returnDomains(services));
  const deliver = withFixtures(services.deployment, withRefusalRuns(runs, mail.deliver));
  const settledBroadcasts = new Set<string>();
  const signInMails = new Set(
    systemTemplatesOf(services.deployment).flatMap(({ channel, budget, name }) =>
      channel === 'email' && budget === 'signin' ? [name] : [],
    ),
  );
  const driver: DeliveryDriver<MessageRow, MailContent> = {
    ...emailDriver,
    limits,
    // In test environments, the recipients of system mail were checked against the members when it was accepted.
    checkEligibility: (context, environment, purpose, addresses) =>
      mailEligibility(context, environment, purpose, addresses, purpose.isSystem ? 'anyone' : 'members'),
    // Accepted although mail to the address bounced: only mail that is sent has a place in this queue.
    isAnswer: ({ isSystem, template }) => isSystem && template !== null && signInMails.has(template),
    loadContents: (messages) => loadMailContents(services, messages),
    renderedFields: ['subject', 'templateLocale'],
    deliver,
    composeMany: mail.composeMany,
    async deliverEach(environment, run) {
      if (environment.kind === 'test')
        for (let each = run.next(); each; each = run.next()) run.answered(each, await deliver(each));
      else
        await mail.deliverEach(environment, {
          ...run,
          answered: (each, report) => run.answered(each, report && runs.judge(each, report)),
        });
    },
    async afterEnd(context, ended) {
      await recordRefused(context, ended, settledBroadcasts);
      await playEnded(context, ended);
    },
    async afterAttempt(context, attempted) {
      await recordRetries(context, attempted, waitsForRelay);
      await suppressRefused(context, attempted);
      await holdLimited(context, attempted);
      await holdRefused(context, services.log, runs, attempted);
    },
    ...mailPace(services),
    retryAt,
  };
  const sending = createSending(limits);
  return [
    {
      ...deliveryQueue(services, driver, () => transport.close().then(recovery.ended), sending),
      oldestRetry: () => oldestRetry(services.database),
    },
    bulkQueue(services, { ...emailBulk, delivery: driver }, sending),
    broadcastQueue(services, emailBroadcasts),
  ];
}

function chooseTransport(
  { deployment, clock, log }: Services,
  limits: DeliveryLimits,
  onAccepted: () => void,
): MailTransport {
  const { smtpUrl } = deployment.settingsOf(settings);
  if (smtpUrl === undefined) return mailboxTransport(mailboxFolder(deployment));
  const transportLimits = {
    // As many as there can be deliveries: none waits for a connection behind a stalled one.
    connections: limits.concurrency * Object.keys(lanes).length + limits.mostStalled,
    // The worker has waited for running deliveries before it closes the transport.
    closeMs: 1_000,
  };
  const url = dividedUrl(new URL(smtpUrl), deployment.processes.count);
  return smtpTransport(url.href, transportLimits, relayWatch(log, clock, url.host, onAccepted));
}

/** Whether a message waits for the mail server: its last failure may end for all messages at once. */
const waitsForRelay = ({ message, recipients }: Attempted<MessageRow>): boolean =>
  recipients.some(
    ({ status, code, response }) =>
      status === 'queued' &&
      response !== null &&
      // Without a code, the server did not answer, or mail that must be signed waits for its DNS records.
      (code === null ? message.topic === null || message.isSystem : !isAboutMailbox(response)),
  );

/** The mail server's address for one of several processes, which divide `maxConnections`; each has at least one. */
function dividedUrl(url: URL, processes: number): URL {
  const most = Number(url.searchParams.get('maxConnections'));
  const divided = new URL(url);
  if (processes > 1 && most > 0)
    divided.searchParams.set('maxConnections', String(Math.max(1, Math.floor(most / processes))));
  return divided;
}

/** Delays after temporary failures: short at first, because of greylisting, then longer (RFC 5321 §4.5.4.1). */
const waits = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs);
const givenUpAfter = 24 * 60 * minuteMs;

/**
 * When to try a message again after a temporary failure.
 * @param since see DeliveryDriver.retryAt
 * @returns null once it has been tried for a day: it has failed
 */
function retryAt(attempt: number, since: Date, now: Date): Date | null {
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? minuteMs;
  const next = shift(now, wait);
  return next.getTime() - since.getTime() > givenUpAfter ? null : next;
}
