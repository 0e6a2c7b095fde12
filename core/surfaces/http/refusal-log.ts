import { minuteMs } from '#core/runtime/clock.js';
import { isTenant, type Caller, type RequestFacts } from '#core/kernel/caller/caller.js';
import type { Log } from '#core/runtime/log.js';

/** Lines a minute for one environment: as many as one key makes calls. */
const linesPerEnvironment = 600;
/** Lines a minute for all callers that are not known. */
const linesOfUnknown = 100;

interface RefusedRequest {
  operation: string;
  status: number;
  code: string;
  request: RequestFacts;
  /** Undefined if the request was refused before its caller was known. */
  caller: Caller | undefined;
}

/** Refusals of one minute: of one environment, or of all unknown callers. */
interface Minute {
  lines: number;
  /** How many refusals of each code had no line. */
  more: Map<string, number>;
}

/**
 * Logs each refusal as a line. A flood of refused requests must not fill the disk: beyond a number of lines a minute,
 * the rest is counted and logged as one line at the end of that minute.
 */
export function createRefusalLog(log: Log): (refused: RefusedRequest) => void {
  const minutes = new Map<string, Minute>();

  const endMinute = (holder: string): void => {
    const { lines, more } = minutes.get(holder) ?? { lines: 0, more: new Map() };
    minutes.delete(holder);
    if (more.size > 0) log.info({ of: holder, lines, more: Object.fromEntries(more) }, 'refused more than these lines');
  };
  const minuteOf = (holder: string): Minute => {
    const found = minutes.get(holder);
    if (found) return found;
    const started: Minute = { lines: 0, more: new Map() };
    minutes.set(holder, started);
    setTimeout(endMinute, minuteMs, holder).unref();
    return started;
  };

  return ({ operation, status, code, request, caller }) => {
    const known = caller && isTenant(caller) ? caller.environment.id : undefined;
    const minute = minuteOf(known === undefined ? 'unknown callers' : `environment ${known}`);
    if (minute.lines >= (known === undefined ? linesOfUnknown : linesPerEnvironment)) {
      minute.more.set(code, (minute.more.get(code) ?? 0) + 1);
      return;
    }
    minute.lines += 1;
    log.info({ requestId: request.requestId, operation, status, code, ip: request.ip }, 'refused');
  };
}
