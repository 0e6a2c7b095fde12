import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { contrastOf, appearanceFields, Theme, exampleTheme } from '../../themes/appearance.js';
import { defaultTheme, lockTheme, presentTheme, themeChangeTime } from '../../themes/load.js';
import { themes } from '../../tables/theme.js';

export default defineOperation({
  name: 'account.theme.publish',
  summary: 'Publishes the draft theme. Refused if the contrast of a text colour pair is below WCAG AA (4.5:1).',
  access: 'secret',
  accountWide: false,
  impact: { retrySafe: true },
  input: object({}),
  output: object({ published: Theme }),
  errors: ['contrast_too_low', 'draft_missing'],
  events: ['account.theme.published'],
  example: { input: {}, output: { published: exampleTheme } },

  async handle(_, { db, deployment, caller, clock, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await lockTheme(db, environmentId);
    const { draft } = row;
    const subject = { type: 'theme', id: environmentId };
    if (!draft) {
      // Publishing removes the draft, so a repeated call finds none and answers with the published theme (retrySafe).
      // If no theme is published, no earlier call can have published one.
      if (!row.published) throw fail.draft_missing({ thing: 'theme', save: 'account.theme.draft.save' });
      const unchanged = `there is no draft; version ${row.version} of the theme remains published.`;
      audit({ subject, summary: unchanged, changes: [], unchanged });
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
    const before = row.published ?? (await defaultTheme({ db, deployment }, caller.environment));
    const changes = [
      { field: 'version', from: row.published ? row.version : 0, to: version },
      ...changesBetween(before, draft, appearanceFields),
    ];
    await db.update(
      themes,
      { environmentId },
      { version, published: draft, draft: null, publishedAt, updatedAt: themeChangeTime(row, publishedAt) },
    );
    const published = presentTheme(draft, version, publishedAt);
    audit({ subject, summary: `Published version ${version} of the theme.`, changes });
    emit('account.theme.published', { subjectId: environmentId, data: { published } });
    return { published };
  },
});
