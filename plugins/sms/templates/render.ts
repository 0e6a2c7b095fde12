import { createVersionLoader } from '#core/messaging/templates/published.js';
import { templateTables } from '../tables/template.js';

/** Versions by id, cached in memory. */
export const templateVersionLoader = createVersionLoader(templateTables, ({ body }) => body.length);

/** Where texts find their published templates. */
export const publishedTexts = { tables: templateTables, loader: templateVersionLoader };
