import { defineOperation } from '#core/kernel/operation.js';
import { count, integer, list, object, withDefault } from '#core/kernel/schema/schema.js';
import { exampleContact, exampleDefinition } from '../../examples.js';
import { Contact } from '../../resources.js';
import { reading } from '../../segments/definition-error.js';
import { newestIds, sizeOf } from '../../segments/planner.js';
import { definition, definitionWords } from '../../segments/input.js';
import { contactsById } from '../../segments/page.js';
import { parseDefinition } from '../../segments/parse.js';

export default defineOperation({
  name: 'audience.segment.preview',
  summary: 'Show how many contacts a definition matches, with the newest of them, before saving it.',
  description: definitionWords,
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    definition,
    sample: withDefault(integer('How many contacts to show.', { minimum: 0, maximum: 50 }), 10),
  }),
  output: object({ size: count('How many contacts it matches now.'), sample: list(Contact, 'Newest first.') }),
  errors: ['invalid_definition'],
  example: { input: { definition: exampleDefinition, sample: 1 }, output: { size: 12, sample: [exampleContact] } },

  async handle({ definition: given, sample }, { db, caller, clock, fail }) {
    const tree = reading(fail, () => parseDefinition(given));
    const moment = { environmentId: caller.environment.id, now: clock.now() };
    const size = await sizeOf(db, tree, moment);
    const ids = sample === 0 || size === 0 ? [] : await newestIds(db, tree, moment, { limit: sample });
    return { size, sample: await contactsById(db, ids) };
  },
});
