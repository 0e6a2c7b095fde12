import { counted } from '#config/counted.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { painter } from '../terminal/colours.js';
import { parseBaseUrl, secretConnectionOf } from '../session/connection.js';
import { ApiError, CliError, NoAnswer } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { oneLine } from '../terminal/sanitize.js';
import { followEvents, type LoggedEvent } from './event-feed.js';
import { forwardEvent } from './forward.js';

export interface ListenOptions extends OwnOptions {
  readonly forward: string | undefined;
  readonly types: readonly string[];
  readonly secret: string | undefined;
}

const pollMs = 1_000;

/** Prints and forwards events as they are written, until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  const connection = await secretConnectionOf(options);
  const forward = options.forward === undefined ? undefined : parseBaseUrl(options.forward);
  const secret = options.secret ?? `svc_wh_${randomToken(43)}`;
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const { dim, yellow } = painter(process.stderr);
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const feed = followEvents(connection, {
    types: options.types,
    onWait: ({ code }, seconds) => say(yellow(`${code}: the server asks to wait ${seconds} s.`)),
  });
  await feed.poll(stop.signal);
  say(
    `Listening for ${options.types.join(', ') || 'all events'} on ${connection.baseUrl}${forward === undefined ? '' : `, forwarding to ${forward}`}.`,
  );
  if (forward !== undefined) {
    say(`Signing secret of this session: ${secret}`);
    say(`For libraries of Standard Webhooks: whsec_${Buffer.from(secret).toString('base64')}`);
  }
  say(dim('Press Ctrl-C to stop.'));
  const count = { events: 0 };
  while (!stop.signal.aborted) {
    await pause(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    const events = await feed.poll(stop.signal).catch(async (error: unknown) => {
      if (stop.signal.aborted) return [];
      // Errors of the request, the key or the session are permanent; others may be temporary.
      if (error instanceof ApiError && [400, 401, 403, 404].includes(error.status)) throw error;
      if (error instanceof CliError && !(error instanceof NoAnswer)) throw error;
      say(yellow(error instanceof Error ? error.message : String(error)));
      await pause(4 * pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
      return [];
    });
    for (const event of events) {
      count.events += 1;
      await show(event, forward, secret, options.json === true);
    }
  }
  say(`${counted(count.events, 'event')}.`);
}

async function show(event: LoggedEvent, forward: string | undefined, secret: string, json: boolean): Promise<void> {
  const { dim, green, red } = painter(process.stdout);
  const delivery =
    forward === undefined
      ? undefined
      : await forwardEvent(forward, secret, {
          eventId: event.id,
          deliveryId: randomUUID(),
          body: JSON.stringify(event),
        });
  if (json) {
    process.stdout.write(`${JSON.stringify(delivery ? { event, delivery } : { event })}\n`);
    return;
  }
  const good = delivery?.status !== undefined && delivery.status < 300;
  const outcome = delivery
    ? `  → ${(good ? green : red)(delivery.status === undefined ? `no answer: ${delivery.error ?? ''}` : String(delivery.status))} in ${delivery.ms} ms`
    : '';
  process.stdout.write(`${dim(event.createdAt.slice(11, 19))}  ${oneLine(event.type)}  ${dim(event.id)}${outcome}\n`);
  if (delivery && !good && delivery.text) process.stdout.write(`    ${dim(oneLine(delivery.text.slice(0, 300)))}\n`);
}
