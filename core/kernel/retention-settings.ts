import { integerSetting } from '#config/declare.js';

/** How long what svc stores is kept. A node with other values would delete for all of them. */
export const retentionSettings = {
  eventRetentionDays: integerSetting({
    variable: 'SVC_EVENT_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days events are kept.',
    defaultValue: 90,
    minimum: 1,
    maximum: 3650,
  }),
  contentRetentionDays: integerSetting({
    variable: 'SVC_CONTENT_RETENTION_DAYS',
    share: 'deployment',
    description:
      'How many days the content of messages (subject, text, HTML, headers, attachments) is kept after their delivery has ended.',
    defaultValue: undefined,
    defaultText: 'without a limit',
    minimum: 1,
    maximum: 36_500,
  }),
  messageRetentionDays: integerSetting({
    variable: 'SVC_MESSAGE_RETENTION_DAYS',
    share: 'deployment',
    description:
      'How many days messages, with their recipients, attempts and content, are kept after their delivery has ended. Statistics, the counts of broadcasts, consents and usage stay. Not less than SVC_EVENT_RETENTION_DAYS.',
    defaultValue: undefined,
    defaultText: 'without a limit',
    minimum: 7,
    maximum: 36_500,
    // An erasure finds the events about a person by the messages that went to the person's address.
    conflict: ({ messageRetentionDays: messages, eventRetentionDays: events }) =>
      typeof messages === 'number' && typeof events === 'number' && messages < events
        ? `SVC_MESSAGE_RETENTION_DAYS=${messages} is less than SVC_EVENT_RETENTION_DAYS, which is ${events}: an erased person's events are found by the messages. Set SVC_EVENT_RETENTION_DAYS to ${messages} or less, or keep messages longer.`
        : undefined,
  }),
  auditRetentionDays: integerSetting({
    variable: 'SVC_AUDIT_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days audit records are kept.',
    defaultValue: undefined,
    defaultText: 'without a limit',
    minimum: 30,
    maximum: 36_500,
  }),
} as const;
