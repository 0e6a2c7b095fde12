import { defineOperation } from '#core/kernel/operation.js';
import { email, object } from '#core/kernel/schema/schema.js';
import { exampleSender } from '../../examples.js';
import { Sender } from '../../resources.js';
import { findSender, projectAddress, projectDomain, presentSender } from '../../senders/sender.js';

export default defineOperation({
  name: 'email.sender.get',
  summary: 'Returns the default sender and the legal postal address that marketing mail must include.',
  keywords: 'mail which from address',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    sender: Sender,
    ownAddress: email('An address on the project’s own sending domain, which is always verified.'),
  }),
  example: { input: {}, output: { sender: exampleSender, ownAddress: 'hello@shop.mail.example.com' } },

  async handle(_, context) {
    const { environment } = context.caller;
    return {
      sender: presentSender(await findSender(context, environment.id)),
      ownAddress: projectAddress(await projectDomain(context, environment)),
    };
  },
});
