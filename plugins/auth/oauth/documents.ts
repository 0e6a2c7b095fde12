import type { HttpClient } from '#core/runtime/http-client/client.js';
import { callProvider, type Outbound, type ProviderAnswer } from '../providers/outbound.js';

/** Discovery documents and key sets, cached by each process for a while. */
interface Stored {
  answer: Promise<ProviderAnswer>;
  fetchedAt: number;
  /** When it was last fetched again before it was due; 0 for never. */
  renewedAt: number;
}

const maxAgeMs = 600_000;
/** An ID token may name any key, so unknown keys must not make svc fetch a key set on every attempt. */
const renewEveryMs = 60_000;
const maxDocuments = 100;

const stores = new WeakMap<HttpClient, Map<string, Stored>>();

function storeOf({ http }: Outbound): Map<string, Stored> {
  const known = stores.get(http);
  if (known) return known;
  const made = new Map<string, Stored>();
  stores.set(http, made);
  return made;
}

// A document that a test environment read over plain http must not be used for a live one.
const keyOf = ({ plainHttp }: Outbound, url: string): string => `${plainHttp ? 'test' : 'live'} ${url}`;

/**
 * Reads a public document of a provider, from memory if it was read in the last ten minutes. Only answers with status
 * 200 are kept.
 * @throws ProviderProblem
 */
export async function readDocument(outbound: Outbound, url: string): Promise<ProviderAnswer> {
  const stored = storeOf(outbound).get(keyOf(outbound, url));
  if (stored && outbound.clock.now().getTime() - stored.fetchedAt < maxAgeMs) return stored.answer;
  return fetchDocument(outbound, url, stored?.renewedAt ?? 0);
}

/**
 * Reads it again, at most once a minute.
 * @returns undefined if it was already read again in the last minute
 * @throws ProviderProblem
 */
export async function renewDocument(outbound: Outbound, url: string): Promise<ProviderAnswer | undefined> {
  const now = outbound.clock.now().getTime();
  const stored = storeOf(outbound).get(keyOf(outbound, url));
  if (stored && now - stored.renewedAt < renewEveryMs) return undefined;
  return fetchDocument(outbound, url, now);
}

/** Drops a cached document, so that it is read again. */
export const forgetDocument = (outbound: Outbound, url: string): void =>
  void storeOf(outbound).delete(keyOf(outbound, url));

async function fetchDocument(outbound: Outbound, url: string, renewedAt: number): Promise<ProviderAnswer> {
  const store = storeOf(outbound);
  const key = keyOf(outbound, url);
  const answer = callProvider(outbound, { method: 'GET', url, headers: { accept: 'application/json' } });
  const fetched = { answer, fetchedAt: outbound.clock.now().getTime(), renewedAt };
  // Inserted last in the map, so that the oldest is the first.
  store.delete(key);
  store.set(key, fetched);
  for (const [oldest] of store) {
    if (store.size <= maxDocuments) break;
    store.delete(oldest);
  }
  const forget = (): void => {
    if (store.get(key) === fetched) store.delete(key);
  };
  try {
    const { status } = await answer;
    if (status !== 200) forget();
    return await answer;
  } catch (error) {
    forget();
    throw error;
  }
}
