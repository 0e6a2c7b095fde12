import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  invalid_domain: {
    status: 400,
    message: '“{domain}” cannot be a sending domain: {problem}.',
    fix: 'Call email.domain.add with your own domain, such as example.com or mail.example.com.',
  },
  domain_in_use: {
    status: 409,
    message: 'The domain {domain} is referenced by {users}.',
    fix: 'In that environment, set another default sender with email.sender.set, cancel the broadcasts and archive the automations that reference {domain}. Then call email.domain.remove again.',
  },
  domain_not_verified: {
    status: 409,
    message: 'The domain {domain} is not verified.',
    fix: 'Publish the DNS records that email.domain.get shows, call email.domain.verify, then call again.',
  },
  domain_taken: {
    status: 409,
    message: 'Another environment has already verified the domain {domain}.',
    fix: 'Call email.domain.remove in the environment that has {domain}, then call again. If you do not know which one has it, ask the operator of this server.',
  },
  dns_lookup_failed: {
    status: 502,
    passes: true,
    message: 'The DNS lookup of {name} could not be completed: {code}.',
    fix: 'Call again in a minute. If it fails again, check the domain’s name servers and this server’s (SVC_DNS_SERVERS).',
  },
  inbound_empty: {
    status: 400,
    message: 'The inbound message body is empty.',
    fix: 'Send the raw message (RFC 5322) as the body with Content-Type message/rfc822, or as `raw` in JSON.',
  },
  inbound_no_recipient: {
    status: 400,
    message: 'The envelope recipient is missing or is not an address.',
    fix: 'Pass one address in the header x-svc-envelope-to (message/rfc822) or as `envelopeTo` (JSON). The To header is never used for routing.',
  },
  inbound_no_sender: {
    status: 400,
    message: 'The message has no From header and no envelope sender.',
    fix: 'Pass the envelope sender in the header x-svc-envelope-from (message/rfc822) or as `envelopeFrom` (JSON).',
  },
  automation_archived: {
    status: 409,
    message: 'The automation “{name}” is archived.',
    fix: 'Create a new one with email.automation.create; email.automation.get returns the steps of this one.',
  },
  automation_not_active: {
    status: 409,
    message: 'The automation “{name}” is not active but {status}; only an active automation can be paused.',
    fix: 'Call email.automation.get to see its status; email.automation.activate starts a draft or paused automation.',
  },
  automation_not_ready: {
    status: 409,
    message: 'The automation “{name}” has readiness problems: {problems}',
    fix: '{fixes} Then call email.automation.activate again. details.problems lists every problem.',
  },
  sender_not_verified: {
    status: 403,
    message: 'The from address {from} is not on a verified domain of this environment.',
    fix: 'Send from an address at {domain}, leave `from` out, or add and verify your domain with email.domain.add and email.domain.verify. email.domain.list lists your domains.',
  },
  attachments_too_large: {
    status: 413,
    message: 'The attachments have {bytes} bytes in total, which exceeds the limit of {limit}.',
    fix: 'Attach at most {limit} bytes to one message, or link to the files instead.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
