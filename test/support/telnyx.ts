import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '#core/runtime/clock.js';
import { sendJson, startHttpFake, type FakeRequest, type HttpFake } from './http-fake.js';

interface TelnyxText {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly webhookUrl: string;
  readonly createdAt: Date;
}

/** The contents of a status event. @param at the time of the signature */
interface TelnyxReport {
  readonly status: string;
  readonly code?: string;
  readonly detail?: string;
  readonly at: Date;
}

/** The input of POST /messages. Tags in events and records are those of the number. */
const messageFields = new Set([
  ...['to', 'from', 'text', 'messaging_profile_id', 'webhook_url', 'webhook_failover_url', 'use_profile_webhooks'],
  ...['type', 'subject', 'media_urls', 'auto_detect', 'encoding', 'send_at'],
]);

/** The errors with which texts to some numbers are refused. */
const refusals: ReadonlyMap<string, [status: number, code: string, title: string]> = new Map([
  ['+12125550199', [403, '40300', 'Blocked due to STOP message']],
  ['+12125550198', [422, '40318', 'Message queue full']],
]);

/**
 * Telnyx’s REST interface: messages, numbers, and 10DLC brands and campaigns that are approved the next time they are
 * requested.
 */
export interface TestTelnyx extends HttpFake {
  /** SVC_SMS_URL. */
  readonly smsUrl: string;
  readonly texts: readonly TelnyxText[];
  readonly stock: string[];
  readonly purchases: readonly string[];
  readonly numbers: readonly { readonly id: string; readonly number: string }[];
  /** Numbers that texts of the campaign may be sent from. */
  readonly campaignNumbers: readonly string[];
  readonly brands: readonly Readonly<Record<string, unknown>>[];
  /**
   * What goes wrong with the next texts: the connection is cut before or after the text is accepted, or the text is
   * refused.
   */
  readonly faults: ('cut' | 'taken and cut' | 'busy')[];
  /** The requests so far, as `POST /path`. */
  readonly requests: readonly string[];
  /** Reports the status of a text, signed as Telnyx does. */
  report(text: TelnyxText, address: string, report: TelnyxReport): Promise<number>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Written from Telnyx’s documentation, without svc’s code. */
export async function startTelnyx(clock: Pick<Clock, 'now'> = { now: () => new Date() }): Promise<TestTelnyx> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const apiKey = `KEY${randomUUID()}`;
  const texts: TelnyxText[] = [];
  const faults: TestTelnyx['faults'][number][] = [];
  const requests: string[] = [];
  const stock = ['+12125550150', '+12125550151', '+12125550152'];
  const purchases: string[] = [];
  const numbers: { id: string; number: string }[] = [];
  const campaignNumbers: string[] = [];
  const brands: Record<string, unknown>[] = [];
  const campaigns: Record<string, unknown>[] = [];

  const refuse = (response: ServerResponse, status: number, code: string, title: string): void =>
    sendJson(response, { errors: [{ code, title, detail: title }] }, status);

