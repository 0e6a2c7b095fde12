import { driverFacts } from '../errors.js';
import { NoMajority, type Inquiry } from '../primary/find.js';
import { NoAnswer } from '../within.js';
import { close, cutAll, inUseSince, isClosed, reopen, type Pool } from './pool.js';

/** How long a connection is in use before the server is asked: longer than any read may take (time-limit.ts). */
const suspectMs = 6_000;
const roundMs = 1_000;
/** Consecutive questions that must go unanswered. Each takes 1 s, and the next one follows 1 s later. */
const mostUnanswered = 3;

/** Codes of connections that got no answer while they were opened. */
const silentCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/**
 * Ends the connections of a pool if its server has stopped answering without closing them, as when its machine loses
 * power, hangs, or is cut off from the network: their callers would wait until TCP gives up, a quarter of an hour later
 * or never. So would those of a server whose cluster has lost the majority, which answers and cannot commit. A
 * long-running statement does not mean that the server hangs, so svc first asks it over a separate connection, and only
 * while some connection has been in use for more than 6 s. If the majority is lost, callers get no connection until it
 * returns.
 *
 * @param inquiry asks the servers of the pool's URL
 * @param onSilent called when connections were ended; without the majority, only the first time
 * @returns ends the watch
 */
export function endConnectionsOfSilentServer(
  pool: Pool,
  inquiry: Pick<Inquiry, 'ask' | 'close'>,
  onSilent: () => void,
): () => void {
  let unanswered = 0;
  let isAsking = false;
  const isSuspect = (): boolean => performance.now() - (inUseSince(pool) ?? Infinity) > suspectMs;

  const ask = async (): Promise<void> => {
    const { host, port } = pool.config.connectionConfig;
    const answers = await inquiry.ask();
    const problem = answers.find((answer) => answer.host.host === host && answer.host.port === port)?.problem;
    // Any other error is an answer, such as “too many connections”.
    const isSilent = problem instanceof NoAnswer || silentCodes.has(driverFacts(problem).code ?? '');
    const hasNoMajority = problem instanceof NoMajority;
    if (!hasNoMajority) reopen(pool);
    unanswered = isSilent || hasNoMajority ? unanswered + 1 : 0;
    if (unanswered < mostUnanswered) return;
    unanswered = 0;
    const wasClosed = isClosed(pool);
    // It accepts connections and statements, and only their commits wait.
    if (hasNoMajority) close(pool, 'The database server has lost the majority of its cluster.');
    cutAll(pool);
    if (!wasClosed) onSilent();
  };
  const round = (): void => {
    if (isAsking) return;
    if (!isSuspect() && !isClosed(pool)) {
      unanswered = 0;
      inquiry.close();
      return;
    }
    isAsking = true;
    void ask().finally(() => (isAsking = false));
  };

  const timer = setInterval(round, roundMs);
  return () => {
    clearInterval(timer);
    inquiry.close();
  };
}
