import type { Clock } from '#core/runtime/clock.js';
import type { Log } from '#core/runtime/log.js';

/** Monitors whether the mail server can be used for delivery attempts at all. */
export interface RelayWatch {
  /**
   * A delivery attempt failed before the server looked at its message: no connection, no trusted TLS, login refused, no
   * answer.
   */
  failed(response: string): void;
  /** The server answered for a message or a recipient, with any code. */
  answered(): void;
}

/** The shortest time between two reports of a server that fails intermittently. */
const quietMs = 60_000;

/**
 * Logs for the operator that the mail server cannot be used. All mail then waits and is tried again, and no message
 * counts as failed. The first failure is logged immediately, later ones once a minute with their number, and the
 * recovery once.
 * @param server host and port, for the log
 */
export function relayWatch(log: Log, clock: Clock, server: string): RelayWatch {
  let reportedAt: number | undefined;
  let failures = 0;
  let isReported = false;
  return {
    failed(response) {
      failures += 1;
      const now = clock.now().getTime();
      if (reportedAt !== undefined && now - reportedAt < quietMs) return;
      log.error(
        {
          server,
          response,
          failures,
          fix: 'Correct SVC_SMTP_URL or the mail server; waiting mail is retried for a day.',
        },
        'the mail server cannot be used; mail is waiting',
      );
      reportedAt = now;
      failures = 0;
      isReported = true;
    },
    answered() {
      if (!isReported) return;
      isReported = false;
      log.info({ server }, 'the mail server is usable again');
    },
  };
}
