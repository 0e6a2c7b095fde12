import { counted as inWords } from '#config/counted.js';
import { bulkTurns } from '#core/kernel/caller/share.js';
import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { ReadContext } from '#core/kernel/context.js';
import {
  contactVariables,
  missingProblem,
  renderBroadcasts,
  templateProblem,
  type BroadcastSource,
} from '#core/messaging/broadcasts/sources.js';
import { directory } from '#plugins/account/ports.js';
import { contacts, type ContactFacts } from '#plugins/audience/ports.js';
import { renderBodies, type RenderedBody } from '../messages/content.js';
import { countSegments, type Counted } from '../segments.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import type { TemplateBody } from '../tables/template.js';
import { templateVersionLoader } from '../templates/render.js';

/** The content of one text of a broadcast, rendered for its recipient. */
export type BroadcastText =
  | { readonly body: string; readonly counted: Counted; readonly locale: string }
  /** For people. Begins with an error code. */
  | { readonly problem: string };

type Source = BroadcastSource<BroadcastRow, MessageRow, TemplateBody, ContactFacts>;

/** Whether a text of a broadcast must still be rendered. After a delivery attempt, a repeat has the same content. */
export const isUnrendered = ({ contentId, broadcastId, body }: MessageRow): boolean =>
  broadcastId !== null && contentId === broadcastId && body === null;

/**
 * Renders the texts of broadcasts. Each broadcast, version and contact is read once, and all texts of one version and
 * language are rendered together.
 * @returns by message id; absent for messages whose contact was erased
 * @throws rate_limited if too many renderings of an environment are waiting
 */
export function renderBroadcastTexts(
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
  messages: readonly MessageRow[],
): Promise<Map<string, BroadcastText>> {
  const stored = { tables: broadcastTables, loader: templateVersionLoader };
  const [people, projects] = [use(contacts), use(directory)];
  const ports = {
    facts: (environmentId: string, ids: readonly string[]) => people.facts(environmentId, ids),
    locale: (projectId: string) => projects.locale(projectId),
  };
  return renderBroadcasts(db, stored, ports, messages, (first, group) => renderGroup(db, first, group));
}

async function renderGroup(
  db: ReadContext['db'],
  { broadcast, version, locale }: Source,
  group: readonly Source[],
): Promise<[string, BroadcastText][]> {
  const content = version.contents[locale];
  if (!content) throw new Error(`The template ${version.name} has no content in ${locale}.`);
  const turns = await turnsOfEnvironment(db, broadcast.environmentId);
  const rendered = await renderBodies(
    bulkTurns(turns),
    group.map(({ contact, message }) => {
      const shared = contactVariables(broadcast, contact, locale);
      const variables = { ...shared, contact: { ...shared.contact, phone: contact.phone ?? message.toNumber } };
      return { body: content.body, variables, locale };
    }),
  );
  return group.map(({ message }, index): [string, BroadcastText] => {
    const result = rendered[index];
    if (!result) throw new Error('The render pool returned fewer texts than it was given.');
    return [message.id, result.ok ? counted(result.body, locale, message) : { problem: problemOf(result) }];
  });
}

/**
 * The limit is what the text was metered with, the maximum at `sms.broadcast.send`. A later change of maxSegments does
 * not apply: a higher one would exceed what was reserved from the spending cap.
 */
function counted(
  body: string,
  locale: string,
  { meteredSegments }: Pick<MessageRow, 'meteredSegments'>,
): BroadcastText {
  const found = countSegments(body);
  if (found.segments <= meteredSegments) return { body, counted: found, locale };
  return {
    problem: `sms_too_long: the message has ${inWords(found.segments, 'segment')} in ${found.encoding}, above the limit of ${meteredSegments}.`,
  };
}

function problemOf(result: Exclude<RenderedBody, { ok: true }>): string {
  if ('missing' in result) return missingProblem(result.missing);
  return 'bodyProblem' in result ? `invalid_input: the text ${result.bodyProblem}.` : templateProblem(result);
}
