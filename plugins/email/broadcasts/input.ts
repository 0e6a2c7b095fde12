import type { ReadContext } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';
import { recipients } from '#plugins/audience/ports.js';
import { hasControls } from '#core/messaging/input.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { validateAddress } from '../messages/validate.js';
import type { BroadcastRow } from '../tables/broadcast.js';

/** What create and update take; absent fields keep their value. */
export interface BroadcastInput {
  name?: string;
  template?: string;
  from?: string;
  topic?: string;
  subject?: string | null;
  segmentId?: string | null;
  variables?: Record<string, unknown>;
  scheduledAt?: string | null;
}

type Editable = Pick<
  BroadcastRow,
  'name' | 'template' | 'fromAddress' | 'topic' | 'subject' | 'segmentId' | 'variables' | 'scheduledAt'
>;

/**
 * The fields of a broadcast after a call.
 * @throws invalid_input naming the field; not_found for an unknown segment
 */
export async function applyInput(
  { use }: Pick<ReadContext, 'use'>,
  environmentId: string,
  before: Editable,
  input: BroadcastInput,
): Promise<Editable> {
  if (input.segmentId && !(await use(recipients).hasSegment(environmentId, input.segmentId)))
    throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
  if (input.subject) validateSubjectSource(input.subject);
  return {
    name: input.name ?? before.name,
    template: input.template ?? before.template,
    fromAddress: input.from === undefined ? before.fromAddress : validateAddress('from', input.from),
    topic: input.topic ?? before.topic,
    subject: input.subject === undefined ? before.subject : input.subject,
    segmentId: input.segmentId === undefined ? before.segmentId : input.segmentId,
    variables: input.variables ?? before.variables,
    scheduledAt:
      input.scheduledAt === undefined
        ? before.scheduledAt
        : input.scheduledAt === null
          ? null
          : new Date(input.scheduledAt),
  };
}

/** Before its first field is set. */
export const emptyBroadcast: Editable = {
  name: '',
  template: '',
  fromAddress: '',
  topic: '',
  subject: null,
  segmentId: null,
  variables: {},
  scheduledAt: null,
};

function validateSubjectSource(subject: string): void {
  if (hasControls(subject)) throw invalidField('subject', 'must not contain line breaks or other control characters');
  const parsed = checkTemplate(subject, 'none');
  if (!parsed.ok)
    throw invalidField('subject', `is not a valid template at column ${parsed.column}: ${parsed.problem}`);
}
