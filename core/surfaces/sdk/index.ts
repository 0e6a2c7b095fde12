/* `svc/sdk`: the client for Node and browsers. verifyWebhook is separate, in `svc/webhooks`: it needs node:crypto. */
export { Svc, type InputOf, type ItemOf, type ResultOf } from './client.js';
export { SvcError, isSvcError, type ClientCode, type CodeOf } from './errors.js';
export type { CallOptions, Envelope, Fetch, FetchAnswer, Open, Sleep, SvcOptions } from './types.js';
export type * from './operations.gen.js';
