import { defineOperation } from '#core/kernel/operation.js';
import { count, date, list, object, optionalWith, uuid } from '#core/kernel/schema/schema.js';
import type { StatCounts } from '#core/messaging/stats/read.js';
import { oneFilter, reportStats } from '#core/messaging/stats/report.js';
import { statDays } from '#core/messaging/stat-tables.js';
import { requireKnownOrigins } from '../../stats/filter.js';
import { statTables } from '../../tables/stat.js';

const counts = {
  queued: count('Waiting, held or being sent.'),
  sent: count('Taken by the provider.'),
  failed: count('Given up, or reported as undelivered.'),
  suppressed: count('Stored and not sent.'),
  cancelled: count('Stopped before they were sent.'),
  received: count('Received texts; 0 where a filter is given.'),
  segments: count('The segments of texts that the provider took.'),
};

export default defineOperation({
  name: 'sms.stats.get',
  summary: 'Count texts and their segments by day and status, of the environment or of one broadcast or automation.',
  description: `Each text counts once: on the day (UTC) on which it was accepted, under the status that it has now. Counts are kept for ${statDays} days. Of \`broadcastId\` and \`automationId\` one can be given.`,
  keywords: 'sms statistics report analytics numbers how many delivered received inbound per day',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    since: date('The first day, in UTC.'),
    until: date(`The day after the last one; at most ${statDays} days after \`since\`.`),
    broadcastId: optionalWith('audience', uuid('Only texts of this broadcast.')),
    automationId: optionalWith('audience', uuid('Only texts of this automation.')),
  }),
  output: object({
    days: list(object({ date: date('The day, in UTC.'), ...counts }), 'Every day, those without texts too.'),
    total: object(counts, { description: 'The sum of all days.' }),
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
