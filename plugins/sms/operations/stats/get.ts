import { defineOperation } from '#core/kernel/operation.js';
import { count, date, list, object, optionalWith, uuid } from '#core/kernel/schema/schema.js';
import type { StatCounts } from '#core/messaging/stats/read.js';
import { oneFilter, reportStats } from '#core/messaging/stats/report.js';
import { statDays } from '#core/messaging/stat-tables.js';
import { requireKnownOrigins } from '../../origin-filter.js';
import { statTables } from '../../tables/stat.js';

const counts = {
  queued: count('Waiting, held or being sent.'),
  sent: count('Accepted by the provider.'),
  failed: count('Given up, or reported as undelivered.'),
  suppressed: count('Stored but not sent.'),
  cancelled: count('Stopped before they were sent.'),
  received: count('Received messages; 0 if a filter is given.'),
  segments: count('The segments of messages that the provider accepted.'),
};

export default defineOperation({
  name: 'sms.stats.get',
  summary:
    'Returns counts of messages and segments by day and status, for the environment or for one broadcast or automation.',
  description: `Each message counts once: on the day (UTC) it was accepted, under its current status. Counts are kept for ${statDays} days. Only one of \`broadcastId\` and \`automationId\` may be given.`,
  keywords: 'sms statistics report analytics numbers how many delivered received inbound per day',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'by default',
  input: object({
    since: date('The first day, in UTC.'),
    until: date(`The day after the last one; at most ${statDays} days after \`since\`.`),
    broadcastId: optionalWith('audience', uuid('Only messages of this broadcast.')),
    automationId: optionalWith('audience', uuid('Only messages of this automation.')),
  }),
  output: object({
    days: list(object({ date: date('The day, in UTC.'), ...counts }), 'Every day, including days without messages.'),
    total: object(counts, { description: 'The totals of all days.' }),
  }),
  example: {
    input: { since: '2026-11-20', until: '2026-11-21' },
    output: {
      days: [
        {
          date: '2026-11-20',
          queued: 2,
          sent: 340,
          failed: 1,
          suppressed: 4,
          cancelled: 0,
          received: 12,
          segments: 388,
        },
      ],
      total: { queued: 2, sent: 340, failed: 1, suppressed: 4, cancelled: 0, received: 12, segments: 388 },
    },
  },

  async handle(given, { db, caller, use }) {
    const { broadcastId, automationId } = given;
    const environmentId = caller.environment.id;
    const filter = oneFilter([
      { field: 'broadcastId', dimension: 'broadcast', value: broadcastId?.toLowerCase() },
      { field: 'automationId', dimension: 'automation', value: automationId?.toLowerCase() },
    ]);
    await requireKnownOrigins({ db, use }, environmentId, given);
    const { days, total } = await reportStats(db, statTables, { environmentId, ...filter }, given);
    return { days: days.map(({ date: day, ...each }) => ({ date: day, ...shown(each) })), total: shown(total) };
  },
});

const shown = ({ queued, sent, failed, suppressed, cancelled, received, segments }: StatCounts) => ({
  queued,
  sent,
  failed,
  suppressed,
  cancelled,
  received,
  segments,
});
