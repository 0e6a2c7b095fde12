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
