import { list, object, text, uuid } from '../schema/schema.js';
import type { AddressHolder } from '../person.js';

/** What a deletion returns about other people who have one of the erased person's addresses. */
export const remainingField = list(
  object({
    type: text('`contact` or `user`.'),
    id: uuid('Their id.'),
    operation: text('The operation that erases them.'),
  }),
  'Others in this environment who have one of the person’s addresses, such as the user beside a contact. What names them, or is found by that address, stays until they are erased too, each with the operation that is named here. Empty in the answer to a repeat. The other environments of your account are not searched.',
);

/** Each holder is listed once: a person may have several addresses. */
export const remainingOf = (holders: readonly AddressHolder[]): AddressHolder[] => [
  ...new Map(holders.map((holder) => [holder.id, holder])).values(),
];
