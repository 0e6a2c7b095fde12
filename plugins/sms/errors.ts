import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  // Sending
  sms_too_long: {
    status: 400,
    message: 'The message has {segments} segments in {encoding}, which exceeds the limit of {limit}.',
    fix: '{nextStep}',
  },

  // Numbers
  number_unavailable: {
    status: 409,
    message: 'No number was assigned: {problem}.',
    fix: '{nextStep}',
  },
  number_in_use: {
    status: 409,
    message: 'The number {number} is referenced by {users}.',
    fix: '{nextStep}',
  },

  // Registration
  registration_pending: {
    status: 409,
    message: 'A registration is already pending with the carriers (stage {stage}).',
    fix: 'Call sms.registration.get to see its stage. It can be resubmitted once the stage is action_needed or failed.',
  },
  destination_not_allowed: {
    status: 403,
    message: 'This deployment sends no texts to {country}.',
    fix: 'Use a number of another country, or let the operator add {country} to SVC_SMS_ALLOWED_COUNTRIES.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
