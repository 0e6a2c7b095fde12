import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { refusalOf } from '#core/kernel/errors/common.js';

/** How long a whole body may take to arrive, where the boot says nothing else. */
export const usualArrivalMs = 30_000;

/**
 * The whole body.
 * @throws body_too_large as soon as `limit` bytes are passed, request_timeout when it takes longer than `arrivalMs`
 */
export function readBody(request: IncomingMessage, limit: number, arrivalMs = usualArrivalMs): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit)
    return Promise.reject(refusalOf.body_too_large({ limit }));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      clearTimeout(timer);
      request
        .removeAllListeners('data')
        .removeAllListeners('end')
        .removeAllListeners('error')
        .removeAllListeners('close');
      // What still arrives after a refusal is read and dropped, so that the client gets to see the answer.
      request.on('error', () => undefined).resume();
    };
    const refuse = (error: Error): void => {
      settle();
      reject(error);
    };
    const late = (): void => refuse(refusalOf.request_timeout({ seconds: Math.ceil(arrivalMs / 1000) }));
    const timer = setTimeout(late, arrivalMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse(refusalOf.body_too_large({ limit }));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      settle();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // The client went away: nobody reads this answer, and nothing failed on our side.
    request.on('error', late);
    request.on('close', late);
  });
}

/** Names that would reach an object's prototype when copied. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);
const deepest = 32;

/**
 * A JSON object from its bytes.
 * @throws unsupported_media_type, invalid_json, and invalid_input for nesting beyond 32 or a name that reaches a prototype
 */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json')
    throw refusalOf.unsupported_media_type({ type: type === '' ? 'nothing' : type.slice(0, 100) });
  // Decoding would silently put U+FFFD in the place of what is not UTF-8.
  if (!isUtf8(bytes)) throw refusalOf.invalid_json({ problem: 'it is not UTF-8' });
  let value: unknown;
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw refusalOf.invalid_json({
      problem:
        bytes.length === 0 ? 'it is empty' : error instanceof Error ? error.message.slice(0, 200) : 'it does not parse',
    });
  }
  guard(value);
  return value;
}

/** Walks without recursion: 100,000 nested arrays parse, and would overflow a recursive walk (measured). */
function guard(root: unknown): void {
  const open: { value: unknown; depth: number; path: string }[] = [{ value: root, depth: 1, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > deepest) refuseAt(path, `is nested deeper than ${deepest} levels`);
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries())
        if (typeof each === 'object') open.push({ value: each, depth: depth + 1, path: `${path}[${index}]` });
      continue;
    }
    for (const name of Object.keys(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (forbiddenNames.has(name)) refuseAt(at, 'is not an allowed name');
      const each: unknown = Reflect.get(value, name);
      if (typeof each === 'object') open.push({ value: each, depth: depth + 1, path: at });
    }
  }
}

function refuseAt(path: string, problem: string): never {
  const field = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  throw refusalOf.invalid_input({ field, problem, details: { field } });
}
