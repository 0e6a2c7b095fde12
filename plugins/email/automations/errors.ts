import { declareErrors } from '#core/kernel/errors/errors.js';

export const automationErrors = declareErrors({
  automation_archived: {
    status: 409,
    message: 'The automation “{name}” is archived: it has ended for good.',
    fix: 'Create another one with email.automation.create; email.automation.get shows the steps of this one.',
  },
  automation_not_active: {
    status: 409,
    message: 'The automation “{name}” is {status}: only an active one can be paused.',
    fix: 'Call email.automation.get to see its status; email.automation.activate starts a draft or paused automation.',
  },
  automation_not_ready: {
    status: 409,
    message: 'The automation “{name}” cannot be activated yet: {problems}',
    fix: '{fixes} Then call email.automation.activate again; details.problems lists everything.',
  },
});
