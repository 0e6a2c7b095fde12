import type { Context } from 'koa';
import { at } from '#core/runtime/json.js';
import { shardOfId } from '#core/runtime/id.js';
import { isId } from '#core/runtime/id-form.js';
import { shardOfText } from '#core/runtime/secrets/shard-of-text.js';
import { firstShard, lastShard, shardParameter } from '#core/runtime/shard.js';
import { bearerOf, header } from './headers.js';

/*
 * What a request says about its shard, without a database: ids, keys and tokens name theirs (decision 142). A clue may
 * be made up. The call is then refused by the shard that it names, as it would be by any other.
 */

/**
 * The shard that a request names.
 *
 * 1. A key or access token in Authorization. Other secrets in this header, such as SVC_INBOUND_SECRET, say nothing.
 * 2. The environment in Svc-Environment.
 * 3. The first id in the path: /auth/{environmentId}/signin.
 * 4. `?shard=2`, for addresses without an id, such as those that are registered with a provider.
 * 5. The first id or token in the query, such as that of a link in a mail.
 *
 * @returns undefined if it names none
 */
export function shardOfRequest(context: Context): number | undefined {
  const bearer = bearerOf(context);
  const environment = header(context, 'Svc-Environment');
  return (
    (bearer === undefined ? undefined : shardOfText(bearer)) ??
    (environment === undefined ? undefined : shardNamedBy(environment)) ??
    firstOf(context.path.split('/', mostParts), shardNamedBy) ??
    shardParameterOf(context) ??
    firstOf([...context.URL.searchParams.values()].slice(0, mostValues), shardOfText)
  );
}

/** No address of svc has more; the rest of a longer one is not read. */
const mostParts = 16;
const mostValues = 16;

/** @returns undefined if the text is not an id */
const shardNamedBy = (text: string): number | undefined => (isId(text) ? shardOfId(text) : undefined);

/** The shard of `?shard=2`. @returns undefined if there is no such parameter, or no such number */
export function shardParameterOf(context: Context): number | undefined {
  return shardNumber(context.URL.searchParams.get(shardParameter) ?? '');
}

/** @returns undefined if the text is not the number of a shard */
export function shardNumber(text: string): number | undefined {
  const shard = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  return shard >= firstShard && shard <= lastShard ? shard : undefined;
}

function firstOf(texts: readonly string[], shardOf: (text: string) => number | undefined): number | undefined {
  for (const text of texts) {
    const shard = shardOf(text);
    if (shard !== undefined) return shard;
  }
  return undefined;
}

/**
 * The shard of a call without a key, by the token in its input: an invitation's, or that of a link to preferences.
 * @returns shard 1 for a token that names no shard; undefined without a token, because the call creates something new
 */
export function shardOfInput(input: unknown): number | undefined {
  const token = at(input, 'token');
  return typeof token === 'string' ? (shardOfText(token) ?? firstShard) : undefined;
}
