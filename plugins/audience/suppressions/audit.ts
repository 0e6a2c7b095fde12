import { withheld } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';

/**
 * The note of a call for its audit record. A note may name the person, so its text is kept only in places where erasing
 * the person finds it.
 * @param personId the contact that has the address, to which the audit record belongs; null if there is none
 */
export const noteChange = (note: string | null | undefined, personId: string | null): Change[] =>
  note === null || note === undefined ? [] : [{ field: 'note', from: null, to: personId === null ? withheld : note }];
