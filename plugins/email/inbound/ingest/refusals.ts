import { makersOf, type SvcError } from '#core/kernel/errors/errors.js';
import { errors } from '../../errors.js';

type IngestCode = 'inbound_empty' | 'inbound_no_recipient' | 'inbound_no_sender';

/** Makes the refusals of a delivery, outside of a transaction. */
export const makeRefusal = makersOf<IngestCode, SvcError>(errors, (error) => error);
