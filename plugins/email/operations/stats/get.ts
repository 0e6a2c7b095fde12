import { tagPattern } from '#core/kernel/schema/patterns.js';
import { defineOperation } from '#core/kernel/operation.js';
import {
  count,
  date,
  dateTime,
  list,
  nullable,
  object,
  optional,
  optionalWith,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { tagValue } from '#core/messaging/stats/count.js';
import type { StatCounts } from '#core/messaging/stats/read.js';
import { oneFilter, reportStats } from '#core/messaging/stats/report.js';
import { statDays, tagsPerDay } from '#core/messaging/stat-tables.js';
import { oldestRetry } from '../../messages/retries.js';
import { requireKnownOrigins } from '../../origin-filter.js';
import { statTables } from '../../tables/stat.js';

const counts = {
  queued: count('Waiting, held or being sent.'),
  sent: count('Accepted by the recipients’ mail servers.'),
  failed: count('Given up.'),
  suppressed: count('Stored but not sent.'),
  bounced: count('Refused after they had been accepted.'),
  cancelled: count('Stopped before they were sent.'),
};

const input = object({
  since: date('The first day, in UTC.'),
  until: date(`The day after the last one; at most ${statDays} days after \`since\`.`),
  template: optional(text('Only messages created from this template.', { minLength: 1, maxLength: 120 })),
  broadcastId: optionalWith('audience', uuid('Only messages of this broadcast.')),
  automationId: optionalWith('audience', uuid('Only messages of this automation.')),
  tag: optional(text('Only messages with this tag: `key=value`.', { pattern: tagPattern })),
});

export default defineOperation({
  name: 'email.stats.get',
  summary:
    'Returns message counts by day and status, for the environment or for one template, broadcast, automation or tag.',
  description: `Each message counts once: on the day (UTC) it was accepted, under its current status. A message that bounces moves from \`sent\` to \`bounced\`. Counts are kept for ${statDays} days. Only one of \`template\`, \`broadcastId\`, \`automationId\` and \`tag\` may be given. The first ${tagsPerDay} different tags of a day have counts of their own; \`daysAmongOtherTags\` names the days on which the given tag is not one of them.`,
  keywords: 'mail e-mail statistics report analytics numbers how many delivered bounce rate per day',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'by default',
  input,
  output: object({
    days: list(object({ date: date('The day, in UTC.'), ...counts }), 'Every day, including days without messages.'),
    total: object(counts, { description: 'The totals of all days.' }),
    retryingSince: nullable(
      dateTime(
        'Of the messages of the environment that wait because the mail server did not take them, and not because of a single mailbox: when the first attempt of the oldest failed. Null if none waits.',
      ),
    ),
    daysAmongOtherTags: list(
      date('A day, in UTC.'),
      `With \`tag\`: the days on which ${tagsPerDay} other tags came before this one, so that its messages, if there are any, are not in these counts. \`email.message.list\` finds them.`,
    ),
  }),
  example: {
    input: { since: '2026-11-20', until: '2026-11-21' },
    output: {
      days: [{ date: '2026-11-20', queued: 2, sent: 340, failed: 1, suppressed: 4, bounced: 3, cancelled: 0 }],
      total: { queued: 2, sent: 340, failed: 1, suppressed: 4, bounced: 3, cancelled: 0 },
      retryingSince: null,
      daysAmongOtherTags: [],
    },
  },

  async handle(given, { db, caller, deployment }) {
    const { template, broadcastId, automationId, tag } = given;
    const environmentId = caller.environment.id;
    const filter = oneFilter([
      { field: 'template', dimension: 'template', value: template },
      { field: 'broadcastId', dimension: 'broadcast', value: broadcastId?.toLowerCase() },
      { field: 'automationId', dimension: 'automation', value: automationId?.toLowerCase() },
      { field: 'tag', dimension: 'tag', value: tag && tagValue(environmentId, tag) },
    ]);
    await requireKnownOrigins({ db, deployment }, environmentId, given);
    const since = await oldestRetry(db, environmentId);
    const { days, total, daysAmongOtherTags } = await reportStats(db, statTables, { environmentId, ...filter }, given);
    return {
      days: days.map(({ date: day, ...each }) => ({ date: day, ...shown(each) })),
      total: shown(total),
      retryingSince: since && since.toISOString(),
      daysAmongOtherTags,
    };
  },
});

const shown = ({ queued, sent, failed, suppressed, bounced, cancelled }: StatCounts) => ({
  queued,
  sent,
  failed,
  suppressed,
  bounced,
  cancelled,
});
