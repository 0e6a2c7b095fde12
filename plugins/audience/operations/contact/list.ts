import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { exampleContact } from '../../examples.js';
import { channel, Contact, topicKey } from '../../resources.js';
import { contactPage } from '../../segments/page.js';
import { filterTree } from '../../segments/filter.js';
import { refuseInvalid } from '../../segments/definition-error.js';
import { definition } from '../../segments/input.js';
import { parseDefinition } from '../../segments/parse.js';
import { evaluate } from '../../segments/slow.js';
import { findSegment, treeOf } from '../../segments/store.js';
import { findTopic } from '../../topics/find.js';

export default defineOperation({
  name: 'audience.contact.list',
  summary:
    'Lists contacts, newest first: all, or those in a segment, with a given consent, matching conditions or matching a query.',
  description: 'Filters are combined: a listed contact matches all of them.',
  keywords: 'all people customers users subscribers search',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  // Without a filter, the newest contacts are read in the order of their ids.
  mayTakeLong: ({ before: _before, limit: _limit, ...filters }) => Object.keys(filters).length > 0,
  input: object({
    ...page,
    segmentId: optional(uuid('Only current members of this segment.')),
    topic: optional({
      ...topicKey,
      description: 'Only contacts with granted consent to this topic, on `channel` or on any channel.',
    }),
    channel: optional({
      ...channel,
      description: 'Only contacts with granted consent on this channel, to `topic` or to any topic.',
    }),
    definition: optional({
      ...definition,
      description: 'Only contacts that match these conditions, in the form of a segment’s definition.',
    }),
    query: optional(
      text('The start of an email address, number, external id, first or last name.', { minLength: 1, maxLength: 254 }),
    ),
  }),
  output: object({ contacts: list(Contact), nextBefore }),
  errors: ['invalid_definition'],
  example: { input: { query: 'ada' }, output: { contacts: [exampleContact], nextBefore: null } },

  async handle({ before, limit, segmentId, definition: given, ...filter }, { db, caller, clock, fail }) {
    const environmentId = caller.environment.id;
    if (filter.topic !== undefined) await findTopic(db, environmentId, filter.topic);
    const segment = segmentId === undefined ? [] : [treeOf(await findSegment(db, environmentId, segmentId))];
    const where = given === undefined ? [] : [refuseInvalid(fail, () => parseDefinition(given))];
    const tree = { is: 'all' as const, of: [...segment, ...where, ...filterTree(filter)] };
    const scope = { environmentId, now: clock.now() };
    const { contacts, next } = await evaluate({ db, scope, fail }, tree, () =>
      contactPage(db, tree, scope, { before, limit }),
    );
    return { contacts, nextBefore: next };
  },
});
