import type { ReadContext } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { pickLocale } from '#core/messaging/templates/locale.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { contacts, recipients, type ContactFacts } from '#plugins/audience/ports.js';
import type { Content } from '../messages/content.js';
import { broadcasts, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { renderTemplateContent, templateVersionLoader, type EmailTemplateVersion } from '../templates/render.js';
import { withFooter } from './footer.js';

/** The content of one message of a broadcast, made for its recipient. */
export type BroadcastContent =
  | {
      readonly ok: true;
      readonly content: Content;
      readonly locale: string;
      /** The recipient's preferences page, as the content names it. */
      readonly preferencesUrl: string;
    }
  /** `problem` is for people; it begins with an error code. */
  | { readonly ok: false; readonly problem: string };

/** Whether a message says what its broadcast says: that is its content then. */
export const hasBroadcastContent = ({ contentId, broadcastId }: MessageRow): boolean =>
  contentId !== null && contentId === broadcastId;

type Reading = Pick<ReadContext, 'db' | 'use'>;

/** A message with what its content is made from. */
interface Source {
  readonly message: MessageRow;
  readonly broadcast: BroadcastRow;
  readonly version: EmailTemplateVersion;
  readonly contact: ContactFacts;
  readonly locale: string;
}

/**
 * Makes the contents of broadcasts' messages: each broadcast, version and contact is read once, and all messages of one version and
 * language are rendered together.
 * @returns by message id; absent for messages whose contact was erased
 * @throws rate_limited when too many renderings of an environment wait
 */
export async function renderBroadcastContents(
  context: Reading,
  messages: readonly MessageRow[],
): Promise<Map<string, BroadcastContent>> {
  const sources = await sourcesOf(context, messages);
  const groups = groupBy(sources, ({ broadcast, locale }) => `${broadcast.id} ${locale}`);
  const rendered = await Promise.all(groups.map((group) => renderGroup(context, group)));
  return new Map(rendered.flat());
}

async function sourcesOf(context: Reading, messages: readonly MessageRow[]): Promise<Source[]> {
  const ids = [...new Set(messages.flatMap(({ broadcastId }) => broadcastId ?? []))];
  if (ids.length === 0) return [];
  const environments = groupBy(messages, ({ environmentId }) => environmentId);
  const [{ found, versions }, ...facts] = await Promise.all([
    versionsOf(context, ids),
    ...environments.map((group) => factsOf(context, group)),
  ]);
  const [people, locales] = [
    new Map(facts.flatMap((each) => [...each.people])),
    new Map(facts.map((each) => each.locale)),
  ];
  return messages.flatMap((message): Source[] => {
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
async function versionsOf(
  { db }: Reading,
  ids: readonly string[],
): Promise<{ found: ReadonlyMap<string, BroadcastRow>; versions: ReadonlyMap<string, EmailTemplateVersion> }> {
  const rows = await db.rows<object>(`SELECT ${broadcasts.columnList()} FROM email_broadcast WHERE id IN (?)`, [
    ids.map(idBytes),
  ]);
  const found = new Map(rows.map((row) => broadcasts.decode(row)).map((row) => [row.id, row]));
  const versionIds = [...found.values()].flatMap(({ templateVersionId }) => templateVersionId ?? []);
  return { found, versions: await templateVersionLoader.load(db, versionIds) };
}

async function factsOf(
  { db, use }: Reading,
  messages: readonly MessageRow[],
): Promise<{ people: ReadonlyMap<string, ContactFacts>; locale: readonly [environmentId: string, locale: string] }> {
  const environmentId = messages[0]?.environmentId ?? '';
  const ids = [...new Set(messages.flatMap(({ contactId }) => contactId ?? []))];
  const localeOf = async (): Promise<string> => {
    const [environment] = await db.rows<{ project_id: Buffer }>('SELECT project_id FROM svc_environment WHERE id = ?', [
      idBytes(environmentId),
    ]);
    return environment ? use(directory).locale(idText(environment.project_id)) : '';
  };
  const [people, locale] = await Promise.all([use(contacts).facts(environmentId, ids), localeOf()]);
  return { people, locale: [environmentId, locale] };
}

async function renderGroup({ use }: Reading, group: readonly Source[]): Promise<[string, BroadcastContent][]> {
  const [first] = group;
  if (!first) return [];
  const { broadcast, version, locale } = first;
  const audience = use(recipients);
  const variables = group.map(({ contact, message }) => ({
    ...broadcast.variables,
    ...contact.properties,
    contact: {
      email: contact.email ?? message.toAddresses[0] ?? '',
      firstName: contact.firstName ?? '',
      lastName: contact.lastName ?? '',
      locale: contact.locale ?? locale,
      properties: contact.properties,
    },
    preferencesUrl: audience.preferencesUrl(contact.id, { channel: 'email', topic: broadcast.topic }),
    legalAddress: broadcast.legalAddress ?? '',
  }));
  const rendered = await renderTemplateContent(broadcast.environmentId, version, locale, variables, {
    subject: broadcast.subject ?? undefined,
    bulk: true,
  });
  return group.map(({ message }, index): [string, BroadcastContent] => {
    const result = rendered[index];
    if (!result) throw new Error('The render pool returned fewer contents than it was given.');
    const own = variables[index];
    if (result.ok) {
      const { legalAddress = '', preferencesUrl = '' } = own ?? {};
      const content = withFooter(result.content, { legalAddress, preferencesUrl });
      return [message.id, { ok: true, content, locale, preferencesUrl }];
    }
    const problem =
      'missing' in result
        ? `missing_variables: the contact and the broadcast have no ${result.missing.join(', ')}.`
        : 'subjectProblem' in result
          ? `invalid_input: the subject ${result.subjectProblem}.`
          : `template_invalid: ${result.part}, line ${result.line}, column ${result.column}: ${result.problem}.`;
    return [message.id, { ok: false, problem }];
  });
}
