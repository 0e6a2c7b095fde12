import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, nullable, object } from '#core/kernel/schema/schema.js';
import { deploymentSettings } from '../../deployment/settings.js';
import { joinProblemOf } from '../../numbers/join-registration.js';
import { presentRegistration } from '../../registrations/present.js';
import { exampleRegistration, Problem, SmsRegistration } from '../../registration-data/resources.js';
import { numbers } from '../../tables/number.js';
import { registrations } from '../../registration-data/table.js';

export default defineOperation({
  name: 'sms.registration.get',
  summary: 'Returns the carrier registration with its stage, what was submitted, and what must be corrected.',
  description: 'Test environments have no registration, because they do not send messages.',
  keywords: '10dlc brand campaign a2p carrier compliance',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    registration: nullable(SmsRegistration),
    required: boolean('Whether this environment can send messages only after a registration was submitted.'),
    problems: list(Problem, 'What prevents sending; empty if nothing does.'),
  }),
  example: { input: {}, output: { registration: exampleRegistration, required: true, problems: [] } },

  async handle(_, { db, caller, deployment }) {
    const { environment } = caller;
    const row = await db.findOne(registrations, { environmentId: environment.id });
    const own = row ? await db.find(numbers, { environmentId: environment.id, status: 'assigned' }) : [];
    const { smsRegistration } = deployment.settingsOf(deploymentSettings);
    const required = smsRegistration === 'required' && environment.kind === 'live';
    return {
      registration: row && presentRegistration(row),
      required,
      problems: row ? [...row.problems, ...own.flatMap(joinProblemOf)] : required ? [notFiled] : [],
    };
  },
});

const notFiled = {
  code: 'registration_required',
  message: 'No registration has been submitted: messages are stored as suppressed.',
  fix: 'Submit one with sms.registration.submit.',
};
