import { defineOperation } from '#core/kernel/operation.js';
import {
  count,
  date,
  list,
  object,
  optional,
  optionalWith,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { dateOf, dayOf, tagValue } from '#core/messaging/stats/count.js';
import { readStats, type StatCounts } from '#core/messaging/stats/read.js';
import { statDays, statStatuses, type StatDimension } from '#core/messaging/stats/tables.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { requireKnownOrigins } from '../../stats/filter.js';
import { statTables } from '../../tables/stat.js';

const counts = {
  queued: count('Waiting, held or being sent.'),
  sent: count('Taken by the recipients’ mail server.'),
  failed: count('Given up.'),
  suppressed: count('Stored and not sent.'),
  bounced: count('Refused after they had been taken.'),
  cancelled: count('Stopped before they were sent.'),
};

const input = object({
  since: date('The first day, in UTC.'),
  until: date(`The day after the last one; at most ${statDays} days after \`since\`.`),
  template: optional(text('Only messages made from this template.', { minLength: 1, maxLength: 120 })),
  broadcastId: optionalWith('audience', uuid('Only messages of this broadcast.')),
  automationId: optionalWith('audience', uuid('Only messages of this automation.')),
  tag: optional(text('Only messages with this tag: `key=value`.', { pattern: '^[A-Za-z0-9_.-]{1,60}=.{1,250}$' })),
});

const nothing: StatCounts = { queued: 0, sent: 0, failed: 0, suppressed: 0, bounced: 0, cancelled: 0 };

export default defineOperation({
  name: 'email.stats.get',
  summary: 'Count messages by day and status, of the environment or of one template, broadcast, automation or tag.',
  description: `Each message counts once: on the day (UTC) on which it was accepted, under the status that it has now. One that bounces moves from \`sent\` to \`bounced\`. Counts are kept for ${statDays} days. Of \`template\`, \`broadcastId\`, \`automationId\` and \`tag\` one can be given.`,
  keywords: 'mail e-mail statistics report analytics numbers how many delivered bounce rate per day',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input,
  output: object({
    days: list(object({ date: date('The day, in UTC.'), ...counts }), 'Every day, those without messages too.'),
    total: object(counts, { description: 'The sum of all days.' }),
  }),
  example: {
    input: { since: '2026-11-20', until: '2026-11-21' },
    output: {
      days: [{ date: '2026-11-20', queued: 2, sent: 340, failed: 1, suppressed: 4, bounced: 3, cancelled: 0 }],
      total: { queued: 2, sent: 340, failed: 1, suppressed: 4, bounced: 3, cancelled: 0 },
    },
  },

  async handle(given, { db, caller, deployment }) {
    const environmentId = caller.environment.id;
    const [from, to] = [dayOf(new Date(given.since)), dayOf(new Date(given.until))];
    if (to <= from) throw invalidField('until', 'must be after since: it is the day after the last one');
    if (to - from > statDays) throw invalidField('until', `must be at most ${statDays} days after since`);
    const filter = filterOf(environmentId, given);
    await requireKnownOrigins({ db, deployment }, environmentId, given);
    const found = await readStats(db, statTables, { environmentId, ...filter }, { from, to });
    const days = Array.from({ length: to - from }, (_, index) => ({
      date: dateOf(from + index),
      ...(found.get(from + index) ?? nothing),
    }));
    const total = days.reduce((sum, day) => added(sum, day), nothing);
    return { days, total };
  },
});

const added = (a: StatCounts, b: StatCounts): StatCounts => {
  const sum = { ...nothing };
  for (const status of statStatuses) sum[status] = a[status] + b[status];
  return sum;
};

/** @throws invalid_input when several filters are given: messages are counted by one of them */
function filterOf(
  environmentId: string,
  { template, broadcastId, automationId, tag }: ValueOf<typeof input>,
): { dimension: StatDimension; value: string } {
  const filters = [
    { field: 'template', dimension: 'template' as const, value: template },
    { field: 'broadcastId', dimension: 'broadcast' as const, value: broadcastId?.toLowerCase() },
    { field: 'automationId', dimension: 'automation' as const, value: automationId?.toLowerCase() },
    { field: 'tag', dimension: 'tag' as const, value: tag && tagValue(environmentId, tag) },
  ].flatMap(({ value, ...filter }) => (value === undefined ? [] : [{ ...filter, value }]));
  const [first, second] = filters;
  if (second) throw invalidField(second.field, `cannot be combined with ${first?.field ?? 'another filter'}`);
  return first ?? { dimension: 'all', value: '' };
}
