import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { email, list, object, optional, phone } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { channel, Suppression, suppressionReason } from '../../resources.js';
import { suppressionPage } from '../../suppressions/list.js';
import { presentSuppression } from '../../suppressions/present.js';

export default defineOperation({
  name: 'audience.suppression.list',
  summary:
    'Lists addresses and numbers that must not be reached, each with its reason (bounce, complaint, unsubscribe, stop or manual).',
  description:
    'Newest first, including lifted suppressions (`liftedAt`). Filters are combined. `bounce` and `stop` block every message; `complaint` and `manual` block everything except system messages such as sign-in codes; `unsubscribe` blocks only messages with a topic, so receipts are still sent.',
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