  const answer = ({ method, path, query, body }: FakeRequest, response: ServerResponse): void => {
    const parsed: unknown = body === '' ? {} : JSON.parse(body);
    const input = isRecord(parsed) ? parsed : {};
    const textOf = (name: string): string => (typeof input[name] === 'string' ? input[name] : '');
    const route = `${method} ${path.replace(/^\/v2/, '')}`;
    const last = path.split('/').at(-1) ?? '';
    requests.push(route);
    if (route === 'POST /messages') {
      const refusal = refusals.get(textOf('to'));
      if (refusal) {
        refuse(response, ...refusal);
        return;
      }
      const unknown = Object.keys(input).find((name) => !messageFields.has(name));
      if (unknown !== undefined) {
        refuse(response, 422, '10015', `Unknown parameter ${unknown}`);
        return;
      }
      const fault = faults.shift();
      if (fault === 'busy') {
        refuse(response, 429, '10011', 'Too many requests');
        return;
      }
      if (fault === 'cut') {
        response.socket?.destroy();
        return;
      }
      const text = { id: randomUUID(), from: textOf('from'), to: textOf('to'), text: textOf('text') };
      texts.push({ ...text, webhookUrl: textOf('webhook_url'), createdAt: clock.now() });
      if (fault === 'taken and cut') {
        response.socket?.destroy();
        return;
      }
      sendJson(response, { data: { id: text.id, to: [{ phone_number: text.to, status: 'queued' }] } });
    } else if (route === 'GET /detail_records') {
      const since = Date.parse(query.get('filter[created_at][gte]') ?? '');
      const found = texts.filter(
        ({ to, createdAt }) => to === query.get('filter[cld]') && createdAt.getTime() >= since,
      );
      sendJson(response, {
        data: found.map(({ id, from, to, webhookUrl, createdAt }) => ({
          ...{ record_type: 'message_detail_record', uuid: id, cli: from, cld: to, tags: 'a tag of the number' },
          ...{ direction: 'outbound', created_at: createdAt.toISOString(), delivery_status_webhook_url: webhookUrl },
        })),
      });
    } else if (route === 'GET /available_phone_numbers') {
      const found = query.get('filter[country_code]') === 'US' ? stock : [];
      const features = [{ name: 'sms' }, { name: 'mms' }];
      sendJson(response, { data: found.map((number) => ({ phone_number: number, features })) });
    } else if (route === 'POST /number_orders') {
      const listed: unknown[] = Array.isArray(input['phone_numbers']) ? input['phone_numbers'] : [];
      const [wanted] = listed;
      const number = isRecord(wanted) ? String(wanted['phone_number']) : '';
      const index = stock.indexOf(number);
      if (index < 0) {
        refuse(response, 422, '85006', 'The number is not available');
        return;
      }
      stock.splice(index, 1);
      numbers.push({ id: randomUUID(), number });
      purchases.push(number);
      sendJson(response, { data: { id: randomUUID(), status: 'success' } });
    } else if (route === 'GET /phone_numbers') {
      const digits = query.get('filter[phone_number]') ?? '';
      const found = numbers.filter(({ number }) => /^\d{3,}$/.test(digits) && number.includes(digits));
      sendJson(response, { data: found.map(({ id, number }) => ({ id, phone_number: number })) });
    } else if (route.startsWith('DELETE /phone_numbers/')) {
      const index = numbers.findIndex(({ id }) => id === last);
      if (index >= 0) numbers.splice(index, 1);
      sendJson(response, { data: {} }, index >= 0 ? 200 : 404);
    } else if (route.startsWith('GET /phone_numbers/')) {
      const found = numbers.find(({ id }) => id === last);
      sendJson(response, { data: { phone_number: found?.number } }, found ? 200 : 404);
    } else if (route === 'POST /10dlc/brand') {
      const brand = { ...input, brandId: randomUUID(), status: 'OK' };
      brands.push(brand);
      sendJson(response, brand);
    } else if (route === 'GET /10dlc/brand') sendJson(response, { records: brands });
    else if (route.startsWith('GET /10dlc/brand/'))
      sendJson(response, brands.find(({ brandId }) => brandId === last) ?? {});
    else if (route === 'GET /10dlc/campaign') sendJson(response, { records: campaigns });
    else if (route === 'POST /10dlc/campaignBuilder') {
      const campaign = { ...input, campaignId: randomUUID(), campaignStatus: 'MNO_PROVISIONED' };
      campaigns.push(campaign);
      sendJson(response, campaign);
    } else if (route.startsWith('GET /10dlc/campaign/'))
      sendJson(response, campaigns.find(({ campaignId }) => campaignId === last) ?? {});
    else if (route === 'POST /10dlc/phone_number_campaigns') {
      campaignNumbers.push(textOf('phoneNumber'));
      sendJson(response, {});
    } else refuse(response, 404, '10005', 'Resource not found');
  };

  const fake = await startHttpFake((request, response) => {
    if (request.headers.authorization === `Bearer ${apiKey}`) answer(request, response);
    else refuse(response, 401, '10009', 'Authentication failed');
  });
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const parameters = new URLSearchParams({ publicKey: raw, api: fake.url });
  return {
    ...fake,
    smsUrl: `telnyx://profile-1:${apiKey}@api.telnyx.com?${parameters.toString()}`,
    texts,
    faults,
    requests,
    stock,
    purchases,
    numbers,
    campaignNumbers,
    brands,
    async report({ id, to, webhookUrl }, address, { status, code, detail = 'The carrier refused it', at }) {
      const errors = code === undefined ? [] : [{ code, title: 'Not delivered', detail }];
      const shared = { id, direction: 'outbound', webhook_url: webhookUrl, tags: ['a tag of the number'] };
      const payload = { ...shared, to: [{ phone_number: to, status }], errors };
      const body = JSON.stringify({ data: { event_type: 'message.finalized', payload } });
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const { pathname, search } = new URL(webhookUrl);
      const response = await fetch(`${address}${pathname}${search}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'telnyx-timestamp': timestamp,
          'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64'),
        },
        body,
      });
      return response.status;
    },
  };
}
