import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { email, list, object, optional, phone } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { channel, Suppression, suppressionReason } from '../../resources.js';
import { suppressionPage } from '../../suppressions/list.js';
import { presentSuppression } from '../../suppressions/present.js';

export default defineOperation({
  name: 'audience.suppression.list',
  summary: 'List addresses and numbers that may not be reached, with the reason, newest first.',
  description: 'Lifted ones are listed too, with `liftedAt`. Filters narrow together.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    channel: optional(channel),
    reason: optional(suppressionReason),
    email: optional(email('Of this address alone.')),
    phone: optional(phone('Of this number alone, E.164.')),
    ...page,
  }),
  output: object({ suppressions: list(Suppression), nextBefore }),
  example: { input: { reason: 'manual' }, output: { suppressions: [exampleSuppression], nextBefore: null } },

  async handle({ before, limit, ...filter }, context) {
    const { rows, next } = await suppressionPage(context, context.caller.environment.id, filter, { before, limit });
    return { suppressions: rows.map(presentSuppression), nextBefore: next };
  },
});
