import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  invalid_definition: {
    status: 400,
    message: 'The definition is at fault at {node}: {problem}.',
    fix: 'Correct {node} as the message says; the fields and operators are described with audience.segment.create.',
  },
  contact_conflict: {
    status: 409,
    message: 'Another contact has at least one of these identifiers: {fields}.',
    fix: 'Look each of {fields} up with audience.contact.get to see whose it is; then leave out what is another contact’s, or take it from that contact first with audience.contact.update.',
  },
  suppression_not_liftable: {
    status: 409,
    message: 'This suppression was asked for by the person ({reason}): only they can lift it.',
    fix: 'Give the person their preferences page (audience.preferences.link): subscribing there again lifts it. After STOP, they text START.',
  },
  suppression_standing: {
    status: 403,
    message: 'The person asked not to be reached on {channel} ({reason}): a grant on their behalf cannot undo it.',
    fix: 'Give the person their preferences page (audience.preferences.link) and let them subscribe there.',
  },
  topic_archived: {
    status: 409,
    message: 'The topic {topic} is archived: nothing is granted or sent under it.',
    fix: 'Call audience.topic.restore for {topic}, then call again; or use another topic.',
  },
  topic_in_use: {
    status: 409,
    message: 'The topic {topic} is used by {users}.',
    fix: 'Cancel or finish {users} first, then call audience.topic.archive again.',
  },
  topic_key_taken: {
    status: 409,
    message: 'There is already a topic with the key {key}.',
    fix: 'Choose another key, or change the topic that is there with audience.topic.update (audience.topic.restore where it is archived).',
  },
  segment_in_use: {
    status: 409,
    message: 'The segment is used by {users}.',
    fix: 'Cancel or finish {users} first, then call audience.segment.delete again.',
  },
  link_expired: {
    status: 410,
    message: 'This preferences address expired at {expiredAt}.',
    fix: 'Make a new one with audience.preferences.link; links in messages never expire.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
