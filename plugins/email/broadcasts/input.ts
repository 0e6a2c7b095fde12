import type { ReadContext } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import {
  applySharedInput,
  emptyBroadcast as empty,
  type SharedFields,
  type SharedInput,
} from '#core/messaging/broadcasts/input.js';
import { recipients } from '#plugins/audience/ports.js';
import { subjectSourceProblem } from '../messages/subject-source.js';
import { validateAddress } from '../messages/validate.js';
import type { BroadcastRow } from '../tables/broadcast.js';

/** The input of create and update; absent fields keep their value. */
interface BroadcastInput extends SharedInput {
  from?: string;
  subject?: string | null;
}

type Editable = SharedFields & Pick<BroadcastRow, 'fromAddress' | 'subject'>;

/**
 * The fields of a broadcast after a call.
 * @throws invalid_input naming the field; not_found for an unknown segment
 */
export async function applyInput(
  { use, clock }: Pick<ReadContext, 'use' | 'clock'>,
  environmentId: string,
  before: Editable,
  input: BroadcastInput,
): Promise<Editable> {
  const shared = await applySharedInput(use(recipients), environmentId, before, input, clock.now());
  if (input.subject) validateSubjectSource(input.subject);
  return {
    ...shared,
    fromAddress: input.from === undefined ? before.fromAddress : validateAddress('from', input.from),
    subject: input.subject === undefined ? before.subject : input.subject,
  };
}

/** Before its first field is set. */
export const emptyBroadcast: Editable = { ...empty, fromAddress: '', subject: null };

function validateSubjectSource(subject: string): void {
  const problem = subjectSourceProblem(subject);
  if (problem !== null) throw invalidField('subject', problem);
}
