import { idForm } from '../id-form.js';
import { shardOfId } from '../id.js';
import { at, parseJson } from '../json.js';
import { firstShard } from '../shard.js';
import { shardOfCharacter, shardOfToken } from './digest.js';

/** `svc_live_`, `svc_live_pk`, `svc_iv_`. */
const prefix = /^svc_[a-z]+_(?:pk)?/;
const idAtStart = new RegExp(`^${idForm}(?![0-9a-z])`, 'i');
const random = /^[A-Za-z0-9]{40,64}$/;
const idLength = 36;
/** Access tokens have at most 4 KiB (plugins may add claims), and tokens in links are shorter. */
const longest = 16_384;

/**
 * The shard that a key, a token or an id names: by the id that it begins with, by the first characters of a random
 * token (`randomToken`), by the character before a sealed text (`withShard`), or by the claim `aud` of a JWT.
 * @param text not checked: whoever made it up is refused by the shard that it names
 * @returns undefined for a text of none of these forms
 */
export function shardOfText(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const rest = text.replace(prefix, '');
  const hasPrefix = rest.length < text.length;
  if (idAtStart.test(rest)) return shardOfId(rest.slice(0, idLength));
  if (!hasPrefix) return shardOfJwt(text);
  if (random.test(rest)) return shardOfToken(rest);
  return rest.charAt(1) === '.' ? shardOfCharacter(rest.charAt(0)) : firstShard;
}

/** By the environment that the token is for. */
function shardOfJwt(text: string): number | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text)?.[1];
  if (payload === undefined) return undefined;
  const environment = at(parseJson(Buffer.from(payload, 'base64url').toString('utf8')), 'aud');
  return typeof environment === 'string' && idAtStart.test(environment) ? shardOfId(environment) : undefined;
}
