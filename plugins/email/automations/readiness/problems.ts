import type { ReadinessProblem } from '#core/messaging/readiness.js';
import { fieldsHint, type ProvidedVariables } from '#core/messaging/templates/unprovided.js';

/* The problems that automations can have before they are activated. */

/** How a step gets another field, as the end of “name another one …”. */
export const edit = 'in the step with email.automation.update';

export const withoutContact = (event: string): ReadinessProblem => ({
  code: 'trigger_without_contact',
  message: `The event ${event} is not about a contact, so it cannot enrol anyone.`,
  fix: 'Set triggerEvent with email.automation.update to an event about a contact or a message, or to one that you record with audience.event.record.',
});

export const topicUnknown = (topic: string, archived: boolean): ReadinessProblem =>
  archived
    ? {
        code: 'topic_unknown',
        message: `The topic “${topic}” is archived.`,
        fix: `Restore it with audience.topic.restore, or name another topic ${edit}.`,
      }
    : {
        code: 'topic_unknown',
        message: `There is no topic “${topic}”.`,
        fix: `Create it with audience.topic.create, or name another topic ${edit}; audience.topic.list lists them.`,
      };

/** A consent that no contact can have given: with a misspelt topic, every contact takes the other arm. */
export const conditionTopicUnknown = (topic: string): ReadinessProblem => ({
  code: 'topic_unknown',
  message: `There is no topic “${topic}”, which a condition refers to.`,
  fix: 'Create it with audience.topic.create, or change the condition with email.automation.update; audience.topic.list lists the topics.',
});

/** A field that no event has: with a misspelt field, every contact takes the other arm. */
export const conditionFieldUnknown = (
  key: string,
  event: string,
  fields: ReadonlySet<string> | undefined,
): ReadinessProblem => ({
  code: 'variables_missing',
  message: `A condition refers to context.${key}, which the event ${event} does not have.`,
  fix: `Change the field of the condition with email.automation.update.${fields ? ` In this event, \`context\` has ${[...fields].join(', ')}; see webhooks in /openapi.json.` : ''}`,
});

export const topicChannelMissing = (topic: string, channel: string): ReadinessProblem => ({
  code: 'topic_channel_missing',
  message: `The topic “${topic}” does not have the channel ${channel}.`,
  fix: `Add the channel ${channel} with audience.topic.update, or name another topic ${edit}.`,
});

export const templateNotPublished = (channel: string, template: string): ReadinessProblem => ({
  code: 'template_not_published',
  message: `There is no published template “${template}”.`,
  fix: `Save it with ${channel}.template.draft.save and publish it with ${channel}.template.publish, or name another template ${edit}.`,
});

export const variablesMissing = (
  template: string,
  names: readonly string[],
  provided: ProvidedVariables,
): ReadinessProblem => ({
  code: 'variables_missing',
  message: `The template “${template}” needs ${names.join(', ')}, which are not in the step’s variables, the event or any contact’s properties.`,
  fix: `Add them to the step’s variables with email.automation.update, set them as contact properties, use the event’s context.<name> instead, or give them a default in the template.${fieldsHint(names, provided)}`,
});
