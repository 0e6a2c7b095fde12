import { counted } from '#config/counted.js';
import type { ReadinessProblem } from '../readiness.js';
import type { PublishedTemplate } from '../templates/published.js';
import {
  fieldsHint,
  neededProperties,
  propertiesAsked,
  unprovidedVariables,
  type NeededProperty,
  type ProvidedVariables,
} from '../templates/unprovided.js';
import type { AudienceCounts, AudienceProperties } from './audience.js';
import { blankVariables, contactFields, type RecipientFacts } from './sources.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/** A channel's information about the texts of one broadcast. */
export interface BroadcastTexts {
  /** Variables that the broadcast's own texts use, such as its subject. */
  readonly ownVariables: readonly string[];
  /**
   * Renders the template with some variables, in each of its `locales`. @returns the variables that are missing in one
   * of them
   */
  missing(template: PublishedTemplate, variables: Readonly<Record<string, unknown>>): Promise<readonly string[]>;
}

/** The variables that the texts of a broadcast need and its variables do not provide. */
interface MissingVariables {
  readonly provided: ProvidedVariables;
  /** Variables that no contact of the environment provides either. */
  readonly unprovided: readonly string[];
  /** Variables that some contact provides as a property. Contacts without the property cannot be sent the broadcast. */
  readonly needed: readonly NeededProperty[];
}

/** The maximum number of properties for which contacts without them are counted: each makes counting slower. */
const mostCounted = 20;

type Variables = Pick<BroadcastFields, 'variables'>;

/**
 * Finds the variables that the texts of a broadcast need and its variables do not provide.
 * @param names variables that every recipient has, in addition to `contact`
 */
export async function missingVariables(
  { properties, texts }: { properties: AudienceProperties; texts: BroadcastTexts },
  environmentId: string,
  broadcast: Variables,
  template: PublishedTemplate,
  names: readonly string[],
): Promise<MissingVariables> {
  const used = [...template.variables, ...texts.ownVariables];
  const provided: ProvidedVariables = {
    names: new Set([...names, ...Object.keys(broadcast.variables)]),
    contactFields,
  };
  const missingIn = (locales: readonly string[], given: RecipientFacts['properties']): Promise<readonly string[]> =>
    texts.missing({ ...template, locales }, blankVariables(broadcast, given, template.defaultLocale));
  const known = await properties.knownProperties(environmentId, propertiesAsked(used, provided));
  const unprovided = await unprovidedVariables(used, provided, known, (given) => missingIn(template.locales, given));
  const needed =
    known.size === 0
      ? []
      : await neededProperties(used, provided, template.locales, (locale, given) => missingIn([locale], given));
  return {
    provided,
    unprovided,
    needed: needed.filter(({ property }) => known.has(property)).slice(0, mostCounted),
  };
}

/**
 * The readiness problem of missing variables; null if every eligible contact has all of them.
 * @param edit how to edit a broadcast
 * @param counts the contacts it would reach, counted with the properties of `needed`
 */
export function variablesMissing(
  edit: string,
  { provided, unprovided, needed }: MissingVariables,
  { eligible, eligibleWithout, isExact }: AudienceCounts,
): ReadinessProblem | null {
  const lacking = needed.flatMap((each) => {
    const count = eligibleWithout.get(each.property) ?? 0;
    return count === 0 ? [] : [{ ...each, count }];
  });
  const [first] = lacking;
  if (!first && unprovided.length === 0) return null;
  const ofAll = isExact ? `of ${counted(eligible, 'eligible contact')}` : 'or more of the eligible contacts';
  const names = [...unprovided, ...lacking.map(({ shown }) => shown)];
  const isProperty = (name: string): boolean => !name.startsWith('contact.') || name.startsWith('contact.properties.');
  const messages = [
    ...(unprovided.length === 0
      ? []
      : [
          `The template needs ${unprovided.join(', ')}, which are not in the broadcast’s variables or any contact’s properties.`,
        ]),
    ...lacking.map(({ shown, count }) => `${count} ${ofAll} ${count === 1 ? 'has' : 'have'} no ${shown}.`),
  ];
  const ways = [
    ...(names.some(isProperty)
      ? ['give contacts the property with audience.contact.upsert or audience.contact.import']
      : []),
    ...(names.some((name) => !name.startsWith('contact.'))
      ? [`set one value for everyone in variables with ${edit}`]
      : []),
    `add a default to the template, such as {{ ${first?.shown ?? names[0]} | default: "…" }}, and publish it`,
    ...(first
      ? [
          `send it only to contacts that have the property: create the segment {"field": "properties.${first.property}", "op": "exists"} with audience.segment.create, and set it as segmentId with ${edit}`,
        ]
      : []),
  ];
  return {
    code: 'variables_missing',
    message: messages.join(' '),
    fix: `One of: ${ways.join('; ')}.${fieldsHint(names, provided)}`,
  };
}
