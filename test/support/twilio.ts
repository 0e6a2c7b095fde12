import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '#core/runtime/clock.js';
import { discarding, halving, holding, sendJson, startHttpFake, type FakeRequest, type HttpFake } from './http-fake.js';
import { postSigned, type CallbackReply } from './twilio-callbacks.js';
import { twilioRegistrations, type TwilioRegistrations } from './twilio-registrations.js';

export interface TwilioText {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly statusCallback: string;
  /** When Twilio accepted it. */
  readonly createdAt: Date;
}

interface TwilioNumber {
  readonly sid: string;
  readonly number: string;
  readonly smsUrl: string;
  readonly fallbackUrl: string;
}

/** How Twilio refuses something: the HTTP status, its error code and message. */
interface TwilioRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** What can go wrong with any one request. */
export type Fault =
  | { readonly kind: 'refuse'; readonly refusal: TwilioRefusal }
  /** The connection is cut before or after the request is carried out. */
  | { readonly kind: 'cut'; readonly carriedOut: boolean }
  /** The request is carried out, and its answer is only the first half of it, although complete for HTTP. */
  | { readonly kind: 'halve' }
  /** The request is carried out, and its answer waits for `release`. */
  | { readonly kind: 'wait'; readonly release: Promise<void> };

/**
 * Twilio's REST interface: messages, numbers and A2P registrations of one account, with the state that they have there.
 */
export interface TestTwilio extends HttpFake {
  readonly accountSid: string;
  readonly authToken: string;
  /** SVC_SMS_URL. */
  readonly smsUrl: string;
  readonly texts: readonly TwilioText[];
  /** Another program of the same account sends a text. */
  accept(text: Pick<TwilioText, 'from' | 'to' | 'body'>): void;
  /** The SIDs of texts that Twilio has but does not list. */
  readonly unlisted: Set<string>;
  /** How texts to a number are refused; `*` for all. */
  readonly refusals: Map<string, TwilioRefusal>;
  /** Available numbers, by country; bought ones are removed. */
  readonly stock: Map<string, string[]>;
  readonly numbers: readonly TwilioNumber[];
  /** Every number that was charged for, in order, including numbers that were released. */
  readonly purchases: readonly string[];
  readonly registrations: TwilioRegistrations;
  /** Whether texts are answered immediately. If not, their answers wait until they are. */
  answerTexts(does: boolean): void;
  /** Faults of the next requests to matching paths. */
  fail(path: RegExp, ...faults: Fault[]): void;
  /** The requests so far, as `POST /path`. */
  readonly requests: readonly string[];
  waitForTexts(enough: (texts: readonly TwilioText[]) => boolean): Promise<readonly TwilioText[]>;
  /**
   * Reports the status of a text, as Twilio does: a signed form to its StatusCallback.
   * @param address where svc listens; the signature is over the address that svc gave
   */
  report(
    text: Omit<TwilioText, 'createdAt'>,
    address: string,
    report: StatusFields,
    signedWith?: string,
  ): Promise<CallbackReply>;
  /** Posts fields to an address that svc gave. */
  call(
    publicUrl: string,
    address: string,
    fields: Readonly<Record<string, string>>,
    signedWith?: string,
  ): Promise<CallbackReply>;
  /**
   * Delivers a text that somebody sent to one of the numbers. @param publicUrl the address as it is configured at
   * Twilio
   */
  deliver(
    publicUrl: string,
    address: string,
    text: { from: string; to: string; body: string; sid?: string },
    signedWith?: string,
  ): Promise<CallbackReply>;
}

export interface StatusFields {
  readonly status: string;
  readonly code?: string;
}

