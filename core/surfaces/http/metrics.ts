import { collectDefaultMetrics, Histogram, Registry as MetricsRegistry } from 'prom-client';

/** The metrics behind GET /metrics. */
export interface Metrics {
  /** @param operation the operation's name, or the page's address */
  observe(operation: string, status: number, seconds: number): void;
  text(): Promise<{ body: string; type: string }>;
}

export function createMetrics(): Metrics {
  const registry = new MetricsRegistry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Duration of calls by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  /** Cached by operation and status: looking up labels costs a hash per request. */
  const known = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  const lineOf = (operation: string, status: number): Histogram.Internal<'operation' | 'status'> => {
    const name = `${operation} ${status}`;
    const line = known.get(name) ?? requests.labels({ operation, status });
    known.set(name, line);
    return line;
  };
  return {
    observe: (operation, status, seconds) => lineOf(operation, status).observe(seconds),
    text: async () => ({ body: await registry.metrics(), type: registry.contentType }),
  };
}
