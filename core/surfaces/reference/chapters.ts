import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { passes, passingStatuses } from '#core/kernel/errors/errors.js';
import { keyVariable, publishableVariable } from './examples.js';

/** One of the rules that apply to every operation. The search finds it by its title and its words. */
interface Chapter {
  title: string;
  paragraphs: readonly string[];
  /** A program that shows it. */
  sample?: string;
}

/** The chapters of the introduction, as the contents list them. */
export const chaptersOf = (catalogue: Catalogue): Chapter[] => [
  { title: 'Keys', paragraphs: [keysText(catalogue)] },
  responses,
  { title: 'Retries', paragraphs: [idempotencyText, retriesText(catalogue)] },
  ...chapters,
  ...(catalogue.operations.has('developers.webhook.create') ? [webhooks] : []),
];

/** How calls authenticate. Publishable keys are mentioned only if an operation takes one. */
function keysText({ operations }: Catalogue): string {
  const takesPublishable = [...operations.values()].some(({ access }) => access === 'publishable' || access === 'user');
  return [
    'Send `Authorization: Bearer …`. A secret key belongs on servers and has the permissions that were chosen for it.',
    ...(takesPublishable ? ['A publishable key can be used in browsers and apps, and has only `auth:public`.'] : []),
    'Each key belongs to one environment, live or test.',
    takesPublishable
      ? `The examples read the keys from \`${keyVariable}\` and \`${publishableVariable}\`.`
      : `The examples read the key from \`${keyVariable}\`.`,
  ].join(' ');
}

const responses: Chapter = {
  title: 'Responses',
  paragraphs: [
    'Success is status 200 with `result` and `activityId`, the id of the audit record that the call wrote (empty for reads). Any other ' +
      'status is an error with a `code` to branch on and a `fix` that names the next step. Times are RFC 3339 in UTC. Unknown input ' +
      'fields are an error; responses may gain fields.',
    '`invalid_input` names the first invalid field in `details.field`. If several are invalid, `details.problems` lists them.',
  ],
};

const idempotencyText =
  'Idempotency: send `Idempotency-Key: …`, up to 255 characters of your choice, with every write that you may retry. For 24 hours, the ' +
  'same key with the same input returns the first response, marked `Idempotent-Replayed: true`; with different input it is an error. ' +
  'A call that failed leaves the key unused. Answers with a user’s tokens are returned again for 30 seconds only.';

/** Which errors to retry: the statuses, and the codes of this deployment that differ from their status. */
function retriesText({ enabledErrors }: Catalogue): string {
  const codes = (wanted: boolean): string[] =>
    Object.entries(enabledErrors)
      .filter(([, error]) => passes(error) === wanted && passingStatuses.includes(error.status) !== wanted)
      .map(([code]) => `\`${code}\``)
      .sort((a, b) => a.localeCompare(b, 'en'));
  const [also, never] = [codes(true), codes(false)];
  return [
    `Retry a call without a response, and the statuses ${conjunction.format(passingStatuses.map(String))}, with the same key.`,
    ...(also.length > 0 ? [`Also retry ${conjunction.format(also)}.`] : []),
    ...(never.length > 0 ? [`Do not retry ${conjunction.format(never)}.`] : []),
    'Wait as long as `Retry-After` or `fix` says; otherwise start with one second and double it each time. Other errors stay the same ' +
      'until the input or the state changes.',
  ].join(' ');
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const chapters: readonly Chapter[] = [
  {
    title: 'Paging',
    paragraphs: [
      'Pagination of lists: newest first, `limit` items at a time. Pass the response’s `nextBefore` as `before` to get the next page; it is ' +
        'null on the last page. It is a cursor: store it as it is. What is added meanwhile does not move the pages after it.',
    ],
  },
  {
    title: 'Limits',
    paragraphs: [
      'A key can make 600 calls a minute. Beyond that the status is 429, and `Retry-After` is the number of seconds to wait. Further ' +
        'limits are listed with their operations.',
    ],
  },
];

/** A program that verifies a webhook's signature without the SDK, for the reference. */
export const verifySample = `import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @param secret the endpoint's secret: svc_wh_…
 * @param header the header Svc-Signature
 * @param body the body's bytes, as they arrived
 */
export function isFromSvc(secret, header, body) {
  // While a secret is rotated with an overlap there are two signatures, of the new and of the old secret.
  const [, time, signatures] = /^t=(\\d{1,12})((?:,v1=[0-9a-f]{64}){1,10})$/.exec(header ?? '') ?? [];
  if (time === undefined) return false;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(time + '.').update(body).digest();
  return signatures.slice(4).split(',v1=').some((each) => timingSafeEqual(expected, Buffer.from(each, 'hex')));
}`;

const webhooks: Chapter = {
  title: 'Webhook signatures',
  paragraphs: [
    'Verify every delivery before you read it. Its header `Svc-Signature: t=<unix seconds>,v1=<64 hex digits>` holds an HMAC-SHA256, with the ' +
      'endpoint’s secret exactly as it was issued, over `t`, a dot and the bytes of the body. During a rotation with an ' +
      'overlap it holds two `v1`, of the new and of the old secret: accept either. Refuse a time more than 300 seconds from now, ' +
      'and compare in constant time. The SDK does all of it: `constructEvent`.',
    'Answer 2xx at once, and work afterwards. Delivery is at least once and in no guaranteed order: recognise repeats by the event’s `id`. A ' +
      'failed attempt is repeated after 1 and 5 minutes, half an hour, 2, 12 and 24 hours; then the delivery is `dead` and can be replayed ' +
      'with `developers.webhook.delivery.replay` or `developers.webhook.deliveries.replay`.',
  ],
  sample: verifySample,
};
