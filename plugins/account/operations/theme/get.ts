import { defineOperation } from '#core/kernel/operation.js';
import { list, nullable, object, oneOf } from '#core/kernel/schema/schema.js';
import {
  contrastFields,
  contrastOf,
  Theme,
  exampleContrast,
  exampleTheme,
  themeTime,
} from '../../themes/appearance.js';
import { defaultTheme, presentTheme, findTheme } from '../../themes/load.js';

const contrast = object({
  theme: oneOf(['published', 'draft'], 'The theme that the pair belongs to.'),
  ...contrastFields,
});

export default defineOperation({
  name: 'account.theme.get',
  summary: 'Returns the published theme, the draft if there is one, and the contrast of every colour pair in both.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    published: Theme,
    draft: nullable(Theme),
    updatedAt: themeTime,
    contrast: list(contrast, 'The contrast of each colour pair in both themes.'),
  }),
  example: {
    input: {},
    output: {
      published: exampleTheme,
      draft: null,
      updatedAt: exampleTheme.publishedAt,
      contrast: exampleContrast.map((each) => ({ theme: 'published' as const, ...each })),
    },
  },

  async handle(_, { db, deployment, caller }) {
    const row = await findTheme(db, caller.environment.id);
    const published = row?.published
      ? presentTheme(row.published, row.version, row.publishedAt)
      : await defaultTheme({ db, deployment }, caller.environment);
    const draft = row?.draft ? presentTheme(row.draft, row.version + 1, null) : null;
    return {
      published,
      draft,
      updatedAt: row?.updatedAt?.toISOString() ?? null,
      contrast: [
        ...contrastOf(published).map((each) => ({ theme: 'published' as const, ...each })),
        ...(draft ? contrastOf(draft).map((each) => ({ theme: 'draft' as const, ...each })) : []),
      ],
    };
  },
});
