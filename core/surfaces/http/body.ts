import type { IncomingMessage } from 'node:http';
import { refusalOf } from '#core/kernel/errors/common.js';

/** Default time limit for a body to arrive. */
export const defaultArrivalMs = 30_000;

/**
 * Reads a request body.
 * @throws body_too_large as soon as it exceeds `limit` bytes, request_timeout when it takes longer than `arrivalMs`
 */
export function readBody(request: IncomingMessage, limit: number, arrivalMs = defaultArrivalMs): Promise<Buffer> {
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
      // The rest of a refused body is read and dropped, so that the client receives the answer.
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
    // The client disconnected. Nobody reads this answer; it only ends the request.
    request.on('error', late);
    request.on('close', late);
  });
}
