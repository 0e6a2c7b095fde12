import type { Catalogue } from '#core/kernel/deployment-catalogue.js';

/** All products of the interface, including the ones that this repository does not have yet. */
const name = /\b(?:account|auth|email|sms|audience|developers|billing)(?:\.[a-zA-Z_]+)+/g;

/**
 * The names in a text that have the form of an operation's name but are neither an operation nor an event of the
 * deployment. Names in quotes are fields of the caller's input: “email.topics.news”.
 */
export const unknownNamesIn = (text: string, { operations, events }: Catalogue): string[] =>
  [...text.replaceAll(/“[^”]*”/g, '').matchAll(name)]
    .map(([found]) => found)
    .filter((found) => !operations.has(found) && !events.has(found));
