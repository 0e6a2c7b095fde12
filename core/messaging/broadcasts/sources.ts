import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { groupBy } from '../group-by.js';
import type { MessageFields } from '../tables.js';
import { pickLocale } from '../templates/locale.js';
import type { TemplateVersion, VersionLoader } from '../templates/published.js';
import type { BroadcastFields, BroadcastTables } from '../broadcast-tables.js';

/** The facts about a recipient when the content of a message is made. */
export interface RecipientFacts {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly locale: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A message of a broadcast with the data that its content is made from. */
export interface BroadcastSource<B, M, Compiled, Facts> {
  readonly message: M;
  readonly broadcast: B;
  readonly version: TemplateVersion<Compiled>;
  readonly contact: Facts;
  readonly locale: string;
}

/** The tables in which a channel keeps its broadcasts and their templates. */
interface StoredBroadcasts<B extends BroadcastFields, Compiled> {
  readonly tables: Pick<BroadcastTables<B>, 'broadcasts'>;
  readonly loader: VersionLoader<Compiled>;
}

/** The sources of the facts: other products' ports. */
interface SourcePorts<Facts> {
  /** @returns by id; contacts that were erased are absent */
  facts(environmentId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, Facts>>;
  /** The language of a project. */
  locale(projectId: string): Promise<string>;
}

/**
 * Makes the contents of broadcasts' messages: each broadcast, version and contact is read once, and the messages of one
 * broadcast and language are rendered together.
 * @param render makes the contents of such a group: each with the id of its message
 * @returns by message id; absent for messages whose contact was erased
 * @throws the errors of `render`
 */
export async function renderBroadcasts<
  B extends BroadcastFields,
  M extends MessageFields,
  Compiled,
  Facts extends RecipientFacts,
  Content,
>(
  db: Pick<ReadSession, 'rows'>,
  stored: StoredBroadcasts<B, Compiled>,
  ports: SourcePorts<Facts>,
  messages: readonly M[],
  render: (
    first: BroadcastSource<B, M, Compiled, Facts>,
    group: readonly BroadcastSource<B, M, Compiled, Facts>[],
  ) => Promise<readonly (readonly [messageId: string, Content])[]>,
): Promise<Map<string, Content>> {
  const sources = await broadcastSources(db, stored, ports, messages);
  const groups = groupBy(sources, ({ broadcast, locale }) => `${broadcast.id} ${locale}`);
  const rendered = await Promise.all(groups.map(async (group) => (group[0] ? render(group[0], group) : [])));
  return new Map(rendered.flat());
}

/** The data that the contents are made from. @returns without messages whose contact was erased */
async function broadcastSources<
  B extends BroadcastFields,
  M extends MessageFields,
  Compiled,
  Facts extends RecipientFacts,
>(
  db: Pick<ReadSession, 'rows'>,
  { tables, loader }: StoredBroadcasts<B, Compiled>,
  ports: SourcePorts<Facts>,
  messages: readonly M[],
): Promise<BroadcastSource<B, M, Compiled, Facts>[]> {
  const ids = [...new Set(messages.flatMap(({ broadcastId }) => broadcastId ?? []))];
  if (ids.length === 0) return [];
  const environments = groupBy(messages, ({ environmentId }) => environmentId);
  const [{ found, versions }, ...facts] = await Promise.all([
    versionsOf(db, tables, loader, ids),
    ...environments.map((group) => factsOf(db, ports, group)),
  ]);
  const [people, locales] = [
    new Map(facts.flatMap((each) => [...each.people])),
    new Map(facts.map((each) => each.locale)),
  ];
  return messages.flatMap((message): BroadcastSource<B, M, Compiled, Facts>[] => {
    const broadcast = message.broadcastId === null ? undefined : found.get(message.broadcastId);
    const version = broadcast?.templateVersionId ? versions.get(broadcast.templateVersionId) : undefined;
    const contact = message.contactId === null ? undefined : people.get(message.contactId);
    if (!broadcast || !version || !contact) return [];
    const locale = pickLocale(
      version.locales,
      [contact.locale, locales.get(message.environmentId)],
      version.defaultLocale,
    );
    return [{ message, broadcast, version, contact, locale }];
  });
}

/** Broadcasts with the template versions that they were sent with, both by id. */
async function versionsOf<B extends BroadcastFields, Compiled>(
  db: Pick<ReadSession, 'rows'>,
  { broadcasts }: Pick<BroadcastTables<B>, 'broadcasts'>,
  loader: VersionLoader<Compiled>,
  ids: readonly string[],
): Promise<{ found: ReadonlyMap<string, B>; versions: ReadonlyMap<string, TemplateVersion<Compiled>> }> {
  const rows = await db.rows<object>(`SELECT ${broadcasts.columnList()} FROM ${broadcasts.tableName} WHERE id IN (?)`, [
    ids.map(idBytes),
  ]);
  const found = new Map(rows.map((row) => broadcasts.decode(row)).map((row) => [row.id, row]));
  const versionIds = [...found.values()].flatMap(({ templateVersionId }) => templateVersionId ?? []);
  return { found, versions: await loader.load(db, versionIds) };
}

async function factsOf<M extends MessageFields, Facts>(
  db: Pick<ReadSession, 'rows'>,
  ports: SourcePorts<Facts>,
  messages: readonly M[],
): Promise<{ people: ReadonlyMap<string, Facts>; locale: readonly [environmentId: string, locale: string] }> {
  const environmentId = messages[0]?.environmentId ?? '';
  const ids = [...new Set(messages.flatMap(({ contactId }) => contactId ?? []))];
  const localeOf = async (): Promise<string> => {
    const [environment] = await db.rows<{ project_id: Buffer }>('SELECT project_id FROM svc_environment WHERE id = ?', [
      idBytes(environmentId),
    ]);
    return environment ? ports.locale(idText(environment.project_id)) : '';
  };
  const [people, locale] = await Promise.all([ports.facts(environmentId, ids), localeOf()]);
  return { people, locale: [environmentId, locale] };
}

/**
 * The variables that every template of a broadcast may use, in addition to its channel's own.
 * @param address the recipient's address on the channel, if the contact no longer has one
 */
export const contactVariables = (
  { variables }: Pick<BroadcastFields, 'variables'>,
  { email, phone, firstName, lastName, locale, properties }: RecipientFacts,
  shownLocale: string,
): Record<string, unknown> & { contact: Record<string, unknown> } => ({
  ...variables,
  ...properties,
  contact: {
    email: email ?? '',
    phone: phone ?? '',
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    locale: locale ?? shownLocale,
    properties,
  },
});

const blank: RecipientFacts = {
  ...{ id: '', email: '', phone: '', firstName: '', lastName: '', locale: '' },
  properties: {},
};

/** The variables of a broadcast to a contact of whom only these properties are known. */
export const blankVariables = (
  broadcast: Pick<BroadcastFields, 'variables'>,
  properties: RecipientFacts['properties'],
  shownLocale: string,
): ReturnType<typeof contactVariables> => contactVariables(broadcast, { ...blank, properties }, shownLocale);

/** The fields of `contact`. Every recipient has them; one without a first name has an empty one. */
export const contactFields: ReadonlySet<string> = new Set(
  Object.keys(blankVariables({ variables: {} }, {}, '').contact),
);

/**
 * The end of every such problem: the text that people see about a message that could not be made. It begins with an
 * error code.
 */
export const missingProblem = (names: readonly string[]): string =>
  `missing_variables: neither the contact nor the broadcast has ${names.join(', ')}.`;

export const templateProblem = (at: { part: string; line: number; column: number; problem: string }): string =>
  `template_invalid: ${at.part}, line ${at.line}, column ${at.column}: ${at.problem}.`;
