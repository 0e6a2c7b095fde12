import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { themeWith } from '#test/account/theme/theme-with.js';
import type { Api, ReplyOf } from '#test/support/api.js';
import { seconds } from '#test/support/clock.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from '#test/support/webhook-receiver.js';

export type Delivery = ReplyOf<'developers.webhook.deliveries.list'>['deliveries'][number];

/** Starts receivers that are closed after each test. Call it inside `describe`. */
export function useReceivers(): () => Promise<WebhookReceiver> {
  const open: WebhookReceiver[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.close()));
  });
  return async () => {
    const receiver = await startWebhookReceiver();
    open.push(receiver);
    return receiver;
  };
}

/** Creates an endpoint for a receiver. Default filter: account.theme.draft_saved. */
export async function endpointAt(
  api: Api,
  { url }: Pick<WebhookReceiver, 'url'>,
  eventTypes: readonly string[] = ['account.theme.draft_saved'],
): Promise<{ endpointId: string; secret: string }> {
  const { endpoint, secret } = await api.call('developers.webhook.create', { url, eventTypes: [...eventTypes] });
  return { endpointId: endpoint.endpointId, secret };
}

/**
 * Waits until nothing is due, including deliveries of events not yet fanned out. The first wait fans events out, the
 * second delivers them, the third delivers events that an outcome emitted.
 */
export async function quiet(platform: TestPlatform): Promise<void> {
  for (let round = 0; round < 3; round++) await platform.settled();
}

export const answering =
  (status: number, body = '', headers: Record<string, string> = {}): WebhookReceiver['answer'] =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/**
 * Renames the brand in the draft of the theme, to emit an account.theme.draft_saved event.
 * @returns the audit record's id
 */
export async function rename(api: Api, name: string): Promise<string> {
  return (await api.envelope('account.theme.draft.save', { theme: themeWith({ brandName: name }) })).activityId;
}

/** Creates a failing endpoint with one failed delivery. */
export async function failedDelivery(
  platform: TestPlatform,
  api: Api,
  receiver: WebhookReceiver,
): Promise<{ endpointId: string; delivery: Delivery }> {
  receiver.answer = answering(500, 'no');
  const { endpointId } = await endpointAt(api, receiver);
  await rename(api, `Renamed ${endpointId}`);
  await receiver.waitFor(1);
  await quiet(platform);
  const [delivery] = await deliveriesOf(api, endpointId, 'failed');
  if (!delivery) throw new Error('The delivery has not failed.');
  return { endpointId, delivery };
}

/** Advances the clock along the schedule until all attempts have been made. */
export async function untilDead(platform: TestPlatform): Promise<void> {
  for (const wait of [60, 300, 1_800, 7_200, 43_200, 86_400]) {
    await quiet(platform);
    platform.clock.advance(seconds(wait));
  }
  await quiet(platform);
}

/** The endpoint's deliveries, newest first. */
export async function deliveriesOf(api: Api, endpointId: string, status?: Delivery['status']): Promise<Delivery[]> {
  const filter = status === undefined ? {} : { status };
  return (await api.call('developers.webhook.deliveries.list', { endpointId, ...filter })).deliveries;
}

/** The types of the received events, oldest first. */
export const typesOf = ({ received }: WebhookReceiver): string[] => received.map(({ event }) => event.type);

/**
 * An independent implementation of the signature in docs/interface.md: the HMAC of `t`, a dot and the body, keyed with
 * the whole secret.
 */
export function isSignedWith(secret: string, { headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>): boolean {
  const { t, v1 } = signatureOf(headers);
  const bytes = Buffer.concat([Buffer.from(`${t}.`, 'ascii'), Buffer.from(body, 'utf8')]);
  return createHmac('sha256', Buffer.from(secret, 'ascii')).update(bytes).digest('hex') === v1;
}

/** The parts of Svc-Signature. */
export function signatureOf(headers: IncomingHttpHeaders): { t: string; v1: string } {
  const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers['svc-signature'])) ?? [];
  if (t === '') throw new Error(`Invalid signature: ${String(headers['svc-signature'])}`);
  return { t, v1 };
}

/**
 * Row counts of one environment, which a refused call must not change: audit records, events, endpoints, deliveries.
 */
export async function written(platform: TestPlatform, { test }: Pick<TestAccount, 'test'>): Promise<number[]> {
  const mine = `environment_id = 0x${test.id.replaceAll('-', '')}`;
  return [
    await platform.count('svc_activity', mine),
    await platform.count('svc_event', mine),
    await platform.count('developers_webhook', mine),
    await platform.count('developers_delivery', mine),
  ];
}
