import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import { definitionError, suggestion, quoted } from './definition-error.js';
import { fieldForms, plainFields } from './field-kinds.js';
import type { Field } from './tree.js';

const families = ['properties', 'consent', 'event', 'message'] as const;
const eventName = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const topicKey = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const controls = /\p{Cc}/u;

/**
 * Parses the name of a field. Property keys and event names may contain dots; topics do not.
 * @throws DefinitionError at `path`, suggesting the most similar field
 */
export function parseField(name: string, path: string): Field {
  const simple = plainFields.find((each) => each === name);
  if (simple !== undefined) return { of: simple };
  const dot = name.indexOf('.');
  const [family, rest] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
  if (rest !== '') {
    if (family === 'properties') return propertyField(rest, path);
    if (family === 'consent') return consentField(rest, path);
    if (family === 'event') return eventField(rest, path);
    if (family === 'message') return messageField(name, path);
  } else if (families.some((each) => each === family)) {
    throw definitionError(path, `${quoted(name)} is incomplete; fields are ${fieldForms.join(', ')}`);
  }
  const near = dot < 0 ? [...plainFields, ...families] : families;
  const asProperty = dot < 0 ? `; a contact’s property is ${quoted(`properties.${name}`)}` : '';
  throw definitionError(path, `there is no field ${quoted(name)}${suggestion(family, near)}${asProperty}`);
}

function propertyField(key: string, path: string): Field {
  if (key.length > 100 || controls.test(key))
    throw definitionError(path, 'a property’s key has 1 to 100 characters and no control characters');
  return { of: 'property', key: key.normalize('NFC') };
}

/** Without a channel, the channel is email. */
function consentField(rest: string, path: string): Field {
  const dot = rest.indexOf('.');
  const named = dot < 0 ? 'email' : rest.slice(0, dot);
  const topic = rest.slice(dot + 1);
  const channel = channelNamed(named, path);
  if (!topicKey.test(topic)) throw definitionError(path, `${quoted(topic)} is not a valid topic key`);
  return { of: 'consent', channel, topic };
}

function channelNamed(named: string, path: string): Channel {
  const channel = channels.find((each) => each === named);
  if (channel === undefined)
    throw definitionError(path, `there is no channel ${quoted(named)}${suggestion(named, channels)}`);
  return channel;
}

function eventField(rest: string, path: string): Field {
  const dot = rest.lastIndexOf('.');
  const [name, last] = [rest.slice(0, Math.max(0, dot)), rest.slice(dot + 1)];
  const parts = ['count', 'lastAt'] as const;
  const part = parts.find((each) => each === last);
  if (part === undefined || dot < 0)
    throw definitionError(
      path,
      `an event field ends in .count or .lastAt, not in ${quoted(last)}${suggestion(last, parts)}`,
    );
  if (!eventName.test(name)) throw definitionError(path, `${quoted(name)} is not a valid event name`);
  return { of: 'event', name, part };
}

function messageField(name: string, path: string): Field {
  if (name === 'message.email.lastSentAt') return { of: 'message', channel: 'email' };
  throw definitionError(path, `there is no field ${quoted(name)} (did you mean message.email.lastSentAt?)`);
}
