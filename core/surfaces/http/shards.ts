import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import type { Dispatcher } from 'undici';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { commonErrors, refusalOf } from '#core/kernel/errors/common.js';
import { makeError } from '#core/kernel/errors/errors.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { shardAddresses } from '#core/kernel/shard-addresses.js';
import type { Services } from '#core/kernel/services.js';
import { firstShard } from '#core/runtime/shard.js';
import { dropRest } from './body.js';
import { trustedPeer } from './client-address.js';
import { readCookies, setCookieHeader } from './cookies.js';
import { isReader } from './readers.js';
import { shardNumber, shardOfInput, shardOfRequest, shardParameterOf } from './shard-clues.js';
import { createShardPeer, type ShardPeer } from './shard-peer.js';

/*
 * One address for several shards (decision 142): any node takes a call and passes it on to a node of its shard, at most
 * once. A request that names a shard that this node does not know is answered with 503 and Retry-After, also without
 * SVC_SHARDS: while a shard is added, some nodes learn of it before others, and a final answer would lose what is sent
 * only once, such as a one-click unsubscribe.
 */

/** Names the shard that a call was passed on to. A client that sends it has its call answered where it arrives. */
const passedHeader = 'svc-shard';

/** The shard whose console a browser has opened, by /console?shard=2. */
const consoleCookie = 'svc_console_shard';
const consoleCookieSeconds = 400 * 24 * 60 * 60;

/** How an address without a clue finds its shard. */
export type WithoutClue =
  /** Every shard answers the same. */
  | 'any'
  /** An address that was given out before there were other shards. */
  | 'first'
  /** The console asks for the session of the browser. */
  | 'console session';

export interface Shards {
  /**
   * The shard that a request is for; undefined if it is this one.
   * @throws unavailable if it is for a shard that this node does not know, or was passed on to the wrong shard, or by a
   *   node that is not trusted
   */
  otherOf(context: Context, withoutClue: WithoutClue): number | undefined;
  /** The shard that a call without a key is for, by its input; undefined if it is this one. @throws as otherOf */
  otherOfInput(context: Context, input: unknown): number | undefined;
  /**
   * Passes a request on and writes the answer. @param bytes the body, if it was read
   * @throws unavailable before anything was written
   */
  passOn(context: Context, shard: number, request: RequestFacts, bytes?: Buffer): Promise<void>;
  /** Remembers in the browser which shard's console it opened. */
  rememberConsole(context: Context): void;
  close(): Promise<void>;
}

/** When to try again a call for a shard that this node does not know yet. */
const retryAfterSeconds = 30;

export function createShards({ deployment, log }: Pick<Services, 'deployment' | 'log'>): Shards {
  const { shard: own, shards, newAccountsShard = firstShard, trustProxy } = deployment.settings;
  const peers = new Map<number, ShardPeer>(
    [...shardAddresses(shards)].flatMap(([shard, address]) =>
      shard === own ? [] : [[shard, createShardPeer(shard, address, log)] as const],
    ),
  );
  const https = deployment.baseUrl.startsWith('https:');
  const isTrusted = trustedPeer(trustProxy);
  /** Where a request without a clue goes: this shard answers it if SVC_SHARDS does not list that one. */
  const listed = (shard: number): number | undefined => (peers.has(shard) ? shard : undefined);
  /** Shard 1 is also what texts name that svc did not make. */
  function named(shard: number): number | undefined {
    if (shard === own || shard === firstShard || peers.has(shard)) return listed(shard);
    const problem = `this node does not know shard ${shard}; if the deployment has it, the operator must add it to SVC_SHARDS here`;
    throw makeError('unavailable', commonErrors.unavailable, { problem }, retryAfterSeconds);
  }

  function wasPassedOn({ req }: Context): boolean {
    const passed = req.headers[passedHeader];
    if (passed === undefined || peers.size === 0) return false;
    if (passed !== String(own))
      throw refusalOf.unavailable({
        problem: `another node passed a call for another shard to shard ${own}; the operator must correct SVC_SHARDS there`,
      });
    if (!isTrusted(req.socket.remoteAddress ?? ''))
      throw refusalOf.unavailable({
        problem: `a node that shard ${own} does not trust passed the call on; the operator must add its address to SVC_TRUST_PROXY`,
      });
    return true;
  }

  const consoleShard = (context: Context): number =>
    shardNumber(readCookies(context.get('Cookie'), https).get(consoleCookie) ?? '') ?? firstShard;

  return {
    otherOf(context, withoutClue) {
      if (wasPassedOn(context)) return undefined;
      const shard = shardOfRequest(context);
      if (shard !== undefined) return named(shard);
      if (withoutClue === 'any') return undefined;
      return listed(withoutClue === 'first' ? firstShard : consoleShard(context));
    },
    otherOfInput(context, input) {
      if (wasPassedOn(context)) return undefined;
      const shard = shardOfInput(input);
      return shard === undefined ? listed(newAccountsShard) : named(shard);
    },
    async passOn(context, shard, { ip }, bytes) {
      const peer = peers.get(shard);
      if (!peer) throw new Error(`SVC_SHARDS has no shard ${shard}.`);
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      context.res.once('close', leave);
      const call = {
        method: context.method,
        path: context.req.url ?? '/',
        headers: { ...requestHeaders(context), [passedHeader]: String(shard) },
        body: bytes ?? (isReader(context) ? null : bodyOf(context)),
        client: addressGroup(ip),
        gone: gone.signal,
      };
      try {
        await peer.call(call, (answer) => writeAnswer(context, answer));
      } catch (error) {
        // Part of the answer was sent: only closing the connection says that the rest is missing.
        if (!context.res.headersSent) throw error;
        context.res.destroy();
      } finally {
        context.res.off('close', leave);
      }
    },
    rememberConsole(context) {
      const shard = shardParameterOf(context);
      if (shard === undefined || peers.size === 0) return;
      const cookie = { name: consoleCookie, value: String(shard), maxAgeSeconds: consoleCookieSeconds };
      context.append('Set-Cookie', setCookieHeader(cookie, https));
    },
    async close() {
      await Promise.all([...peers.values()].map((peer) => peer.close()));
    },
  };
}

/** Headers of one connection (RFC 9110 §7.6.1), and those that undici writes. */
const hopHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

const withoutHop = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopHeaders.includes(name) ? [] : [[name, value]],
    ),
  );

/** The request's headers, with the address of its sender, which the next node trusts this one to state. */
function requestHeaders({ req }: Context): Record<string, string | string[]> {
  const before = req.headers['x-forwarded-for'];
  const sender = req.socket.remoteAddress ?? 'unknown';
  return {
    ...withoutHop(req.headers),
    'x-forwarded-for': before === undefined ? sender : `${String(before)}, ${sender}`,
  };
}

/** The request's body. undici destroys the stream if the answer comes first, and the request must outlive that. */
function bodyOf({ req }: Context): PassThrough {
  const body = new PassThrough();
  req.on('error', () => body.destroy());
  body.on('error', () => undefined);
  body.on('close', () => {
    if (!req.readableEnded) dropRest(req);
  });
  return req.pipe(body);
}

async function writeAnswer(context: Context, { statusCode, headers, body }: Dispatcher.ResponseData): Promise<void> {
  context.respond = false;
  context.status = statusCode;
  for (const [name, value] of Object.entries(withoutHop(headers))) context.res.setHeader(name, value);
  await pipeline(body, context.res);
}
