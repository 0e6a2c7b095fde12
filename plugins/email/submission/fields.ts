import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { object, optional, optionalWith, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { sharedFields, variablesInput } from '#core/messaging/input.js';
import { isRecord, parseJson } from '#core/runtime/json.js';
import type { SubmittedMail } from '../inbound/parse/parsed.js';

/** The fields of email.send that a submitted message sets by headers of svc. */
export const submissionInput = object({
  ...sharedFields,
  template: optional(text('X-Svc-Template.', { minLength: 1, maxLength: 100 })),
  variables: optional(variablesInput('message', 'X-Svc-Variables.')),
  topic: optionalWith('audience', text('X-Svc-Topic.', { minLength: 1, maxLength: 64 })),
});

export type SubmissionInput = ValueOf<typeof submissionInput>;

/** The headers in the terms of email.send, not checked yet. @throws invalid_input for JSON that cannot be read */
export function fieldsOf({ own }: Pick<SubmittedMail, 'own'>): Record<string, unknown> {
  const fields = {
    template: own['x-svc-template'],
    topic: own['x-svc-topic'],
    sendAfter: own['x-svc-send-after'],
    variables: jsonIn(own, 'X-Svc-Variables'),
    tags: jsonIn(own, 'X-Svc-Tags'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function jsonIn(own: SubmittedMail['own'], name: string): Record<string, unknown> | undefined {
  const value = own[name.toLowerCase()];
  if (value === undefined) return undefined;
  const parsed = parseJson(value);
  if (!isRecord(parsed)) throw invalidField(name, 'must be a JSON object');
  return parsed;
}
