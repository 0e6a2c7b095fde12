import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { email, list, object, optional, phone } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { channel, Suppression, suppressionReason } from '../../resources.js';
import { suppressionPage } from '../../suppressions/list.js';
import { presentSuppression } from '../../suppressions/present.js';

export default defineOperation({
  name: 'audience.suppression.list',
  summary: 'List suppressed addresses and numbers with their reasons, newest first.',
  description:
    'Lifted suppressions are listed too, with `liftedAt`. Filters are combined. What a reason blocks: `bounce` and `stop` every message; `complaint` and `manual` all but system messages such as sign-in codes; `unsubscribe` only messages under a topic, so receipts are still sent.',
  keywords: 'why is it blocked addresses blocklist bounced complained',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    channel: optional(channel),
    reason: optional(suppressionReason),
    email: optional(email('Only suppressions of this address.')),
    phone: optional(phone('Only suppressions of this number, E.164.')),
    ...page,
  }),
  output: object({ suppressions: list(Suppression), nextBefore }),
  example: { input: { reason: 'manual' }, output: { suppressions: [exampleSuppression], nextBefore: null } },

  async handle({ before, limit, ...filter }, context) {
    const { rows, next } = await suppressionPage(context, context.caller.environment.id, filter, { before, limit });
    return { suppressions: rows.map(presentSuppression), nextBefore: next };
  },
});
