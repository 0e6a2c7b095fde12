import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { isRecord } from '#core/runtime/json.js';
import { basic, post, secret } from '#test/email/callbacks/support.js';
import { eventually } from '#test/support/eventually.js';
import { at, listAt } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { root } from '#test/docs/shell-blocks.js';
import { readQuery, readSeries, type Selector, type Series } from './promql.js';

const operating = join(root, 'examples/operating');
const text = (value: unknown, ...path: string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

const alerts = async (): Promise<unknown[]> => {
  const file: unknown = parse(await readFile(join(operating, 'prometheus/alerts.yaml'), 'utf8'));
  return listAt(file, 'groups').flatMap((group) => listAt(group, 'rules'));
};

/** Each query of the dashboard, as Prometheus would get it, with the labels that its legend shows. */
const dashboardQueries = async (): Promise<{ title: string; query: string; legend: string[] }[]> => {
  const file: unknown = JSON.parse(await readFile(join(operating, 'grafana/svc.json'), 'utf8'));
  return listAt(file, 'panels').flatMap((panel) =>
    listAt(panel, 'targets').map((target) => ({
      title: text(panel, 'title'),
      query: text(target, 'expr').replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
      legend: [...text(target, 'legendFormat').matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  );
};

/** Labels that Prometheus adds to every series that it scrapes. */
const targetLabels = ['job', 'instance'];
/** Series of Prometheus itself. */
const ownSeries: readonly Series[] = [{ metric: 'up', labels: {}, value: 1 }];

describe('examples/operating: alerts and dashboard', function () {
  this.timeout(60_000);
  needProducts('email', 'sms', 'audience');
  const parts: { mail?: SmtpReceiver; series: Series[] } = { series: [] };
  const platform = usePlatform({
    settings: async () => {
      parts.mail = await startSmtpReceiver();
      return { SVC_SMTP_URL: parts.mail.url, SVC_MAIL_CALLBACK_SECRET: secret };
    },
    boot: { withoutJobs: false },
  });
  after(() => parts.mail?.close());

  const scrape = async (): Promise<Series[]> =>
    readSeries((await platform.api.raw('/metrics', undefined, { method: 'GET' })).text);
  const sees = (metric: string, labels: Record<string, string>): Promise<void> =>
    eventually(
      async () => (await scrape()).some((each) => each.metric === metric && each.value > 0 && hasLabels(each, labels)),
      `${metric} ${JSON.stringify(labels)}`,
    );
  const hasLabels = (series: Series, wanted: Readonly<Record<string, string>>): boolean =>
    Object.entries(wanted).every(([name, value]) => series.labels[name] === value);

  /** Mail that is sent, refused, bounced and reported as spam, and a mail server that cannot be used. */
  before(async () => {
    const { svc } = await platform.account();
    const send = async (to: string): Promise<string> =>
      (await svc.call('email.send', { to, subject: 'Hello', text: 'Hello' })).messageId;
    const report = (messageId: string, of: object) =>
      post(platform, { MessageID: messageId, Metadata: { 'svc-message-id': messageId }, ...of }, basic());
    for (const path of ['/healthz', '/readyz', '/metrics']) await platform.api.raw(path, undefined, { method: 'GET' });

    const sent = await Promise.all([send('ada@example.com'), send('bob@example.com')]);
    await parts.mail?.waitFor(2);
    await platform.settled();
    const [bounced, complained] = sent;
    const times = { BouncedAt: '2026-11-05T16:33:54Z', Inactive: true };
    await report(bounced, {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      TypeCode: 1,
      Email: 'ada@example.com',
      ...times,
    });
    const spam = {
      RecordType: 'SpamComplaint',
      Type: 'SpamComplaint',
      TypeCode: 512,
      Email: 'bob@example.com',
      ...times,
    };
    await report(complained, spam);
    if (parts.mail) parts.mail.onRecipient = () => ({ code: 550, message: '5.1.1 No such mailbox' });
    await send('eve@example.com');
    await sees('svc_events_total', { type: 'email.failed', kind: 'live' });
    await parts.mail?.close();
    await send('carl@example.com');
    await sees('svc_log_errors_total', { message: 'the mail server cannot be used; mail is waiting' });
    parts.series = await scrape();
  });

  it('count what happened, by live or test environment and by reason', async () => {
    const count = (labels: Record<string, string>): number =>
      parts.series
        .filter((each) => each.metric === 'svc_events_total' && hasLabels(each, labels))
        .reduce((sum, { value }) => sum + value, 0);
    expect(count({ type: 'email.bounced', kind: 'live', detail: 'hard' })).to.equal(1);
    expect(count({ type: 'audience.suppression.added', kind: 'live', detail: 'complaint' })).to.equal(1);
    expect(count({ type: 'email.sent', kind: 'test' })).to.equal(0);
  });

  it('count each declared event from 0, so that the first one is an increase', () => {
    const seriesOf = (type: string): string[] =>
      parts.series
        .filter(({ metric, labels }) => metric === 'svc_events_total' && labels['type'] === type)
        .map(({ labels, value }) => `${labels['kind'] ?? ''} ${labels['detail'] ?? ''} ${value}`)
        .sort();
    expect(seriesOf('email.bounced')).to.deep.equal(['live hard 1', 'live soft 0', 'test hard 0', 'test soft 0']);
    expect(seriesOf('sms.failed')).to.deep.equal(['live  0', 'test  0']);
    for (const type of platform.running.registry.events.keys()) expect(seriesOf(type), type).to.have.length.above(1);
  });

  /** What a selector names that GET /metrics does not have. */
  const missing = ({ metric, matchers }: Selector): string[] => {
    const found = [...parts.series, ...ownSeries].filter((each) => each.metric === metric);
    if (found.length === 0) return [metric];
    const labels = new Set([...found.flatMap((each) => Object.keys(each.labels)), ...targetLabels]);
    const unknown = matchers.filter(({ label }) => !labels.has(label)).map(({ label }) => `${metric}{${label}}`);
    const exact = matchers.filter(({ label, operator }) => operator === '=' && !targetLabels.includes(label));
    const wanted = Object.fromEntries(exact.map(({ label, value }) => [label, value]));
    const exists = found.some((each) => hasLabels(each, wanted));
    // The alternatives of a pattern, such as the names of queues. No call fails here, and no disk is full.
    const patterns = matchers.filter(
      ({ operator, label }) => operator.endsWith('~') && /^(queue|operation)$/.test(label),
    );
    const unmatched = patterns.flatMap(({ label, value }) =>
      value
        .split('|')
        .filter((pattern) => !found.some((each) => new RegExp(`^(?:${pattern})$`).test(each.labels[label] ?? '')))
        .map((pattern) => `${metric}{${label}=~"${pattern}"}`),
    );
    return [...unknown, ...(exists ? [] : [`${metric}${JSON.stringify(wanted)}`]), ...unmatched];
  };

  /** Labels that a query groups by, or a legend shows, and that none of its metrics has. */
  const missingLabels = (query: string, shown: readonly string[]): string[] => {
    const { selectors, grouping } = readQuery(query);
    const metrics = new Set(selectors.map(({ metric }) => metric));
    const labels = parts.series.filter(({ metric }) => metrics.has(metric)).flatMap((each) => Object.keys(each.labels));
    return [...grouping, ...shown].filter((label) => ![...labels, ...targetLabels].includes(label));
  };
  const problems = (query: string, shown: readonly string[] = []): string[] => [
    ...readQuery(query).selectors.flatMap(missing),
    ...missingLabels(query, shown),
  ];

  it('name only metrics, labels and values that a server exports', async () => {
    for (const alert of await alerts()) {
      const shown = [...JSON.stringify(at(alert, 'annotations')).matchAll(/\$labels\.(\w+)/g)].map(
        ([, label = '']) => label,
      );
      expect(problems(text(alert, 'expr'), shown), text(alert, 'alert')).to.deep.equal([]);
    }
    for (const { title, query, legend } of await dashboardQueries())
      expect(problems(query, legend), title).to.deep.equal([]);
  });

  it('would notice a metric, a label or a value that does not exist', () => {
    expect(problems('rate(svc_gone_total[5m])')).to.deep.equal(['svc_gone_total']);
    expect(problems('svc_work_oldest_due_seconds{lane="bulk"}')).to.include('svc_work_oldest_due_seconds{lane}');
    expect(problems('svc_work_oldest_due_seconds{queue=~"svc.events|mail"}')).to.have.length(1);
    expect(problems('svc_events_total{type="email.gone"}')).to.have.length(1);
    expect(problems('sum by (lane) (svc_work_oldest_due_seconds)')).to.deep.equal(['lane']);
    expect(() => problems('sum(')).to.throw('Not PromQL');
  });

  it('have a runbook for each alert, a severity, and no runbook without an alert', async () => {
    const document = await readFile(join(root, 'docs/alerts.md'), 'utf8');
    const headings = [...document.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
    const all = await alerts();
    expect(all.map((alert) => text(alert, 'alert'))).to.deep.equal(headings);
    for (const alert of all) {
      const name = text(alert, 'alert');
      const runbook = `https://svc.example.com/docs/alerts#${name.toLowerCase()}`;
      expect(text(alert, 'annotations', 'runbook_url')).to.equal(runbook);
      expect(['critical', 'warning'], name).to.include(text(alert, 'labels', 'severity'));
    }
    const dashboard = await readFile(join(operating, 'grafana/svc.json'), 'utf8');
    const named = [...dashboard.matchAll(/\bSvc[A-Z]\w+/g)].map(([name]) => name);
    expect(headings).to.include.members(named);
  });

  it('are loaded by the Prometheus configuration, under the job that the alerts name', async () => {
    const file: unknown = parse(await readFile(join(operating, 'prometheus/prometheus.yaml'), 'utf8'));
    expect(listAt(file, 'rule_files')).to.deep.equal(['alerts.yaml']);
    expect(
      listAt(file, 'scrape_configs')
        .filter(isRecord)
        .map((each) => each['job_name']),
    ).to.deep.equal(['svc']);
    // The worker too: its port is the one of svc-worker.service.
    const targets = listAt(file, 'scrape_configs').flatMap((each) => listAt(each, 'static_configs'));
    expect(targets.flatMap((each) => listAt(each, 'targets'))).to.deep.equal(['127.0.0.1:8080', '127.0.0.1:8081']);
  });
});
