import type { Environment } from '#core/kernel/caller/caller.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { PageCallOptions, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { isId } from '#core/runtime/id-form.js';
import type { Language } from '#core/kernel/language.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { directory } from '#plugins/account/ports.js';
import { locationOf } from '../sessions/device.js';
import type { AuthTexts } from './texts/texts.js';
import { authTexts } from './texts/translations.js';

/** A request for a page of an environment. */
export interface Visit {
  environment: Environment;
  /** `/auth/<environment id>`: every page of the environment is below it. */
  root: string;
  theme: PageTheme;
  lang: Language;
  /** The tag to format numbers and dates with. */
  formatTag: string;
  texts: AuthTexts;
  /** The location of an IP address, in the reader's language; null if it is not known. */
  placeOf: (ip: string) => string | null;
  /** For `page.call`. */
  options: PageCallOptions & { environment: Environment };
}

/** The environment that a page belongs to, with its theme and the reader's language. @throws not_found */
export async function visitOf(page: PageRequest, services: Services): Promise<Visit> {
  const id = page.params['environmentId'] ?? '';
  const environment = isId(id) ? await findEnvironment(services.database, id) : null;
  if (!environment) throw refusalOf.not_found({ thing: 'environment', lookup: 'account.project.list' });
  const theme = await services.read('Sign-in page', ({ use }) => use(directory).theme(environment));
  const inLanguage = textsFor(authTexts, page.languages);
  const placeOf = (ip: string): string | null => locationOf(services.deployment, ip, inLanguage.lang);
  return { environment, root: `/auth/${environment.id}`, theme, ...inLanguage, placeOf, options: { environment } };
}
