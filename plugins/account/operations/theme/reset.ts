import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { defaultTheme, lockTheme, themeChangeTime } from '../../themes/load.js';
import { defaultAppearance, appearanceFields, Theme } from '../../themes/appearance.js';
import { themes } from '../../tables/theme.js';

export default defineOperation({
  name: 'account.theme.reset',
  summary: 'Restores the default theme and deletes the draft.',
  access: 'secret',
  accountWide: false,
  impact: { destructive: true, retrySafe: true },
  input: object({}),
  output: object({ published: Theme }),
  events: ['account.theme.reset'],
  example: { input: {}, output: { published: { version: 0, ...defaultAppearance('Shop'), publishedAt: null } } },

  async handle(_, { db, deployment, caller, clock, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await lockTheme(db, environmentId);
    const published = await defaultTheme({ db, deployment }, caller.environment);
    const changes = [
      ...(row.draft ? [{ field: 'draftVersion', from: row.version + 1, to: null }] : []),
      ...(row.published ? [{ field: 'version', from: row.version, to: published.version }] : []),
      ...changesBetween(row.published ?? published, published, appearanceFields),
    ];
    audit({
      subject: { type: 'theme', id: environmentId },
      summary: 'Restored the default theme.',
      changes,
      unchanged: 'the default theme was already in use and there was no draft.',
    });
    if (!row.published && !row.draft) return { published };
    // The row and its version are kept, so that a version number never refers to two different themes.
    await db.update(
      themes,
      { environmentId },
      { published: null, draft: null, publishedAt: null, updatedAt: themeChangeTime(row, clock.now()) },
    );
    emit('account.theme.reset', { subjectId: environmentId, data: { published } });
    return { published };
  },
});
