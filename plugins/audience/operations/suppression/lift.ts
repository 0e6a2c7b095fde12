import { changesBetween, newFields, withheld } from '#core/kernel/audit/changes.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import type { HandlerContext } from '#core/kernel/context.js';
import { defineOperation } from '#core/kernel/operation.js';
import {
  boolean,
  dateTime,
  filledText,
  integer,
  list,
  nullable,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { channel, Suppression, suppressionReason } from '../../resources.js';
import { isPersonalReason } from '../../tables/suppression-reasons.js';
import { noteChange } from '../../suppressions/audit.js';
import { findLiftable, liftMany, mostLifted, type Found, type LiftFilter } from '../../suppressions/lift-many.js';
import { presentSuppression } from '../../suppressions/present.js';
import { contactIdOf, liftSuppression } from '../../suppressions/store.js';
import { suppressions } from '../../tables/suppression.js';

type Lifting = HandlerContext<'secret', 'suppression_not_liftable', 'audience.suppression.lifted'>;

interface ByFilter {
  filter: LiftFilter;
  before?: string | undefined;
  dryRun: boolean;
  note?: string | undefined;
}

const example = { ...exampleSuppression, liftable: false, liftedAt: '2026-11-21T09:30:00.000Z' };

export default defineOperation({
  name: 'audience.suppression.lift',
  summary: 'Lifts a suppression, or many by filter, so that messages are sent to the address or number again.',
  description: `A suppression that the person asked for (unsubscribe, STOP or complaint) can be lifted only by that person; \`filter\` never finds it. Lifting it again changes nothing. With \`filter\`, call it with \`dryRun: true\` first, which counts and lifts nothing. A call lifts at most ${mostLifted} suppressions: repeat it with \`before\` from \`many.nextBefore\` until that is null. Suppressions of people who were erased are lifted only by their id.`,
  keywords: 'unblock unban allow bulk many outage',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object(
    {
      suppressionId: optional(uuid('The suppression to lift.')),
      filter: optional(
        object(
          {
            reason: optional(suppressionReason),
            channel: optional(channel),
            since: optional(dateTime('Only those added from this time on.')),
            until: optional(dateTime('Only those added before this time.')),
            domain: optional(
              text('Only addresses at this domain, such as example.com.', { minLength: 1, maxLength: 253 }),
            ),
            query: optional(text('Only addresses and numbers that contain this.', { minLength: 2, maxLength: 254 })),
          },
          {
            minProperties: 1,
            description: 'Which suppressions to lift: those that are in force and fulfil every condition.',
          },
        ),
      ),
      dryRun: withDefault(boolean('With `filter`: counts what would be lifted, and lifts nothing.'), false),
      before: optional(uuid('With `filter`: `many.nextBefore` of the previous call with the same filter.')),
      note: optional(filledText('Why; kept in the audit log if a contact has the address.', 500)),
    },
    { exactlyOneOf: ['suppressionId', 'filter'] },
  ),
  output: object({
    suppression: nullable(Suppression),
    many: nullable(
      object(
        {
          count: integer('How many this call lifted, or would be lifted in a dry run.'),
          sample: list(Suppression, 'The newest of them, at most 10.'),
          nextBefore: nullable(uuid('`before` of the next call; null if no more suppressions follow.')),
        },
        { description: 'What `filter` found; null with `suppressionId`.' },
      ),
    ),
  }),
  errors: ['suppression_not_liftable'],
  events: ['audience.suppression.lifted'],
  example: {
    input: { suppressionId: exampleSuppression.id, note: 'The mailbox works again.' },
    output: { suppression: example, many: null },
  },

  async handle({ suppressionId, filter, dryRun, before, note }, context) {
    const { db, caller, fail, audit } = context;
    if (filter !== undefined) return liftByFilter(context, { filter, dryRun, before, note });
    if (suppressionId === undefined || dryRun || before !== undefined)
      throw fail.invalid_input({ field: dryRun ? 'dryRun' : 'before', problem: 'applies only with filter' });
    const row = await findOwned(db, suppressions, caller, suppressionId);
    const personId = await contactIdOf(db, row);
    const isActive = row.active !== null;
    if (isActive && isPersonalReason(row.reason)) throw fail.suppression_not_liftable({ reason: row.reason });
    const done = isActive ? await liftSuppression(context, row) : null;
    const lifted = done ?? (await findOwned(db, suppressions, caller, suppressionId));
    const what = row.channel === 'email' ? 'an address' : 'a number';
    audit({
      subject: { type: 'suppression', id: row.id },
      summary: `Lifted the suppression of ${what}.`,
      changes: done
        ? [
            ...changesBetween(presentSuppression(row), presentSuppression(done), ['liftedAt']),
            ...noteChange(note, personId),
          ]
        : [],
      unchanged: `the suppression of ${what} was already lifted.`,
      ...(personId === null ? {} : { personId }),
    });
    return { suppression: presentSuppression(lifted), many: null };
  },
});

async function liftByFilter(context: Lifting, { filter, before, dryRun, note }: ByFilter) {
  const { caller, fail, audit } = context;
  const { environment } = caller;
  if (filter.reason !== undefined && isPersonalReason(filter.reason))
    throw fail.suppression_not_liftable({ reason: filter.reason });
  const find = dryRun ? findLiftable : liftMany;
  const { count, sample, nextBefore }: Found = await find(context, environment.id, filter, before);
  // An erasure of a person would not find what the filter says of their address.
  const shown = filter.query === undefined ? filter : { ...filter, query: withheld };
  audit({
    subject: { type: 'environment', id: environment.id },
    summary: `Lifted ${count} ${count === 1 ? 'suppression' : 'suppressions'} by filter.`,
    changes:
      dryRun || count === 0
        ? []
        : [...newFields({ filter: shown, count }, ['filter', 'count']), ...noteChange(note, null)],
    unchanged: dryRun
      ? `a dry run found ${count} suppressions that can be lifted.`
      : 'the filter found no suppression that can be lifted.',
  });
  return { suppression: null, many: { count, sample: sample.map(presentSuppression), nextBefore } };
}