export const sidOf = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`;

/** Twilio's refusals, as its documentation lists them. */
export const twilioRefusals = {
  invalidTo: { status: 400, code: 21_211, message: "The 'To' number is not a valid phone number." },
  unsubscribed: { status: 400, code: 21_610, message: 'Attempt to send to unsubscribed recipient' },
  queueFull: {
    status: 400,
    code: 21_611,
    message: 'This From number has exceeded the maximum number of queued messages',
  },
  tooMany: { status: 429, code: 20_429, message: 'Too Many Requests' },
  authenticate: { status: 401, code: 20_003, message: 'Authenticate' },
  internal: { status: 500, code: 20_500, message: 'Internal Server Error' },
} as const satisfies Record<string, TwilioRefusal>;

export const refuse = (response: ServerResponse, { status, code, message }: TwilioRefusal): void =>
  sendJson(response, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, status);

const notFound: TwilioRefusal = { status: 404, code: 20_404, message: 'The requested resource was not found' };

/** Starts it on loopback. @param clock gives the times of texts */
export async function startTwilio(clock: Pick<Clock, 'now'> = { now: () => new Date() }): Promise<TestTwilio> {
  const accountSid = sidOf('AC');
  const authToken = randomBytes(16).toString('hex');
  const profile = sidOf('BU');
  const texts: TwilioText[] = [];
  const numbers: TwilioNumber[] = [];
  const purchases: string[] = [];
  const requests: string[] = [];
  const faults: { path: RegExp; fault: Fault }[] = [];
  const watchers = new Set<() => void>();
  const refusals = new Map<string, TwilioRefusal>();
  const unlisted = new Set<string>();
  /** Answers that wait; null while texts are answered immediately. */
  let owed: (() => void)[] | null = null;
  const stock = new Map([
    [
      'US',
      Array.from(
        { length: 40 },
        (_, index) => `+1${index % 2 === 0 ? '212' : '415'}20055${String(index).padStart(2, '0')}`,
      ),
    ],
  ]);
  const registrations = twilioRegistrations(profile, numbers);
  const account = `/2010-04-01/Accounts/${accountSid}`;

  const carryOut = (request: FakeRequest, response: ServerResponse): void => {
    const { method, path, form, query } = request;
    if (method === 'POST' && path === `${account}/Messages.json`) {
      takeText(form, response);
      return;
    }
    if (method === 'GET' && path === `${account}/Messages.json`) {
      listTexts(query, response);
      return;
    }
    const [, country, kind] = new RegExp(`^${account}/AvailablePhoneNumbers/(\\w+)/(\\w+)\\.json$`).exec(path) ?? [];
    if (country !== undefined) {
      search(country, kind ?? '', query, response);
      return;
    }
    if (path === `${account}/IncomingPhoneNumbers.json`) {
      method === 'POST' ? buy(form, response) : listNumbers(query, response);
      return;
    }
    const [, sid] = new RegExp(`^${account}/IncomingPhoneNumbers/(\\w+)\\.json$`).exec(path) ?? [];
    if (method === 'DELETE' && sid !== undefined) {
      release(sid, response);
      return;
    }
    if (registrations.answer(request, response)) return;
    refuse(response, notFound);
  };

  const takeText = (form: URLSearchParams, response: ServerResponse): void => {
    const [to, from, body] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Body') ?? ''];
    const refusal = refusals.get(to) ?? refusals.get('*');
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    if (!/^\+[1-9]\d{6,14}$/.test(to)) {
      refuse(response, twilioRefusals.invalidTo);
      return;
    }
    if (body === '') {
      refuse(response, { status: 400, code: 21_602, message: 'Message body is required' });
      return;
    }
    const statusCallback = form.get('StatusCallback') ?? '';
    const text = { sid: sidOf('SM'), from, to, body, statusCallback, createdAt: clock.now() };
    texts.push(text);
    watchers.forEach((look) => look());
    const answer = (): void =>
      sendJson(
        response,
        { sid: text.sid, status: 'queued', to, from, body, error_code: null, error_message: null },
        201,
      );
    if (owed) owed.push(answer);
    else answer();
  };

  /** Twilio does not show the StatusCallback of a text. */
  const listTexts = (query: URLSearchParams, response: ServerResponse): void =>
    sendJson(response, {
      messages: texts
        .filter(({ from, to }) => to === (query.get('To') ?? to) && from === (query.get('From') ?? from))
        .filter(({ sid }) => !unlisted.has(sid))
        .reverse()
        .slice(0, Number(query.get('PageSize') ?? '50'))
        .map(({ sid, from, to, body, createdAt }) => ({
          ...{ sid, from, to, body, direction: 'outbound-api', status: 'queued' },
          ...{ date_created: createdAt.toUTCString(), date_sent: null },
        })),
    });

  const search = (country: string, kind: string, query: URLSearchParams, response: ServerResponse): void => {
    const known = stock.get(country);
    if (!known || kind !== 'Local') {
      refuse(response, notFound);
      return;
    }
    const [area, contains] = [query.get('AreaCode'), query.get('Contains')];
    const found = known.filter(
      (number) => (area === null || number.startsWith(`+1${area}`)) && (contains === null || number.includes(contains)),
    );
    sendJson(response, {
      available_phone_numbers: found.slice(0, Number(query.get('PageSize') ?? '50')).map((number) => ({
        phone_number: number,
        friendly_name: number,
        iso_country: country,
        capabilities: { voice: true, SMS: true, MMS: true },
      })),
    });
  };

  const shown = ({ sid, number, smsUrl }: TwilioNumber): object => ({
    sid,
    phone_number: number,
    sms_url: smsUrl,
    capabilities: { voice: true, sms: true, mms: true, fax: false },
  });

  const buy = (form: URLSearchParams, response: ServerResponse): void => {
    const number = form.get('PhoneNumber') ?? '';
    const [country] = [...stock].find(([, known]) => known.includes(number)) ?? [];
    if (country === undefined) {
      refuse(response, { status: 400, code: 21_422, message: `${number} is not available` });
      return;
    }
    stock.set(
      country,
      (stock.get(country) ?? []).filter((each) => each !== number),
    );
    const bought = {
      sid: sidOf('PN'),
      number,
      smsUrl: form.get('SmsUrl') ?? '',
      fallbackUrl: form.get('SmsFallbackUrl') ?? '',
    };
    numbers.push(bought);
    purchases.push(number);
    sendJson(response, shown(bought), 201);
  };

  const listNumbers = (query: URLSearchParams, response: ServerResponse): void =>
    sendJson(response, {
      incoming_phone_numbers: numbers
        .filter(({ number }) => number.includes(query.get('PhoneNumber') ?? ''))
        .map(shown),
    });

  const release = (sid: string, response: ServerResponse): void => {
    const index = numbers.findIndex((each) => each.sid === sid);
    if (index < 0) {
      refuse(response, notFound);
      return;
    }
    const [gone] = numbers.splice(index, 1);
    if (gone) stock.set('US', [...(stock.get('US') ?? []), gone.number]);
    response.writeHead(204).end();
  };

  const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const fake = await startHttpFake(async (request, response) => {
    requests.push(`${request.method} ${request.path}`);
    if (request.headers.authorization !== basic) {
      refuse(response, twilioRefusals.authenticate);
      return;
    }
    const index = faults.findIndex(({ path }) => path.test(`${request.method} ${request.path}`));
    const [found] = index < 0 ? [] : faults.splice(index, 1);
    if (!found) {
      carryOut(request, response);
      return;
    }
    const { fault } = found;
    if (fault.kind === 'refuse') {
      refuse(response, fault.refusal);
      return;
    }
    if (fault.kind === 'cut') {
      if (fault.carriedOut) carryOut(request, discarding(response));
      response.socket?.destroy();
      return;
    }
    if (fault.kind === 'halve') {
      carryOut(request, halving(response));
      return;
    }
    const held = holding(response);
    carryOut(request, response);
    await fault.release;
    held();
  });

  return {
    ...fake,
    accountSid,
    authToken,
    smsUrl: `twilio://${accountSid}:${authToken}@api.twilio.com?profile=${profile}&api=${encodeURIComponent(fake.url)}`,
    texts,
    unlisted,
    refusals,
    stock,
    numbers,
    purchases,
    registrations,
    requests,
    answerTexts(does) {
      const waiting = owed ?? [];
      owed = does ? null : waiting;
      if (does) waiting.forEach((answer) => answer());
    },
    accept: (text) => void texts.push({ ...text, sid: sidOf('SM'), statusCallback: '', createdAt: clock.now() }),
    fail: (path, ...each) => void faults.push(...each.map((fault) => ({ path, fault }))),
    waitForTexts: (enough) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!enough(texts)) return;
          watchers.delete(look);
          clearTimeout(late);
          resolve([...texts]);
        };
        const late = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`Waited 15 s for texts; there are ${texts.length}.`));
        }, 15_000);
        watchers.add(look);
        look();
      }),
    report: ({ sid, from, to, statusCallback }, address, { status, code }, signedWith = authToken) =>
      postSigned(
        statusCallback,
        address,
        {
          AccountSid: accountSid,
          ApiVersion: '2010-04-01',
          From: from,
          MessageSid: sid,
          MessageStatus: status,
          SmsSid: sid,
          SmsStatus: status,
          To: to,
          ...(code === undefined ? {} : { ErrorCode: code }),
        },
        signedWith,
      ),
    call: (publicUrl, address, fields, signedWith = authToken) => postSigned(publicUrl, address, fields, signedWith),
    deliver: (publicUrl, address, { from, to, body, sid = sidOf('SM') }, signedWith = authToken) =>
      postSigned(
        publicUrl,
        address,
        {
          AccountSid: accountSid,
          ApiVersion: '2010-04-01',
          Body: body,
          From: from,
          MessageSid: sid,
          NumMedia: '0',
          NumSegments: '1',
          SmsSid: sid,
          To: to,
        },
        signedWith,
      ),
  };
}
