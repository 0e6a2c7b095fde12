import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { Event } from '#core/kernel/events/resource.js';
import { componentName, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { braces, documented, quoted } from './text.js';
import type { TypeWriter } from './types.js';

const unionFields = ['type', 'data'];

/** The declarations of replies' types without the Event resource: `eventSource` declares Event as a union. */
export const withoutEvent = (declarations: ReadonlyMap<string, string>): string[] =>
  [...declarations].filter(([name]) => name !== componentName(Event)).map(([, text]) => text);

/**
 * The types of events: the data of each by its name, and the union of all.
 * @param writer of replies' types; it declares the resources that events carry
 */
export function eventSource({ events }: Pick<Catalogue, 'events'>, writer: TypeWriter): string[] {
  const sorted = [...events].sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = Object.fromEntries(
    Object.entries(propertiesOf(Event)).filter(([name]) => !unionFields.includes(name)),
  );
  const shared: JsonSchema = { ...Event, properties: fields, required: Object.keys(fields) };
  return [
    documented(
      ['The data of each event, by the event’s name.'],
      `export interface SvcEventData ${braces(
        sorted.map(([name, { summary, data }]) => documented([summary], `${quoted(name)}: ${writer.typeOf(data)};`)),
      )}`,
    ),
    'export type EventType = keyof SvcEventData;',
    documented(['What every event has.'], `export interface EventFields ${writer.bodyOf(shared)}`),
    documented(
      ["One event, by its name: `EventOf<'account.updated'>`."],
      'export interface EventOf<Type extends EventType> extends EventFields {\n  type: Type;\n  /** The resource, as its get operation returns it. */\n  data: SvcEventData[Type];\n}',
    ),
    documented(
      [
        'Any event that this version knows; `event.type` tells which, and narrows `event.data`. Newer servers may send others: keep a default branch.',
      ],
      'export type Event = { [Type in EventType]: EventOf<Type> }[EventType];',
    ),
  ];
}
