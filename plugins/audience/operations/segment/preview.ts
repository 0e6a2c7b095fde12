import { defineOperation } from '#core/kernel/operation.js';
import { count, integer, list, object, withDefault } from '#core/kernel/schema/schema.js';
import { exampleContact, exampleDefinition } from '../../examples.js';
import { Contact } from '../../resources.js';
import { refuseInvalid } from '../../segments/definition-error.js';
import { newestIds, countMatches } from '../../segments/planner.js';
import { definition, definitionHelp } from '../../segments/input.js';
import { contactsById } from '../../segments/page.js';
import { parseDefinition } from '../../segments/parse.js';
import { evaluate } from '../../segments/slow.js';

export default defineOperation({
  name: 'audience.segment.preview',
  summary: 'Returns the number of contacts that a definition matches, with a sample, without saving the definition.',
  description: definitionHelp,
  keywords: 'how many people match filter audience size',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayTakeLong: () => true,
  mayBeOld: 'on request',
  input: object({
    definition,
    sample: withDefault(integer('How many contacts to return.', { minimum: 0, maximum: 50 }), 10),
  }),
  output: object({ size: count('How many contacts it matches now.'), sample: list(Contact, 'Newest first.') }),
  errors: ['invalid_definition'],
  example: { input: { definition: exampleDefinition, sample: 1 }, output: { size: 12, sample: [exampleContact] } },

  async handle({ definition: given, sample }, { db, caller, clock, fail }) {
    const tree = refuseInvalid(fail, () => parseDefinition(given));
    const scope = { environmentId: caller.environment.id, now: clock.now() };
    return evaluate({ db, scope, fail }, tree, async () => {
      const size = await countMatches(db, tree, scope);
      const ids = sample === 0 || size === 0 ? [] : await newestIds(db, tree, scope, { limit: sample });
      return { size, sample: await contactsById(db, ids) };
    });
  },
});
