import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  invalid_definition: {
    status: 400,
    message: 'The segment definition is invalid at {node}: {problem}.',
    fix: 'Correct {node}; audience.segment.create describes the fields and operators.',
  },
  contact_conflict: {
    status: 409,
    message: 'Another contact has at least one of these identifiers: {fields}.{owner}',
    fix: 'Look up each of {fields} with audience.contact.get to see which contact has it. Then leave it out, or remove it from that contact with audience.contact.update.',
  },
  contact_erased: {
    status: 409,
    message: 'The person was erased after the import was accepted, so the row was not imported.',
    fix: 'Leave the row out. If the person has come back since, call audience.contact.upsert with what they have agreed to now.',
  },
  suppression_not_liftable: {
    status: 409,
    message: 'The person asked for this suppression ({reason}). Only that person can lift it.',
    fix: 'Send the person a link to their preferences page (audience.preferences.link): subscribing there lifts it. After STOP, they must text START.',
  },
  suppression_standing: {
    status: 403,
    message: 'The person asked not to be reached on {channel} ({reason}). Only that person can undo this.',
    fix: '{nextStep}',
  },
  topic_archived: {
    status: 409,
    message: 'The topic {topic} is archived. Nothing can be granted or sent under it.',
    fix: 'Restore {topic} with audience.topic.restore and call again, or use another topic.',
  },
  topic_in_use: {
    status: 409,
    message: 'The topic {topic} is referenced by {users}.',
    fix: 'Cancel or finish {users} first, then call audience.topic.archive again.',
  },
  topic_key_taken: {
    status: 409,
    message: 'Another topic has the key {key}.',
    fix: 'Choose another key, or change the existing topic with audience.topic.update (audience.topic.restore if it is archived).',
  },
  segment_in_use: {
    status: 409,
    message: 'The segment is referenced by {users}.',
    fix: 'Cancel or finish {users} first, then call audience.segment.delete again.',
  },
  link_expired: {
    status: 410,
    message: 'The preferences link expired at {expiredAt}.',
    fix: 'Create a new one with audience.preferences.link. Links in messages never expire.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
