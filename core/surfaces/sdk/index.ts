/*
 * `svc/sdk`: the client for Node and browsers. verifyWebhook stands at `svc/webhooks` alone: it needs node:crypto, which browsers
 * do not have, and belongs where webhooks arrive.
 */
export { Svc, type InputOf, type ItemOf, type ResultOf } from './client.js';
export { SvcError, isSvcError, type ClientCode, type CodeOf } from './errors.js';
export type { CallOptions, Envelope, Fetch, FetchAnswer, Open, Sleep, SvcOptions } from './types.js';
export type * from './operations.gen.js';
