import { at, textAt } from '#core/runtime/json.js';
import { isRefusal, type Call } from './calls.js';
import type { MovedTemplate, Place } from './found.js';
import type { MoveReport } from './report.js';

/**
 * Saves a template, and publishes it if all of it was translated. A template that was changed here stays as it is.
 */
export async function writeTemplate(place: Place, moved: MovedTemplate, call: Call, report: MoveReport): Promise<void> {
  const { name: who, earlierName, sharesEarlierName, subject, html, text, untranslated } = moved;
  try {
    const isSame = (content: unknown): boolean =>
      textAt(content, 'en', 'subject') === subject &&
      textAt(content, 'en', 'html') === (html ?? null) &&
      (text === undefined || textAt(content, 'en', 'text') === text);
    const own = await templateOf(call, who);
    const earlier = own === undefined && earlierName !== undefined ? await templateOf(call, earlierName) : undefined;
    // If several templates had that name, the one that earlier versions moved has its content.
    const isMoved = sharesEarlierName !== true || isSame(at(earlier, 'published')) || isSame(at(earlier, 'draft'));
    const [template, known] =
      earlierName !== undefined && earlier !== undefined && isMoved ? [earlierName, earlier] : [who, own];
    if (known !== undefined && isSame(at(known, 'published'))) return;
    const isDraft = known !== undefined && isSame(at(known, 'draft'));
    if (known !== undefined && !isDraft) {
      await report.note({ place, who, reason: 'a template with this name and other content is here', failed: false });
      return;
    }
    if (!isDraft) {
      const content = { subject, ...(html === undefined ? {} : { html }), ...(text === undefined ? {} : { text }) };
      await call('email.template.draft.save', { template, locales: { en: content }, defaultLocale: 'en' });
      report.wrote('template drafts saved');
    }
    if (untranslated.length > 0) return;
    await call('email.template.publish', { template });
    report.wrote('templates published');
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await report.note({ place, who, reason: `${error.code}: ${error.message}`, failed: true });
  }
}

async function templateOf(call: Call, template: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await call('email.template.get', { template });
  } catch (error) {
    if (isRefusal(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}
