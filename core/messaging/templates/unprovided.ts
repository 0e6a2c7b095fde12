/** The sources of the variables of a message to a contact, as far as they are known before a contact is chosen. */
export interface ProvidedVariables {
  /** Names that every message has, such as `context`, and those of the message's own variables. */
  readonly names: ReadonlySet<string>;
  /** The fields of `contact`. */
  readonly contactFields: ReadonlySet<string>;
  /** The fields of `context`, if they are known. */
  readonly contextFields?: ReadonlySet<string> | undefined;
}

/** A variable that only a property of the contact can provide, if anything. */
interface Doubtful {
  /** How messages to people name it. */
  readonly shown: string;
  /** Null if no property can provide it: a field that `contact` does not have. */
  readonly property: string | null;
}

const segmentsOf = (path: string): string[] => path.split(/[.[]/).map((segment) => segment.replaceAll(/["'\]]/g, ''));

/** @returns null for variables that every message has */
function doubtAbout(path: string, { names, contactFields, contextFields }: ProvidedVariables): Doubtful | null {
  const [head = '', field, property] = segmentsOf(path);
  if (head === 'context' && field !== undefined && contextFields && !contextFields.has(field))
    return { shown: `context.${field}`, property: null };
  if (head !== 'contact') return names.has(head) ? null : { shown: head, property: head };
  if (field === undefined) return null;
  if (field !== 'properties') return contactFields.has(field) ? null : { shown: `contact.${field}`, property: null };
  return property === undefined ? null : { shown: `contact.properties.${property}`, property };
}

/** The properties of contacts that variables may come from, by name. */
export const propertiesAsked = (used: readonly string[], provided: ProvidedVariables): string[] => [
  ...new Set(used.flatMap((path) => doubtAbout(path, provided)?.property ?? [])),
];

/**
 * The variables that nothing provides: not the message, not `contact`, and no contact's property. A variable with a
 * default is not needed. Only rendering shows that, so the texts are rendered if a variable is not provided.
 * @param used the paths that the texts use, such as `contact.firstName`
 * @param known which of `propertiesAsked` some contact has
 * @param missingWith renders the texts with some properties. @returns the paths that are missing
 */
export async function unprovidedVariables(
  used: readonly string[],
  provided: ProvidedVariables,
  known: ReadonlySet<string>,
  missingWith: (properties: Readonly<Record<string, string>>) => Promise<readonly string[]>,
): Promise<string[]> {
  const unprovided = (paths: readonly string[]): Set<string> =>
    new Set(
      paths.flatMap((path) => {
        const doubt = doubtAbout(path, provided);
        return doubt === null || (doubt.property !== null && known.has(doubt.property)) ? [] : doubt.shown;
      }),
    );
  const doubtful = unprovided(used);
  if (doubtful.size === 0) return [];
  const missing = unprovided(await missingWith(Object.fromEntries([...known].map((name) => [name, '']))));
  return [...doubtful].filter((name) => missing.has(name));
}

/** A variable that a property of the contact provides. */
export interface NeededProperty {
  /** How messages to people name it. */
  readonly shown: string;
  readonly property: string;
}

/**
 * The properties without which a message to a contact cannot be made, regardless of the contact's other properties:
 * they are missing in every language, both if the contact has none of the properties and if it has all those that are
 * optional for the texts. A variable with a default, or one that occurs only under a condition, is not among them.
 * @param used the paths that the texts use
 * @param missingIn renders the texts in one language with some properties. @returns the paths that are missing
 */
export async function neededProperties(
  used: readonly string[],
  provided: ProvidedVariables,
  locales: readonly string[],
  missingIn: (locale: string, properties: Readonly<Record<string, string>>) => Promise<readonly string[]>,
): Promise<NeededProperty[]> {
  const needed = (paths: readonly string[]): Map<string, NeededProperty> =>
    new Map(
      paths.flatMap((path) => {
        const { shown, property } = doubtAbout(path, provided) ?? { shown: '', property: null };
        return property === null ? [] : [[shown, { shown, property }] as const];
      }),
    );
  let found = needed(used);
  for (const locale of locales) {
    if (found.size === 0) return [];
    const alone = needed(await missingIn(locale, {}));
    const asked = new Set([...alone.values()].map(({ property }) => property));
    const others = propertiesAsked(used, provided).filter((property) => !asked.has(property));
    const among =
      others.length === 0
        ? alone
        : needed(await missingIn(locale, Object.fromEntries(others.map((property) => [property, '']))));
    found = new Map([...found].filter(([shown]) => alone.has(shown) && among.has(shown)));
  }
  return [...found.values()];
}

/**
 * What to add to the fix for missing variables, if one of them is a field that `contact` or `context` does not have.
 */
export function fieldsHint(names: readonly string[], { contactFields, contextFields }: ProvidedVariables): string {
  const ofContact = names.some((name) => name.startsWith('contact.') && !name.startsWith('contact.properties.'));
  const ofContext = contextFields !== undefined && names.some((name) => name.startsWith('context.'));
  return [
    ofContact ? ` \`contact\` has ${[...contactFields].join(', ')}.` : '',
    ofContext ? ` \`context\` has ${[...contextFields].join(', ')} in this event.` : '',
  ].join('');
}
