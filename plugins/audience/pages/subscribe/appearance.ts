import type { Environment } from '#core/kernel/caller/caller.js';
import type { PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { directory } from '#plugins/account/ports.js';
import { subscribeTexts } from './translations.js';
import type { Appearance } from './view.js';

/** The look of a page before its environment is known. @param languages BCP 47, best first */
export const plainAppearance = ({ languages }: Pick<PageRequest, 'languages'>): Appearance => ({
  ...textsFor(subscribeTexts, languages),
  theme: defaultPageTheme,
});

/** The look of an environment's page in the reader's language. */
export const appearanceFor = async (
  page: Pick<PageRequest, 'languages'>,
  services: Services,
  environment: Environment,
): Promise<Appearance> => ({
  ...plainAppearance(page),
  theme: await services.read('Subscribe page', ({ use }) => use(directory).theme(environment)),
});
