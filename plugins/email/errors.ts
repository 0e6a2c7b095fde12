import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  invalid_domain: {
    status: 400,
    message: 'Mail cannot be sent from the domain “{domain}”: {problem}.',
    fix: 'Call email.domain.add with a domain of yours, such as example.com or mail.example.com.',
  },
  domain_in_use: {
    status: 409,
    message: 'The domain {domain} is used by {users}.',
    fix: 'With a key of the environment that is named, set another default sender with email.sender.set, cancel the broadcasts and archive the automations that use {domain}. Then call email.domain.remove again.',
  },
  domain_not_verified: {
    status: 409,
    message: 'The domain {domain} is not verified.',
    fix: 'Publish the DNS records that email.domain.get shows, call email.domain.verify, then call again.',
  },
  domain_taken: {
    status: 409,
    message: 'Another environment of this deployment has verified the domain {domain}.',
    fix: 'Call email.domain.remove in the environment that has {domain}, then call again. If you do not know who has it, ask whoever runs this server.',
  },
  dns_lookup_failed: {
    status: 502,
    message: 'DNS could not be asked for {name}: {code}.',
    fix: 'Call again in a minute. If it fails again, check the name servers of the domain, and those of this server (SVC_DNS_SERVERS).',
  },
  inbound_empty: {
    status: 400,
    message: 'The body of the message is empty.',
    fix: 'Send the raw message (RFC 5322) as the body with Content-Type message/rfc822, or as `raw` in JSON.',
  },
  inbound_no_recipient: {
    status: 400,
    message: 'The envelope recipient is missing or is no address.',
    fix: 'Pass one address as the header x-svc-envelope-to (message/rfc822) or as `envelopeTo` (JSON). The To header never routes.',
  },
  inbound_no_sender: {
    status: 400,
    message: 'The message has no From header and no envelope sender.',
    fix: 'Pass the envelope sender as the header x-svc-envelope-from (message/rfc822) or as `envelopeFrom` (JSON).',
  },
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
  sender_not_verified: {
    status: 403,
    message: 'The address {from} is on no verified domain of this environment.',
    fix: 'Send from an address at {domain}, leave `from` out, or add your domain with email.domain.add and verify it; email.domain.list shows what there is.',
  },
  attachments_too_large: {
    status: 413,
    message: 'The attachments are {bytes} bytes together, above the limit of {limit}.',
    fix: 'Send at most {limit} bytes of attachments in one message, or link to the files instead.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
