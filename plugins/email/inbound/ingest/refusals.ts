import { makersOf, type SvcError } from '#core/kernel/errors/errors.js';
import { errors } from '../../errors.js';

type IngestCode = 'inbound_empty' | 'inbound_no_recipient' | 'inbound_no_sender';

/** Makes what a delivery is refused with, outside of a transaction. */
export const makeRefusal = makersOf<IngestCode, SvcError>(errors, (error) => error);
