/*
 * `svc-sdk`: the client for Node, browsers, Deno and Bun. Webhooks are separate, in `svc-sdk/webhooks`: they need
 * node:crypto.
 */
export { Svc, type InputOf, type ItemOf, type ResultOf } from './client.js';
export { SvcError, isSvcError, type ClientCode, type CodeOf } from './errors.js';
export type { CallOptions, Envelope, Fetch, FetchAnswer, Sleep, SvcOptions } from './types.js';
export type * from './operations.gen.js';
