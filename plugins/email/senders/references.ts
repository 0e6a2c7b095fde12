import { referencesIn } from '#core/messaging/references.js';
import { references } from '../tables/reference.js';

export type { Referrer } from '#core/messaging/references.js';

/** References to templates and sending domains. */
export const emailReferences = referencesIn(references);
export const { markReferenced, freeReferences, referencesTo } = emailReferences;
