import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '#core/runtime/clock.js';
import { sendJson, startHttpFake, type FakeRequest, type HttpFake } from './http-fake.js';

export interface TelnyxText {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly webhookUrl: string;
  readonly createdAt: Date;
}

/** Telnyx’s REST interface: messages, numbers, and 10DLC brands and campaigns that are approved when they are next asked for. */
export interface TestTelnyx extends HttpFake {
  /** SVC_SMS_URL. */
  readonly smsUrl: string;
  readonly texts: readonly TelnyxText[];
  readonly stock: string[];
  readonly purchases: readonly string[];
  readonly numbers: readonly { readonly id: string; readonly number: string }[];
  /** Numbers that texts of the campaign may leave from. */
  readonly campaignNumbers: readonly string[];
  readonly brands: readonly Readonly<Record<string, unknown>>[];
  /** What goes wrong with the next texts: the connection is cut before or after the text is taken; or the text is refused. */
  readonly faults: ('cut' | 'taken and cut' | 'busy')[];
  /** The requests so far, as `POST /path`. */
  readonly requests: readonly string[];
  /** Reports the status of a text, signed as Telnyx does. @param at the time of the signature; now by default */
  report(text: TelnyxText, address: string, report: { status: string; code?: string; at: Date }): Promise<number>;
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
      if (textOf('to') === '+12125550199') {
        refuse(response, 422, '40300', 'Blocked due to STOP message');
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
      const tags = Array.isArray(input['tags']) ? input['tags'].filter((tag) => typeof tag === 'string') : [];
      const text = { id: randomUUID(), from: textOf('from'), to: textOf('to'), text: textOf('text'), tags };
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
        data: found.map(({ id, from, to, tags, createdAt }) => ({
          ...{ record_type: 'message_detail_record', uuid: id, cli: from, cld: to, tags: tags.join(',') },
          ...{ direction: 'outbound', created_at: createdAt.toISOString() },
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
      const found = numbers.filter(({ number }) => number === query.get('filter[phone_number]'));
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
    async report({ id, to, tags, webhookUrl }, address, { status, code, at }) {
      const errors = code === undefined ? [] : [{ code, title: 'Not delivered', detail: 'The carrier refused it' }];
      const payload = { id, direction: 'outbound', to: [{ phone_number: to, status }], errors, tags };
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
