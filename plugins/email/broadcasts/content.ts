import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { ReadContext, Context } from '#core/kernel/context.js';
import {
  contactVariables,
  missingProblem,
  renderBroadcasts,
  templateProblem,
  type BroadcastSource,
} from '#core/messaging/broadcasts/sources.js';
import { directory } from '#plugins/account/ports.js';
import { contacts, recipients, type ContactFacts } from '#plugins/audience/ports.js';
import { withFooter } from '../layout/footer.js';
import type { Content } from '../templates/content.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import type { CompiledTemplate } from '../tables/template.js';
import { renderTemplateContent, templateVersionLoader } from '../templates/render.js';
import { contents } from '../tables/content.js';

/** The content of one message of a broadcast, rendered for its recipient. */
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

/** Whether a message uses its broadcast's content. */
export const hasBroadcastContent = ({ contentId, broadcastId }: MessageRow): boolean =>
  contentId !== null && contentId === broadcastId;

type Source = BroadcastSource<BroadcastRow, MessageRow, CompiledTemplate, ContactFacts>;

/**
 * Renders the contents of broadcasts' messages. Each broadcast, version and contact is read once, and all messages of
 * one version and language are rendered together.
 * @returns by message id; absent for messages whose contact was erased
 * @throws rate_limited if too many renderings of an environment are waiting
 */
export function renderBroadcastContents(
  context: Pick<ReadContext, 'db' | 'use'>,
  messages: readonly MessageRow[],
): Promise<Map<string, BroadcastContent>> {
  const { db, use } = context;
  const stored = { tables: broadcastTables, loader: templateVersionLoader };
  const [people, projects] = [use(contacts), use(directory)];
  const ports = {
    facts: (environmentId: string, ids: readonly string[]) => people.facts(environmentId, ids),
    locale: (projectId: string) => projects.locale(projectId),
  };
  return renderBroadcasts(db, stored, ports, messages, (first, group) => renderGroup(context, first, group));
}

async function renderGroup(
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
  { broadcast, version, locale }: Source,
  group: readonly Source[],
): Promise<[string, BroadcastContent][]> {
  const audience = use(recipients);
  const variables = group.map(({ contact, message }) => {
    const shared = contactVariables(broadcast, contact, locale);
    const address = message.toAddresses[0] ?? contact.email;
    const to = address === null ? undefined : { environmentId: broadcast.environmentId, address };
    return {
      ...shared,
      contact: { ...shared.contact, email: contact.email ?? message.toAddresses[0] ?? '' },
      preferencesUrl: audience.preferencesUrl(contact.id, { channel: 'email', topic: broadcast.topic }, to),
      legalAddress: broadcast.legalAddress ?? '',
    };
  });
  const turns = await turnsOfEnvironment(db, broadcast.environmentId);
  const rendered = await renderTemplateContent(turns, version, locale, variables, {
    subject: broadcast.subject ?? undefined,
    bulk: true,
  });
  return group.map(({ message }, index): [string, BroadcastContent] => {
    const result = rendered[index];
    if (!result) throw new Error('The render pool returned fewer contents than it was given.');
    const own = variables[index];
    if (result.ok) {
      const { legalAddress = '', preferencesUrl = '' } = own ?? {};
      const content = withFooter(result.content, { legalAddress, preferencesUrl, locale });
      return [message.id, { ok: true, content, locale, preferencesUrl }];
    }
    const problem =
      'missing' in result
        ? missingProblem(result.missing)
        : 'subjectProblem' in result
          ? `invalid_input: the subject ${result.subjectProblem}.`
          : templateProblem(result);
    return [message.id, { ok: false, problem }];
  });
}

/**
 * The texts of a message, as email.message.get shows them: the texts that were sent, or the texts of a broadcast,
 * rendered from the contact as it is now.
 * @returns null for system mail, after a recipient was erased or the content was deleted, and if a variable is missing
 */
export async function shownContent(
  context: Pick<Context, 'db' | 'use'>,
  message: MessageRow,
): Promise<{ text: string | null; html: string | null; renderedNow: boolean } | null> {
  const { contentId, isSystem } = message;
  if (isSystem || contentId === null) return null;
  if (!hasBroadcastContent(message)) {
    const content = await context.db.findOne(contents, { id: contentId });
    return content && { text: content.textBody, html: content.htmlBody, renderedNow: false };
  }
  const rendered = (await renderBroadcastContents(context, [message])).get(message.id);
  return rendered?.ok ? { text: rendered.content.text, html: rendered.content.html, renderedNow: true } : null;
}
