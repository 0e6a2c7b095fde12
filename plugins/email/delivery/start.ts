import type { Services } from '#core/kernel/services.js';
import { lanes, type WorkQueue } from '#core/runtime/work/queue.js';
import { settings } from '../settings.js';
import { concurrency, delivery } from './queue.js';
import { mailboxFolder, mailboxTransport } from '../mailbox/transport.js';
import { smtpTransport } from './smtp-transport.js';

/** What runs behind the email product: delivery over SMTP, or into the local mailbox when no server is set. */
export function work(services: Services): WorkQueue[] {
  const { smtpUrl } = services.deployment.settingsOf(settings);
  const transport =
    smtpUrl === undefined
      ? mailboxTransport(mailboxFolder(services.deployment))
      : smtpTransport(smtpUrl, {
          // One for each that may be in delivery: a lane full of stalled ones must not hold a sign-in code back.
          connections: concurrency * Object.keys(lanes).length,
          // The worker has waited for what runs already when it closes this.
          closeMs: 1_000,
        });
  return [{ ...delivery(services, transport), close: () => transport.close() }];
}
