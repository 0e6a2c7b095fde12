/* The objects that the examples of this product's operations use. */
export const exampleContact = {
  id: '01890a5d-ac96-774b-bcce-b302099a8700',
  externalId: 'customer-1024',
  email: 'ada@example.com',
  phone: '+491713920000',
  firstName: 'Ada',
  lastName: 'Lovelace',
  locale: 'de',
  timeZone: 'Europe/Berlin',
  properties: { plan: 'pro', orders: 3, newsletter: true },
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const exampleTopic = {
  key: 'news',
  name: 'Newsletter',
  description: 'What is new, once a month.',
  channels: ['email' as const, 'sms' as const],
  public: true,
  subscribeForm: null,
  archivedAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const exampleConsentRecord = {
  id: '01890a5d-ac96-774b-bcce-b302099a8710',
  contactId: exampleContact.id,
  topic: exampleTopic.key,
  channel: 'email' as const,
  state: 'granted' as const,
  effective: true,
  source: 'checkout form',
  wording: 'Yes, send me news once a month.',
  ip: '203.0.113.7',
  givenAt: '2026-11-20T09:30:00.000Z',
  recordedAt: '2026-11-20T09:30:00.000Z',
  actor: { kind: 'key' as const, id: '01890a5d-ac96-774b-bcce-b302099a8057', label: 'Shop backend' },
};

export const exampleConsent = {
  topic: exampleTopic.key,
  channel: 'email' as const,
  state: 'granted' as const,
  since: '2026-11-20T09:30:00.000Z',
  source: 'checkout form',
};

export const exampleSuppression = {
  id: '01890a5d-ac96-774b-bcce-b302099a8720',
  channel: 'email' as const,
  email: 'ada@example.com',
  phone: null,
  reason: 'manual' as const,
  note: 'Asked by phone.',
  liftable: true,
  createdAt: '2026-11-20T09:30:00.000Z',
  liftedAt: null,
};

export const exampleDefinition = {
  all: [
    { field: 'properties.plan', op: 'eq', value: 'pro' },
    { field: 'properties.orders', op: 'gte', value: 3 },
    { not: { field: 'event.order.placed.lastAt', op: 'within_days', value: 30 } },
  ],
};

export const exampleSegment = {
  id: '01890a5d-ac96-774b-bcce-b302099a8730',
  name: 'Quiet regulars',
  definition: exampleDefinition,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const exampleImport = {
  id: '01890a5d-ac96-774b-bcce-b302099a8740',
  status: 'queued' as const,
  dryRun: false,
  total: 2,
  processed: 0,
  created: 0,
  updated: 0,
  rejected: 0,
  createdAt: '2026-11-20T09:30:00.000Z',
  startedAt: null,
  finishedAt: null,
};

export const examplePreferences = {
  environmentId: '01890a5d-ac96-774b-bcce-b302099a8000',
  projectName: 'Shop',
  email: 'a•••@example.com',
  phone: null,
  channels: {
    email: {
      topics: [
        { key: exampleTopic.key, name: exampleTopic.name, description: exampleTopic.description, subscribed: true },
      ],
      unsubscribedAll: false,
      suppressionReason: null,
    },
    sms: { topics: [], unsubscribedAll: false, suppressionReason: null },
  },
};

export const exampleToken =
  'svc_pf_ASxy933K6D4WCJIGU_xSg2ow327hkViT5uEYpkXzc9DCnyFdgcbwKNqxGxcn3mHPJHSNUZ3_4ztYVNA1ZBFNKFU';
