import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, list, object } from '#core/kernel/schema/schema.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import {
  Contrast,
  contrastOf,
  appearanceFields,
  Theme,
  themeInput,
  exampleContrast,
  exampleDraft,
  themeTime,
  exampleAppearance,
} from '../../../themes/appearance.js';
import { defaultTheme, lockTheme, presentTheme, themeChangeTime } from '../../../themes/load.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { themes } from '../../../tables/theme.js';

export default defineOperation({
  name: 'account.theme.draft.save',
  summary:
    'Saves a draft of the theme for hosted pages and system mail. The draft has no effect until it is published.',
  keywords: 'colours colors logo branding brand style design pages',
  access: 'secret',
  accountWide: false,
  impact: { retrySafe: true },
  input: object({ theme: themeInput, ifUnchangedSince }),
  output: object({
    draft: Theme,
    updatedAt: themeTime,
    contrast: list(Contrast, 'The contrast of each colour pair.'),
  }),
  events: ['account.theme.draft_saved'],
  example: {
    input: { theme: { ...exampleAppearance, font: 'serif' } },
    output: { draft: exampleDraft, updatedAt: '2026-11-20T10:12:00.000Z', contrast: exampleContrast },
  },

  async handle({ theme, ifUnchangedSince: since }, context) {
    const { db, caller, clock, emit, audit } = context;
    plainName('theme.brandName', theme.brandName);
    const environmentId = caller.environment.id;
    const row = await lockTheme(db, environmentId);
    const { updatedAt: changedAt } = row;
    if (changedAt)
      await requireUnchanged(context, since, { updatedAt: changedAt }, { type: 'theme', id: environmentId });
    const { logoUrl = null, supportUrl = null, supportEmail = null, ...rest } = theme;
    const appearance: PageTheme = { ...rest, logoUrl, supportUrl, supportEmail };
    const before = row.draft ?? row.published ?? (await defaultTheme(context, caller.environment));
    // The version that it will have when it is published.
    const draft = presentTheme(appearance, row.version + 1, null);
    const changes = [
      ...(row.draft ? [] : [{ field: 'draftVersion', from: null, to: draft.version }]),
      ...changesBetween(before, appearance, appearanceFields),
    ];
    audit({
      subject: { type: 'theme', id: environmentId },
      summary: 'Saved a draft of the theme.',
      changes,
      unchanged: 'the draft already had these values.',
    });
    const contrast = contrastOf(appearance);
    if (changes.length === 0) return { draft, updatedAt: changedAt?.toISOString() ?? null, contrast };
    const updatedAt = themeChangeTime(row, clock.now());
    await db.update(themes, { environmentId }, { draft: appearance, updatedAt });
    emit('account.theme.draft_saved', { subjectId: environmentId, data: { draft } });
    return { draft, updatedAt: updatedAt.toISOString(), contrast };
  },
});
