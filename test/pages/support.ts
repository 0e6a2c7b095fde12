import type { PageRequest } from '#core/kernel/page.js';

/** A request as the HTTP surface passes it to a page, for cases that cannot be produced over HTTP. */
export const pageRequest = (facts: Partial<PageRequest> & Pick<PageRequest, 'path'>): PageRequest => ({
  method: 'GET',
  params: {},
  query: new URLSearchParams(),
  form: new URLSearchParams(),
  headers: {},
  cookies: new Map(),
  forwarded: false,
  fromOwnPage: true,
  host: 'localhost',
  languages: [],
  request: { requestId: 'the-request-id', ip: '127.0.0.1', userAgent: null, origin: null },
  call: () => Promise.reject(new Error('This test’s page calls no operation.')),
  ...facts,
});
