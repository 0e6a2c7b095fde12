import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  sender_not_verified: {
    status: 403,
    message: 'The address {from} is on no verified domain of this environment.',
    fix: 'Send from an address at {ownDomain}, or leave `from` out to send from the project’s own address.',
  },
  attachments_too_large: {
    status: 413,
    message: 'The attachments are {bytes} bytes together, above the limit of {limit}.',
    fix: 'Send at most {limit} bytes of attachments in one message, or link to the files instead.',
  },
  message_not_cancellable: {
    status: 409,
    message: 'The message is {status}: only a queued message can be cancelled.',
    fix: 'Call email.message.get to see its status. Send messages with sendAfter to leave time for cancelling.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
