import { declareErrors, makersOf, type SvcError } from '#core/kernel/errors/errors.js';

/** Codes of messages, templates and broadcasts. Each channel's plugin declares them (`errors` in its index.ts). */
export const messagingErrors = declareErrors({
  missing_variables: {
    status: 400,
    message: 'The content refers to variables that were not supplied: {names}. Nothing was sent.',
    fix: 'Pass {names} in `variables`, as in {example}, or give them a value in the content with Liquid’s `default` filter.',
  },
  template_invalid: {
    status: 400,
    message: 'The {part} has a syntax problem at line {line}, column {column}: {problem}.',
    fix: 'Correct the {part} at line {line}, column {column}; wrap text that only looks like a template in Liquid’s `raw` tag.',
  },
  template_missing_required: {
    status: 400,
    message: 'The {part} in {locale} does not use {variables}, which the message needs.',
    fix: 'Put {variables} into the {part} of {locale}, then publish again.',
  },
  message_not_cancellable: {
    status: 409,
    message: 'The message is {status}: only a queued message can be cancelled.',
    fix: 'Call {get} to see its status. Send messages with sendAfter to leave time for cancelling.',
  },
  broadcast_not_draft: {
    status: 409,
    message: 'The broadcast is {status}: only a draft can be changed or sent.',
    fix: 'Create another one with {channel}.broadcast.create. {channel}.broadcast.get shows the state of this one.',
  },
  broadcast_not_ready: {
    status: 409,
    message: 'The broadcast cannot be sent yet: {problems}.',
    fix: 'Do what the `fix` of each problem in `details.problems` says, then call {channel}.broadcast.send again. {channel}.broadcast.get shows them too.',
  },
  audience_too_large: {
    status: 400,
    message: 'The broadcast would reach {recipients} contacts, above the limit of {limit} for one broadcast.',
    fix: 'Narrow it with a segment, its `segmentId`, and send it in parts.',
  },
  broadcast_not_sending: {
    status: 409,
    message: 'The broadcast is {status}: only a broadcast that is being sent can be held.',
    fix: 'Call {channel}.broadcast.get to see its status. {channel}.broadcast.cancel cancels a scheduled one.',
  },
  broadcast_not_held: {
    status: 409,
    message: 'The broadcast is {status}: only a held broadcast can be resumed.',
    fix: 'Call {channel}.broadcast.get to see its status.',
  },
  broadcast_finished: {
    status: 409,
    message: 'Every message of the broadcast has ended: there is nothing to cancel.',
    fix: 'Call {channel}.broadcast.get to see the outcome of each. Sent messages cannot be recalled.',
  },
  template_in_use: {
    status: 409,
    message: 'The template {template} is used by {users}.',
    fix: 'Cancel or archive what uses {template}, then delete it again.',
  },
  template_not_published: {
    status: 409,
    message: 'There is no published version{version} of a template {template}.',
    fix: 'Name a template that {list} lists, or publish a draft of {template} with {publish}; {get} lists its versions.',
  },
  auth_send_limited: {
    status: 429,
    message: 'The budget of messages sent on the project’s behalf is used up: {limit} {period}.',
    fix: 'Wait {seconds} seconds, then call again.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof messagingErrors> {}
}

/** Creates the errors of messaging outside handlers. */
export const messagingRefusalOf = makersOf<keyof typeof messagingErrors, SvcError>(messagingErrors, (error) => error);
