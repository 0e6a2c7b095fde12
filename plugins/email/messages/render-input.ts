import { contentOrRefuse, renderContents, type Content } from './content.js';
import type { MessageInput } from './input.js';
import { invalidField } from './validate.js';

/**
 * Renders the inline content of a message.
 * @param environmentId the message's environment
 * @throws as contentOrRefuse and renderContents
 */
export async function renderInput(environmentId: string, input: MessageInput): Promise<Content> {
  const { subject, text = null, html = null, variables = {} } = input;
  if (text === null && html === null) throw invalidField('text', 'is required when html is not given');
  const [rendered] = await renderContents(environmentId, [{ source: { subject, text, html }, variables }]);
  if (!rendered) throw new Error('The render pool returned no result.');
  return contentOrRefuse(rendered);
}
