import { declareErrors } from '#core/kernel/errors/errors.js';

export const broadcastErrors = declareErrors({
  broadcast_not_draft: {
    status: 409,
    message: 'The broadcast is {status}: only a draft can be changed or sent.',
    fix: 'Create another one with email.broadcast.create. email.broadcast.get shows what became of this one.',
  },
  broadcast_not_ready: {
    status: 409,
    message: 'The broadcast cannot be sent yet: {problems}.',
    fix: 'Do what the `fix` of each problem in `details.problems` says, then call email.broadcast.send again. email.broadcast.get shows them too.',
  },
  audience_too_large: {
    status: 400,
    message: 'The broadcast would reach {recipients} contacts, above the limit of {limit} for one broadcast.',
    fix: 'Narrow it with a segment (email.broadcast.update, segmentId) and send it in parts.',
  },
  broadcast_not_sending: {
    status: 409,
    message: 'The broadcast is {status}: only one that is being sent can be held.',
    fix: 'Call email.broadcast.get to see its status. email.broadcast.cancel cancels a scheduled one.',
  },
  broadcast_not_held: {
    status: 409,
    message: 'The broadcast is {status}: only a held one can be resumed.',
    fix: 'Call email.broadcast.get to see its status.',
  },
  broadcast_finished: {
    status: 409,
    message: 'Every message of the broadcast has ended: there is nothing to cancel.',
    fix: 'Call email.broadcast.get to see what became of them. Sent messages cannot be recalled.',
  },
});
