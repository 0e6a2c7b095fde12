import type { OperationName, RawAnswer } from './api.js';
import { eventually } from './eventually.js';
import { lockWaits } from './lock-waits.js';
import type { TestPlatform } from './platform.js';

/** A call whose answer the test does not wait for yet. */
export interface RunningCall {
  readonly answer: Promise<RawAnswer>;
  /** The code that it is refused with; 'complete' if it succeeds. */
  code(): Promise<string>;
  /** Waits until the call has its answer, or until a transaction waits for a lock: this one, if no other does. */
  untilStopped(what: string): Promise<void>;
}

/** Starts a call with a key. */
export function startCall(platform: TestPlatform, operation: OperationName, input: object, key: string): RunningCall {
  const state = { ended: false };
  const path = `/${operation.replaceAll('.', '/')}`;
  const answer = platform.api.raw(path, JSON.stringify(input), { key }).finally(() => (state.ended = true));
  return {
    answer,
    async code() {
      const { status, text } = await answer;
      return status === 200 ? 'complete' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
    },
    untilStopped: (what) => eventually(async () => state.ended || (await lockWaits(platform)) > 0, what),
  };
}
