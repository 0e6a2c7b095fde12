import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { exampleContact } from '../../examples.js';
import { channel, Contact, topicKey } from '../../resources.js';
import { contactPage } from '../../segments/page.js';
import { filterTree } from '../../segments/filter.js';
import { findSegment, treeOf } from '../../segments/store.js';

export default defineOperation({
  name: 'audience.contact.list',
  summary: 'List contacts, newest first: all, or those of a segment, with a consent, or that a query finds.',
  description: 'Filters go together: who is listed passes each of them.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    ...page,
    segmentId: optional(uuid('Members of this segment, now.')),
    topic: optional({ ...topicKey, description: 'Who has granted consent to it, on the channel or on any.' }),
    channel: optional({ ...channel, description: 'Who has granted consent on it, to the topic or to any.' }),
    query: optional(
      text('The beginning of an address, number, external id, first or last name.', { minLength: 1, maxLength: 254 }),
    ),
  }),
  output: object({ contacts: list(Contact), nextBefore }),
  example: { input: { query: 'ada' }, output: { contacts: [exampleContact], nextBefore: null } },

  async handle({ before, limit, segmentId, ...filter }, { db, caller, clock }) {
    const environmentId = caller.environment.id;
    const segment = segmentId === undefined ? [] : [treeOf(await findSegment(db, environmentId, segmentId))];
    const tree = { is: 'all' as const, of: [...segment, ...filterTree(filter)] };
    const { contacts, next } = await contactPage(db, tree, { environmentId, now: clock.now() }, { before, limit });
    return { contacts, nextBefore: next };
  },
});
