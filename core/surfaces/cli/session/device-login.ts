import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { at } from '#core/runtime/json.js';
import { openInBrowser } from '../terminal/browser.js';
import { callOperation, type Answer } from '../call.js';
import { painter } from '../terminal/colours.js';
import { ApiError, CliError, exit } from '../errors.js';
import { oneLine } from '../terminal/sanitize.js';
import { withProgress } from '../terminal/progress.js';
import type { DashboardFacts } from './dashboard.js';
import { receivedTokens, userName, type StoredTokens } from './tokens.js';

export interface SignedIn {
  readonly tokens: StoredTokens;
  /** For people: the address of the person who approved. */
  readonly user: string;
}

const defaultIntervalSeconds = 5;
/** How long to retry a server that does not answer. This is longer than a code is valid. */
const patienceMs = 15 * 60_000;

/**
 * Signs a person in to the dashboard by the device flow (RFC 8628): shows a code and an address, opens the browser if
 * there is one, and polls until the person has approved.
 * @throws CliError if the person denied, or did not answer in time
 */
export async function deviceLogin(
  baseUrl: string,
  { publishableKey }: DashboardFacts,
  { browser }: { browser: boolean },
): Promise<SignedIn> {
  const target = { baseUrl, key: publishableKey };
  const started = (await callOperation(target, 'auth.device.start', { clientName: clientName() })).result;
  const [userCode = '', address = '', complete = ''] = ['userCode', 'verificationUrl', 'verificationUrlComplete'].map(
    (field) => oneLine(String(at(started, field))),
  );
  const { bold } = painter(process.stderr);
  process.stderr.write(
    `Open ${bold(address)} and enter the code ${bold(userCode)}, or open\n  ${complete}\nand check that the page shows this code.\n`,
  );
  if (browser) openInBrowser(complete);
  const interval = Number(at(started, 'intervalSeconds')) || defaultIntervalSeconds;
  const deviceCode = String(at(started, 'deviceCode'));
  const { result } = await withProgress(
    () => 'Waiting for your approval',
    () => untilApproved(interval, () => callOperation(target, 'auth.device.poll', { deviceCode })),
  );
  const tokens = receivedTokens(at(result, 'tokens'));
  if (!tokens) throw new CliError('The server answered no tokens.', 'Run `svc login` again.', exit.failure);
  return { tokens, user: userName(result['user']) };
}

const clientName = (): string => `svc command line on ${hostname()}`.slice(0, 120);

/** Polls as often as the server allows (RFC 8628 §3.5). */
async function untilApproved(intervalSeconds: number, poll: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    await pause(intervalSeconds * 1000);
    try {
      return await poll();
    } catch (error) {
      if (error instanceof ApiError && ['device_pending', 'rate_limited'].includes(error.code)) {
        await pause((error.retryAfter ?? 0) * 1000);
        continue;
      }
      if (error instanceof ApiError && error.code === 'device_denied')
        throw new CliError('The sign-in was denied.', 'Run `svc login` again if that was a mistake.', exit.access);
      if (error instanceof ApiError && error.code === 'challenge_expired')
        throw new CliError(
          'The code has expired.',
          'Run `svc login` again, and approve within ten minutes.',
          exit.access,
        );
      // A connection that failed, or a server that restarts: the code is still valid.
      const mayPass = error instanceof ApiError ? error.status >= 500 : error instanceof CliError;
      if (mayPass && Date.now() < giveUpAt) continue;
      throw error;
    }
  }
}
