import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { defaultTheme } from '../../themes/find.js';
import { holdTheme } from '../../themes/lock-theme.js';
import { defaultAppearance, appearanceFields, Theme } from '../../themes/appearance.js';
import { themes } from '../../tables/theme.js';

export default defineOperation({
  name: 'account.theme.reset',
  summary: 'Put the default theme back and drop the draft.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({}),
  output: object({ published: Theme }),
  events: ['account.theme.reset'],
  example: { input: {}, output: { published: { version: 0, ...defaultAppearance('Shop'), publishedAt: null } } },

  async handle(_, { db, caller, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await holdTheme(db, environmentId);
    const published = await defaultTheme(db, caller.environment);
    const changes = changesBetween(row.published ?? published, published, appearanceFields);
    audit({ subject: { type: 'theme', id: environmentId }, summary: 'Put the default theme back.', changes });
    if (!row.published && !row.draft) return { published };
    // The row and its version stay: a number that was published once never names another look.
    await db.update(themes, { environmentId }, { published: null, draft: null, publishedAt: null });
    emit('account.theme.reset', { subjectId: environmentId, data: { published } });
    return { published };
  },
});
