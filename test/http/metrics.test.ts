import { expect } from 'chai';
import { Counter, Gauge, Registry } from 'prom-client';
import { mergeMetrics, type ProcessMetrics } from '#core/surfaces/http/metrics.js';
import { usePlatform } from '#test/support/platform.js';

/** What a process measures if its event loop is late by this number of seconds. */
async function processWith(lag: number): Promise<ProcessMetrics> {
  const registers = [new Registry()];
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_eventloop_lag_max_seconds'])
    new Gauge({ name, help: 'As prom-client’s.', registers, aggregator: 'average' }).set(lag);
  new Counter({ name: 'svc_database_waits_total', help: 'A count.', registers }).inc(2);
  return registers[0]?.getMetricsAsJSON() ?? [];
}

describe('GET /metrics of several processes', () => {
  it('shows the event loop of the process that is late by most, and adds counts up', async () => {
    const text = await mergeMetrics(await Promise.all([0, 4, 0, 0].map(processWith)));
    expect(text).to.contain('nodejs_eventloop_lag_p99_seconds 4\n');
    expect(text).to.contain('nodejs_eventloop_lag_max_seconds 4\n');
    expect(text).to.contain('svc_database_waits_total 8\n');
  });
});

describe('GET /metrics after the start', () => {
  const platform = usePlatform();
  const metrics = async (): Promise<string> => (await platform.api.raw('/metrics', undefined, { method: 'GET' })).text;

  it('counts from 0 what alerts count, so that the first one is an increase', async () => {
    const text = await metrics();
    for (const status of [500, 502, 503, 504])
      expect(text).to.contain(`svc_server_errors_total{status="${status}"} 0\n`);
    expect(text).to.match(/svc_log_errors_total\{message="the disk of [^"]* is full: [^"]*"\} 0\n/);
  });

  it('names the release and the build of the process', async () => {
    expect(await metrics()).to.match(/svc_info\{version="\d+\.\d+\.\d+[^"]*\+[0-9a-f]{12}"/);
  });
});
