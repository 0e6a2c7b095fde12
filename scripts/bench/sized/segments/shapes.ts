const property = (key: string, op: string, value?: unknown): object => ({ field: `properties.${key}`, op, value });

/** The segment of the performance target: equality and ranges that match 10 %, 30 % and 60 %. */
export const promised = {
  all: [property('plan', 'eq', 'plan-3'), property('orders', 'gte', 70), property('score', 'lt', 0.6)],
};

/** Definitions of other shapes, which must not be much slower than the first. */
export const shapes: Readonly<Record<string, object>> = {
  'all of 10, 30 and 60 %': promised,
  'any of them': { any: promised.all },
  'not all of them': { not: promised },
  'none of them': { not: { any: promised.all } },
  'three that exclude each other': {
    all: [property('low', 'lt', 0.3), property('high', 'lt', 0.3), property('score', 'lt', 0.6)],
  },
  'one contact': property('company', 'eq', 'Company 777'),
  'the forty oldest': property('rank', 'lt', 40),
  'all, by exists': property('plan', 'exists'),
  'nine in ten, by neq': property('plan', 'neq', 'plan-3'),
  'a few, by contains': property('company', 'contains', '999'),
  'consent of half, and 1 %': {
    all: [{ field: 'consent.news', op: 'eq', value: 'granted' }, property('vip', 'eq', true)],
  },
  'events: five orders or more': { field: 'event.order.placed.count', op: 'gte', value: 5 },
  'quiet for 30 days': { not: { field: 'message.email.lastSentAt', op: 'within_days', value: 30 } },
  'seven deep': {
    all: [
      { any: [{ all: [{ any: [{ all: [{ any: promised.all }] }, property('vip', 'eq', true)] }] }] },
      property('low', 'lt', 0.2),
    ],
  },
  '100 conditions, any': { any: Array.from({ length: 100 }, (_, index) => property(`key${index}`, 'eq', 'x')) },
  '100 conditions, all': { all: Array.from({ length: 100 }, (_, index) => property(`key${index}`, 'neq', 'x')) },
};

/** Filters of audience.contact.list. */
export const filters = {
  'list: all': {},
  'list: a topic': { topic: 'news' },
  'list: a topic of 1 %': { topic: 'alerts' },
  'list: a channel of 1 %': { channel: 'sms' },
  'list: query that all match': { query: 'person' },
  'list: query that 0.1 % match': { query: 'ada55' },
  'list: query that nobody matches': { query: 'zzz' },
} as const;
