import { withheld } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';

/**
 * The note of a call for the audit record. A note may name the person, so the text is kept only in records that an
 * erasure of the person finds.
 * @param personId the contact that has the address, to which the audit record belongs; null if there is none
 */
export const noteChange = (note: string | null | undefined, personId: string | null): Change[] =>
  note === null || note === undefined ? [] : [{ field: 'note', from: null, to: personId === null ? withheld : note }];
