import type { Clock } from '#core/runtime/clock.js';
import { countFromZero, type Log } from '#core/runtime/log.js';
import { isAboutMailbox } from '../bounces/classify.js';
import type { Answer } from './smtp/answers.js';

/** Monitors whether the mail server can be used for delivery attempts at all, and whether it accepts anything. */
export interface RelayWatch {
  /**
   * A delivery attempt failed before the server looked at its message: no connection, no trusted TLS, login refused, no
   * answer.
   */
  failed(response: string): void;
  /** The server answered for a message or a recipient, with any code. */
  answered(): void;
  /** The server accepted a message. */
  accepted(): void;
  /** The server accepted a message for none of its recipients. @param answers its answers for them */
  refused(answers: readonly Answer[]): void;
}

const unusable = 'the mail server cannot be used; mail is waiting';
const acceptsNothing = 'the mail server accepts no mail';

/** The shortest time between two reports of a server that fails intermittently. */
const quietMs = 60_000;

/** After this time without an accepted message, or this number of final refusals, the server refuses everything. */
const [refusedMs, refusedInRow] = [5 * 60_000, 20];
/** The shortest time between two reports of that. */
const refusedQuietMs = 10 * 60_000;

/** The messages that were refused since the last one that was accepted. */
interface Refused {
  readonly since: number;
  /** Refused for good. */
  final: number;
  total: number;
  reportedAt: number | undefined;
}

/**
 * Logs for the operator that the mail server cannot be used, or accepts nothing. All mail then waits and is tried
 * again. The first failure is logged immediately, later ones once a minute with their number, and the recovery once.
 * Refusals are logged once they last for five minutes or end twenty messages in a row.
 * @param server host and port, for the log
 * @param onAccepted called for every accepted message
 */
export function relayWatch(log: Log, clock: Clock, server: string, onAccepted?: () => void): RelayWatch {
  for (const message of [unusable, acceptsNothing]) countFromZero(log, message);
  let reportedAt: number | undefined;
  let failures = 0;
  let isReported = false;
  let refused: Refused | undefined;

  const noteRefused = (answers: readonly Answer[]): void => {
    const concerning = answers.find(({ code, response }) => code !== null && !isAboutMailbox(response));
    if (!concerning) return;
    const now = clock.now().getTime();
    refused ??= { since: now, final: 0, total: 0, reportedAt: undefined };
    refused.total += 1;
    if (concerning.outcome === 'permanent') refused.final += 1;
    if (now - refused.since < refusedMs && refused.final < refusedInRow) return;
    if (refused.reportedAt !== undefined && now - refused.reportedAt < refusedQuietMs) return;
    refused.reportedAt = now;
    log.error(
      {
        server,
        response: concerning.response,
        refused: refused.total,
        fix: 'Read what the mail server answers, and correct it there or in SVC_SMTP_URL. Mail that waits is sent once it accepts mail again; broadcasts that are held continue with email.broadcast.resume.',
      },
      acceptsNothing,
    );
  };

  return {
    refused: noteRefused,
    accepted() {
      if (refused?.reportedAt !== undefined) log.info({ server }, 'the mail server accepts mail again');
      refused = undefined;
      onAccepted?.();
    },
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
        unusable,
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
