import { defineOperation } from '#core/kernel/operation.js';
import { email, integer, nullable, object, text } from '#core/kernel/schema/schema.js';
import { submissionAddress } from '../../deployment/submission-address.js';
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
    smtp: nullable(
      object(
        {
          host: text('The host to connect to.'),
          startTlsPort: nullable(integer('The port with STARTTLS; null if there is none.')),
          tlsPort: nullable(integer('The port with TLS from the first byte; null if there is none.')),
        },
        {
          description:
            'Where other programs submit mail by SMTP, with any user name and a secret key as the password; null if the operator has not turned it on.',
        },
      ),
    ),
  }),
  example: {
    input: {},
    output: {
      sender: exampleSender,
      ownAddress: 'hello@shop.mail.example.com',
      smtp: { host: 'svc.example.com', startTlsPort: 587, tlsPort: 465 },
    },
  },

  async handle(_, context) {
    const { environment } = context.caller;
    return {
      sender: presentSender(await findSender(context, environment.id)),
      ownAddress: projectAddress(await projectDomain(context, environment)),
      smtp: submissionAddress(context.deployment),
    };
  },
});
