import type { Socket } from 'node:net';

/** The beginnings of interim responses, and the position of the rest of their status. */
const beginnings = ['HTTP/1.1 1', 'HTTP/1.0 1'].map((text) => Buffer.from(text));
const [statusStart, statusEnd] = [9, 12];
const headEnd = '\r\n\r\n';
/** The longest head of an interim response that is waited for. */
const maxHead = 4 * 1024;
const none = Buffer.alloc(0);

/**
 * Removes responses 100 before the final response. A client must accept any number of them, also if it did not ask for
 * one (RFC 9110 section 15.2), but undici (7.30.2) closes the connection. It accepts the other interim responses.
 * @param socket a connection whose requests are answered one after the other
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  // Only what arrives first after something was sent is the beginning of a response.
  let isAtHead = false;
  let held: Buffer = none;
  socket.write = new Proxy(socket.write, {
    apply(write, self: unknown, written: unknown[]): unknown {
      isAtHead = true;
      return Reflect.apply(write, self, written);
    },
  });
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!isAtHead || !Buffer.isBuffer(chunk)) return chunk;
      const arrived = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = none;
      const { passed, rest, isFinal } = withoutContinue(arrived);
      isAtHead = !isFinal;
      held = rest;
      if (passed.length > 0) return passed;
    }
  };
}

/** What arrived, without the responses 100 at its beginning. */
interface Arrived {
  readonly passed: Buffer;
  /** The beginning of a response whose kind is not known yet. */
  readonly rest: Buffer;
  /** Whether `passed` contains the beginning of the final response. */
  readonly isFinal: boolean;
}

function withoutContinue(arrived: Buffer): Arrived {
  const passed: Buffer[] = [];
  let rest = arrived;
  while (rest.length > 0 && isInterim(rest)) {
    const end = rest.indexOf(headEnd);
    if (end === -1 && rest.length <= maxHead) return { passed: Buffer.concat(passed), rest, isFinal: false };
    if (end === -1) break;
    const length = end + headEnd.length;
    if (rest.toString('latin1', statusStart, statusEnd) !== '100') passed.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return { passed: Buffer.concat([...passed, rest]), rest: none, isFinal: rest.length > 0 };
}

/** Whether it begins as an interim response does, as far as it has arrived. */
const isInterim = (bytes: Buffer): boolean =>
  beginnings.some((beginning) => {
    const start = bytes.subarray(0, beginning.length);
    return beginning.subarray(0, start.length).equals(start);
  });
