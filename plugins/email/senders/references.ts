import { referencesIn } from '#core/messaging/templates/references.js';
import { references } from '../tables/reference.js';

export type { Referrer } from '#core/messaging/templates/references.js';

/** References to templates and sending domains. */
export const { markReferenced, freeReferences, referencesTo } = referencesIn(references);
