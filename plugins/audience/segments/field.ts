import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import { fault, meant, quoted } from './definition-error.js';
import type { Field } from './tree.js';

const plain = ['email', 'phone', 'locale', 'createdAt'] as const;
const families = ['properties', 'consent', 'event', 'message'] as const;
const eventName = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const topicKey = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const controls = /\p{Cc}/u;

/** How fields read in a refusal. */
const shapes = [
  ...plain,
  'properties.<key>',
  'consent.<channel>.<topic>',
  'event.<name>.count',
  'event.<name>.lastAt',
  'message.email.lastSentAt',
];

/**
 * What a field's name stands for. Keys of properties and names of events may hold dots; topics do not.
 * @throws DefinitionFault at `path`, with the nearest known name
 */
export function fieldOf(name: string, path: string): Field {
  const simple = plain.find((each) => each === name);
  if (simple !== undefined) return { of: simple };
  const dot = name.indexOf('.');
  const [family, rest] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
  if (rest !== '') {
    if (family === 'properties') return propertyField(rest, path);
    if (family === 'consent') return consentField(rest, path);
    if (family === 'event') return eventField(rest, path);
    if (family === 'message') return messageField(name, path);
  } else if (families.some((each) => each === family)) {
    throw fault(path, `${quoted(name)} is incomplete; fields are ${shapes.join(', ')}`);
  }
  const near = dot < 0 ? [...plain, ...families] : families;
  throw fault(path, `there is no field ${quoted(name)}${meant(family, near)}`);
}

function propertyField(key: string, path: string): Field {
  if (key.length > 100 || controls.test(key))
    throw fault(path, 'a property’s key has 1 to 100 characters, and no control characters');
  return { of: 'property', key: key.normalize('NFC') };
}

/** Without a channel, by email. */
function consentField(rest: string, path: string): Field {
  const dot = rest.indexOf('.');
  const named = dot < 0 ? 'email' : rest.slice(0, dot);
  const topic = rest.slice(dot + 1);
  const channel = channelNamed(named, path);
  if (!topicKey.test(topic)) throw fault(path, `${quoted(topic)} cannot be a topic’s key`);
  return { of: 'consent', channel, topic };
}

function channelNamed(named: string, path: string): Channel {
  const channel = channels.find((each) => each === named);
  if (channel === undefined) throw fault(path, `there is no channel ${quoted(named)}${meant(named, channels)}`);
  return channel;
}

function eventField(rest: string, path: string): Field {
  const dot = rest.lastIndexOf('.');
  const [name, last] = [rest.slice(0, Math.max(0, dot)), rest.slice(dot + 1)];
  const parts = ['count', 'lastAt'] as const;
  const part = parts.find((each) => each === last);
  if (part === undefined || dot < 0)
    throw fault(path, `an event’s field ends in .count or .lastAt, not in ${quoted(last)}${meant(last, parts)}`);
  if (!eventName.test(name)) throw fault(path, `${quoted(name)} cannot be the name of an event`);
  return { of: 'event', name, part };
}

function messageField(name: string, path: string): Field {
  if (name === 'message.email.lastSentAt') return { of: 'message', channel: 'email' };
  throw fault(path, `there is no field ${quoted(name)} (did you mean message.email.lastSentAt?)`);
}
