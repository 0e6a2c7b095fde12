import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, list, object, optionalWith } from '#core/kernel/schema/schema.js';
import { imageInput, pictureStore } from '#plugins/email/ports.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import {
  Contrast,
  contrastOf,
  appearanceFields,
  ownOrHttps,
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
  description: 'The logo can be given as a file. An environment has at most 10000 pictures, and 1 GiB of them.',
  keywords: 'colours colors logo branding brand style design pages',
  access: 'secret',
  accountWide: false,
  impact: { retrySafe: true },
  input: object({
    theme: themeInput,
    logo: optionalWith('email', {
      ...imageInput,
      description:
        'The logo as a file: it is stored, and theme.logoUrl becomes its address. JPEG, PNG, GIF or WebP, at most 10 MiB.',
    }),
    ifUnchangedSince,
  }),
  bodyLimit: 16 * 1024 * 1024,
  errors: ['limit_reached'],
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

  async handle({ theme, logo, ifUnchangedSince: since }, context) {
    const { db, caller, clock, emit, audit } = context;
    plainName('theme.brandName', theme.brandName);
    const environmentId = caller.environment.id;
    const row = await lockTheme(db, environmentId);
    const { updatedAt: changedAt } = row;
    if (changedAt)
      await requireUnchanged(context, since, { updatedAt: changedAt }, { type: 'theme', id: environmentId });
    const { supportUrl = null, supportEmail = null, ...rest } = theme;
    const logoUrl = logo
      ? await context.use(pictureStore).store(caller.environment, logo, 'logo')
      : ownOrHttps(theme.logoUrl ?? null, context.deployment);
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
