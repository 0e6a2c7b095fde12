import type { ReadinessProblem } from '#core/messaging/readiness.js';
import { fieldsHint, type ProvidedVariables } from '#core/messaging/templates/unprovided.js';

/* The problems that automations can have before they are activated. */

/** How a step gets another field, as the end of “name another one …”. */
export const edit = 'in the step with email.automation.update';

export const withoutContact = (event: string): ReadinessProblem => ({
  code: 'trigger_without_contact',
  message: `The event ${event} is not about a contact, so it can enrol nobody.`,
  fix: 'Name an event about a contact or a message as triggerEvent with email.automation.update, or one that you record with audience.event.record.',
});

export const topicUnknown = (topic: string, archived: boolean): ReadinessProblem =>
  archived
    ? {
        code: 'topic_unknown',
        message: `The topic “${topic}” is archived.`,
        fix: `Restore it with audience.topic.restore, or name another one ${edit}.`,
      }
    : {
        code: 'topic_unknown',
        message: `There is no topic “${topic}”.`,
        fix: `Create it with audience.topic.create, or name another one ${edit}; audience.topic.list shows them.`,
      };

/** A consent that no contact can have given: with a misspelt topic, every contact takes the other arm. */
export const conditionTopicUnknown = (topic: string): ReadinessProblem => ({
  code: 'topic_unknown',
  message: `There is no topic “${topic}”, whose consent a condition looks at.`,
  fix: 'Create it with audience.topic.create, or name another one in the condition with email.automation.update; audience.topic.list shows them.',
});

/** A field that no event has: with a misspelt field, every contact takes the other arm. */
export const conditionFieldUnknown = (
  key: string,
  event: string,
  fields: ReadonlySet<string> | undefined,
): ReadinessProblem => ({
  code: 'variables_missing',
  message: `A condition looks at context.${key}, which the event ${event} does not have.`,
  fix: `Name another field in the condition with email.automation.update.${fields ? ` \`context\` has ${[...fields].join(', ')} in this event; /openapi.json describes them under webhooks.` : ''}`,
});

export const topicChannelMissing = (topic: string, channel: string): ReadinessProblem => ({
  code: 'topic_channel_missing',
  message: `The topic “${topic}” does not have the channel ${channel}.`,
  fix: `Add the channel ${channel} with audience.topic.update, or name another topic ${edit}.`,
});

export const templateNotPublished = (channel: string, template: string): ReadinessProblem => ({
  code: 'template_not_published',
  message: `There is no published template “${template}”.`,
  fix: `Save it with ${channel}.template.draft.save and publish it with ${channel}.template.publish, or name another one ${edit}.`,
});

export const variablesMissing = (
  template: string,
  names: readonly string[],
  provided: ProvidedVariables,
): ReadinessProblem => ({
  code: 'variables_missing',
  message: `The template “${template}” needs ${names.join(', ')}, which neither the step’s variables, the event nor any contact’s properties have.`,
  fix: `Give them in the step’s variables with email.automation.update, store them as properties of contacts, take them from the event as context.<name>, or give them a default in the template.${fieldsHint(names, provided)}`,
});
