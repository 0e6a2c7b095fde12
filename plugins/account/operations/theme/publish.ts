import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { contrastOf } from '../../themes/contrast.js';
import { exampleTheme } from '../../themes/examples.js';
import { defaultTheme, presentTheme } from '../../themes/find.js';
import { holdTheme } from '../../themes/lock-theme.js';
import { appearanceFields, Theme } from '../../themes/appearance.js';
import { themes } from '../../tables/theme.js';

export default defineOperation({
  name: 'account.theme.publish',
  summary: 'Publish the draft of the theme; refused where a text pair falls below WCAG AA (4.5:1).',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({}),
  output: object({ published: Theme }),
  errors: ['contrast_too_low', 'draft_missing'],
  events: ['account.theme.published'],
  example: { input: {}, output: { published: exampleTheme } },

  async handle(_, { db, caller, clock, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await holdTheme(db, environmentId);
    const { draft } = row;
    const subject = { type: 'theme', id: environmentId };
    if (!draft) {
      // Publishing uses the draft up, so whoever repeats a publication finds none: what stands published is what they asked for, and
      // it answers as done (retrySafe). Only where nothing of the environment's own is published - never was, or was reset since -
      // there is nothing that an earlier call could have done, and saying so is the truth.
      if (!row.published) throw fail.draft_missing();
      audit({ subject, summary: `Published the theme again: version ${row.version} stands.` });
      return { published: presentTheme(row.published, row.version, row.publishedAt) };
    }
    const low = contrastOf(draft).filter((pair) => !pair.passes);
    if (low.length > 0) {
      throw fail.contrast_too_low({
        pairs: low.map(({ pair, ratio }) => `${pair} ${ratio}:1`).join(', '),
        details: { pairs: low.map(({ pair, ratio }) => ({ pair, ratio })) },
      });
    }
    const version = row.version + 1;
    const publishedAt = clock.now();
    const before = row.published ?? (await defaultTheme(db, caller.environment));
    const changes = changesBetween(before, draft, appearanceFields);
    await db.update(themes, { environmentId }, { version, published: draft, draft: null, publishedAt });
    const published = presentTheme(draft, version, publishedAt);
    audit({ subject, summary: `Published version ${version} of the theme.`, changes });
    emit('account.theme.published', { subjectId: environmentId, data: { published } });
    return { published };
  },
});
