import type { SMTPServerDataStream } from 'smtp-server';
import { collectBytes } from '#core/runtime/collected-bytes.js';

/** Bytes of messages that arrive at the same time, in this process. */
const mostBytes = 128 * 1024 * 1024;
let held = 0;

/** All messages together use too much memory to accept another one. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** The message is larger than the server announced (RFC 1870). */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Reads a message and passes it to `use`. Data beyond a limit is read and dropped, so that the sender gets an answer.
 * @throws TooLarge, NoRoom; the stream's error if the sender disconnected
 */
export async function collected<T>(
  stream: SMTPServerDataStream,
  limit: number,
  use: (raw: Buffer) => Promise<T>,
): Promise<T> {
  let bytes = collectBytes();
  let size = 0;
  let problem: Error | undefined;
  const release = (): void => {
    held -= size;
    size = 0;
    bytes = collectBytes();
  };
  try {
    for await (const chunk of stream) {
      if (problem || !Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      held += chunk.length;
      bytes.add(chunk);
      if (size > limit) problem = new TooLarge('The message is too large.');
      else if (held > mostBytes) problem = new NoRoom('Too much mail is arriving at once.');
      if (problem) release();
    }
    if (problem) throw problem;
    return await use(bytes.whole());
  } finally {
    release();
  }
}
