import { turnsOf } from '#core/kernel/caller/share.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext, Reading } from '#core/kernel/context.js';
import { requireVariableSize } from '#core/messaging/input.js';
import { readLocale } from '#core/messaging/templates/locale.js';
import { notPublished, publishedContents } from '#core/messaging/templates/published-contents.js';
import { directory } from '#plugins/account/ports.js';
import { withFooter } from '../layout/footer.js';
import { templateTables } from '../tables/template.js';
import { templateVersionLoader } from '../templates/render.js';
import { contentOrRefuse, renderContents, type Content, type ContentSource } from '../templates/content.js';
import type { MessageFields } from './input.js';
import { at, type IndexInCall } from './index-in-call.js';
import type { SenderRow } from '../tables/sender.js';
import { subscribersOf } from './subscribers.js';
import type { Addressed } from './validate.js';
import { invalidField, invalidFields } from '#core/kernel/errors/invalid-field.js';

/** The content of a message, and the template that it was rendered from. */
export interface MessageContent {
  readonly content: Content;
  readonly template: { readonly name: string; readonly version: number; readonly locale: string } | null;
}

/** A rendered message, and its recipients if they had to be validated to render it. */
export interface RenderedMessage extends MessageContent {
  readonly addressed: Addressed | undefined;
}

type Source = Pick<MessageContent, 'template'> & { readonly source: ContentSource };

/** The fields that a message without a template lacks. */
function missingContent({ subject, text, html }: MessageFields): Parameters<typeof invalidFields>[0] | undefined {
  const [first, ...others] = [
    ...(subject === undefined ? [{ field: 'subject', problem: 'is required without a template' }] : []),
    ...(text === undefined && html === undefined
      ? [{ field: 'text', problem: 'is required when neither html nor template is given' }]
      : []),
  ];
  return first && [first, ...others];
}

/**
 * A message with inline content, or one from a template.
 * @throws invalid_input unless it is exactly one of them, with variables of allowed size
 */
function requireOneKind(input: MessageFields): void {
  requireVariableSize('message', input.variables);
  if (input.template === undefined) {
    const missing = missingContent(input);
    if (missing) throw invalidFields(missing);
    for (const field of ['templateVersion', 'locale'] as const)
      if (input[field] !== undefined) throw invalidField(field, 'is only for messages with a template');
    return;
  }
  for (const field of ['text', 'html'] as const)
    if (input[field] !== undefined) throw invalidField(field, 'must be absent when a template is given');
}

/**
 * The sources of messages. Inline sources are available immediately, the sources of templates are read together. For
 * versions that were read before, the only query is which version is published.
 */
async function sourcesOf(
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
  { id, projectId }: Environment,
  inputs: readonly MessageFields[],
  indexInCallOf: (index: number) => IndexInCall,
): Promise<Source[]> {
  const requests = inputs.flatMap(({ template: name, templateVersion: version, locale }, index) =>
    name === undefined ? [] : at(indexInCallOf(index), () => [{ name, version, locale: readLocale(locale) }]),
  );
  const channel = { tables: templateTables, loader: templateVersionLoader };
  const found = await publishedContents(db, id, channel, requests, () => use(directory).locale(projectId));
  const withSubject = new Map<string, ContentSource>();
  let next = 0;
  return inputs.map((input, index) => {
    const { subject, text = null, html = null, template: name } = input;
    if (name === undefined) return { source: { subject: subject ?? '', text, html }, template: null };
    const published = found[next++];
    return at(indexInCallOf(index), () => {
      if (!published) throw notPublished('email', { name, version: input.templateVersion });
      const { content, template, versionId } = published;
      if (subject === undefined) return { source: content, template };
      // One object for the same texts, so that they are sent to the thread once.
      const key = JSON.stringify([versionId, template.locale, subject]);
      const source = withSubject.get(key) ?? { ...content, subject };
      withSubject.set(key, source);
      return { source, template };
    });
  });
}

/**
 * Renders messages, from inline content or templates.
 * @param indexInCallOf the position of a message in its call
 * @returns one content per message, in their order; and the sender, if it had to be read to render them
 * @throws invalid_input, template_not_published, missing_variables, template_invalid, rate_limited
 */
export async function renderInputs(
  context: Reading,
  environment: Environment,
  inputs: readonly MessageFields[],
  indexInCallOf: (index: number) => IndexInCall,
): Promise<{ messages: RenderedMessage[]; sender: SenderRow | null | undefined }> {
  for (const [index, input] of inputs.entries()) at(indexInCallOf(index), () => requireOneKind(input));
  const sources = await sourcesOf(context, environment, inputs, indexInCallOf);
  const { subscribers, sender } = await subscribersOf(
    context,
    environment,
    inputs.map((input, index) => ({ input, source: sources[index]?.source, indexInCall: indexInCallOf(index) })),
  );
  const jobs = sources.map(({ source, template }, index) => ({
    source,
    locale: template?.locale,
    variables: { ...inputs[index]?.variables, ...subscribers[index]?.variables },
  }));
  const rendered = await renderContents(turnsOf(environment), jobs);
  const messages = rendered.map((each, index): RenderedMessage => {
    const content = at(indexInCallOf(index), () => contentOrRefuse(each));
    const [template = null, subscriber] = [sources[index]?.template, subscribers[index]];
    const addressed = subscriber?.addressed;
    if (template === null || subscriber === undefined) return { content, template, addressed };
    // A template under a topic renders the same mail as in a broadcast.
    const { preferencesUrl = '', legalAddress = '' } = subscriber.variables;
    const whole = withFooter(content, { preferencesUrl, legalAddress, locale: template.locale });
    return { content: whole, template, addressed };
  });
  return { messages, sender };
}
