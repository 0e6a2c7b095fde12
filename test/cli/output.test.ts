import { expect } from 'chai';
import { block } from '#core/surfaces/cli/terminal/block.js';
import { painter } from '#core/surfaces/cli/terminal/colours.js';
import { exitCodeOf } from '#core/surfaces/cli/errors.js';
import { catalogue } from '#core/surfaces/cli/command-catalogue.gen.js';
import { progressText } from '#core/surfaces/cli/follow.js';
import { cell, table } from '#core/surfaces/cli/terminal/table.js';
import { fullTime, relativeTime } from '#core/surfaces/cli/terminal/times.js';

describe('The output of svc', () => {
  it('is coloured only at a terminal, and not when NO_COLOR is set', () => {
    const terminal = { isTTY: true };
    expect(painter(terminal, {}).red('fix')).to.equal('\u001b[31mfix\u001b[39m');
    expect(painter(terminal, { NO_COLOR: '1' }).red('fix')).to.equal('fix');
    expect(painter(terminal, { NO_COLOR: '' }).red('fix')).to.not.equal('fix');
    expect(painter({}, {}).red('fix')).to.equal('fix');
  });

  it('drops columns from the right on a narrow terminal, and names them', () => {
    const rows = [{ id: '0189', name: 'Ada', note: 'x'.repeat(40) }];
    expect(table(rows, ['id', 'name', 'note'], undefined)).to.equal(`id    name  note\n0189  Ada   ${'x'.repeat(40)}`);
    expect(table(rows, ['id', 'name', 'note'], 20)).to.equal(
      'id    name\n0189  Ada\n(not shown: note; use --json for all fields)',
    );
  });

  it('cuts long texts before it drops columns, never ids, and drops columns without a value first', () => {
    const row = {
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      status: 'failed',
      nextAt: null,
      error: 'The endpoint did not answer within 15 s.',
      attempt: 3,
    };
    expect(table([row], ['id', 'status', 'nextAt', 'error', 'attempt'], 80)).to.equal(
      [
        'id                                    status  error                      attempt',
        '01890a5d-ac96-774b-bcce-b302099a8057  failed  The endpoint did not ans…  3',
        '(not shown: nextAt; use --json for all fields)',
      ].join('\n'),
    );
    for (const line of table([row], ['id', 'status', 'error', 'attempt'], 60).split('\n').slice(0, 2))
      expect(line.length).to.be.at.most(60);
    const subject = { type: 'user', id: row.id };
    expect(table([{ at: 'now', subject }], ['at', 'subject'], 20)).to.contain(`user ${row.id}`);
  });

  it('shows values inside objects in columns of their own', () => {
    const rows = [
      { id: '1', blocked: { reason: 'no_consent', fix: 'Ask.' }, bounce: { kind: 'hard', code: '5.1.1' } },
      { id: '2', blocked: null, bounce: null },
    ];
    expect(table(rows, ['id', 'blocked.reason', 'bounce.kind', 'bounce.code'], undefined)).to.equal(
      'id  blocked     bounce.kind  bounce.code\n1   no_consent  hard         5.1.1\n2   -           -            -',
    );
  });

  it('shows what became of a broadcast in one cell', () => {
    const counts = { recipients: 10, queued: 0, sent: 7, failed: 3 };
    expect(cell(counts)).to.equal('10 (7 sent, 3 failed)');
    expect(cell({ ...counts, recipients: 0, sent: 0, failed: 0 })).to.equal('0');
  });

  it('shows who did something and to what in one cell each', () => {
    expect(cell({ kind: 'member', id: '0189', label: 'ada@example.com' })).to.equal('ada@example.com');
    expect(cell({ kind: 'system', id: '', label: '' })).to.equal('system');
    expect(cell({ type: 'user', id: '0189' })).to.equal('user 0189');
    expect(cell({ browser: 'Firefox 140', os: 'macOS 15', kind: 'desktop' })).to.equal('Firefox 140 on macOS 15');
    expect(cell({ browser: null, os: null, kind: 'bot' })).to.equal('bot');
  });

  it('shows a list inside an object as a table, and its rows one by one where they are too wide for that', () => {
    const domain = (value: string) => ({
      id: '0189',
      last: {
        records: [
          { type: 'TXT', value },
          { type: 'MX', value },
        ],
      },
    });
    expect(block(domain('v=1'), '', '')).to.equal('id  0189\n\nlast.records\ntype  value\nTXT   v=1\nMX    v=1');
    const key = 'x'.repeat(500);
    expect(block(domain(key), '', '')).to.equal(
      `id  0189\n\nlast.records\n  type   TXT\n  value  ${key}\n\n  type   MX\n  value  ${key}`,
    );
  });

  it('shows each value on one line, without control characters', () => {
    expect(cell('a\nb\u001b[2J\u009b')).to.equal('a b\ufffd[2J\ufffd');
    expect([cell(null), cell([]), cell(['a', 'b']), cell('')]).to.deep.equal(['-', '-', 'a, b', '""']);
  });

  it('shows how long ago a time is, and the date of times more than two weeks away', () => {
    const now = Date.parse('2026-11-20T09:30:00.000Z');
    for (const [time, shown] of [
      ['2026-11-20T09:29:59.500Z', 'now'],
      ['2026-11-20T09:29:58.000Z', '2 seconds ago'],
      ['2026-11-20T09:28:30.000Z', '1 minute ago'],
      ['2026-11-20T11:30:00Z', 'in 2 hours'],
      ['2026-11-17T09:30:00.000Z', '3 days ago'],
      ['2026-10-01T09:30:00.000Z', '2026-10-01'],
      ['tomorrow', 'tomorrow'],
    ] as const)
      expect(relativeTime(time, now), time).to.equal(shown);
    expect(fullTime('2026-11-20T09:28:00.000Z', now)).to.equal('2026-11-20 09:28:00Z (2 minutes ago)');
    expect(fullTime('2026-10-01T09:28:00.123Z', now)).to.equal('2026-10-01 09:28:00Z');
    expect(cell(new Date(Date.now() - 90_000).toISOString())).to.equal('1 minute ago');
  });

  it('names the fields that a table does not show', () => {
    expect(table([{ id: '1' }], ['id'], undefined, ['data'])).to.contain(
      '(not shown: data; use --json for all fields)',
    );
    const { list } = catalogue.operations.find(({ name }) => name === 'email.message.list') ?? {};
    const fields = [...(list?.columns ?? []), ...(list?.others ?? [])];
    expect(fields).to.include.members(['messageId', 'status', 'tags', 'bounce', 'sentAt']);
  });

  it('shows amounts, prices and names of projects in tables as one value, and amounts so everywhere', () => {
    const amount = { currency: 'USD', amount: '27.08' };
    expect(
      table([{ meter: 'sms.segment', project: { id: '0189', name: 'Shop' }, amount }], ['project', 'amount'], 80),
    ).to.equal('project  amount\nShop     27.08 USD');
    const tiers = [
      { upTo: 1000, unitPrice: '0.00' },
      { upTo: null, unitPrice: '0.0008' },
    ];
    expect(cell(tiers)).to.equal('0.00 up to 1000, 0.0008');
    expect(block({ cap: amount, project: { id: '0189', name: 'Shop' } }, '', '')).to.equal(
      'cap           27.08 USD\nproject.id    0189\nproject.name  Shop',
    );
  });

  for (const [operation, columns] of [
    ['billing.usage.get', ['meter', 'project', 'quantity', 'amount']],
    ['billing.price.list', ['meter', 'country', 'tiers']],
    ['billing.invoice.list', ['status', 'total', 'number', 'period']],
    ['sms.inbound.list', ['receivedAt', 'from', 'body', 'keyword']],
    ['sms.stats.get', ['date', 'sent', 'received', 'segments']],
    ['developers.webhook.deliveries.list', ['deliveryId', 'status', 'error', 'eventType', 'responseStatus']],
    ['developers.webhook.delivery.get', ['status', 'error', 'attemptedAt']],
    ['developers.event.get', ['status', 'error']],
    ['email.message.list', ['messageId', 'status', 'to', 'subject', 'blocked.reason']],
    ['sms.message.list', ['status', 'to', 'body', 'blocked.reason', 'error.message']],
    ['email.batch.send', ['messageId', 'status', 'blocked.reason']],
    ['email.broadcast.list', ['name', 'status', 'scheduledAt', 'counts']],
    ['sms.broadcast.list', ['scheduledAt', 'counts']],
    ['account.activity.list', ['actor', 'summary', 'subject', 'createdAt']],
    ['developers.event.list', ['type', 'subject', 'createdAt']],
    ['auth.user.list', ['email', 'name', 'phone', 'bannedAt', 'lastSignInAt']],
    ['auth.session.list', ['device', 'ip', 'lastUsedAt', 'endedAt']],
    ['auth.org.mine', ['organization.name', 'role']],
    ['audience.consent.list', ['topic', 'channel', 'state', 'source', 'actor']],
    ['email.domain.list', ['domain', 'status', 'blocker']],
  ] as const)
    it(`shows of ${operation} what it is called for`, () => {
      const { list } = catalogue.operations.find(({ name }) => name === operation) ?? {};
      expect(list?.columns).to.include.members([...columns]);
    });

  it('shows a bar where the reply has counts, else the status', () => {
    const operation = {
      progress: { status: 'import.status', succeeded: [], failed: [], done: 'import.done', total: 'import.total' },
    };
    const answer = (found: object) => ({ activityId: '', requestId: '', replayed: false, result: { import: found } });
    expect(progressText(operation, answer({ status: 'running', done: 2_000, total: 5_000 }))).to.equal(
      `running [${'#'.repeat(12)}${'.'.repeat(18)}] 2,000 of 5,000`,
    );
    expect(progressText(operation, answer({ status: 'queued', done: 0, total: 0 }))).to.equal('queued');
  });

  for (const [status, code] of [
    [400, 2],
    [401, 3],
    [402, 5],
    [403, 3],
    [404, 4],
    [405, 2],
    [408, 1],
    [409, 5],
    [410, 4],
    [413, 2],
    [429, 6],
    [500, 1],
    [503, 1],
  ] as const)
    it(`has exit code ${code} for status ${status}`, () => expect(exitCodeOf(status)).to.equal(code));
});
