import { createHash } from 'node:crypto';
import type { Found, MovedTemplate } from '../found.js';
import { left } from '../sources/source.js';

/**
 * Creates a function that passes on what was found in files, without the templates whose names here other templates of
 * the same files have: “Spring Sale” and “spring-sale”. Those are reported as not moved. Every reading of the files
 * passes through it; from the second one on, `sharesEarlierName` is complete.
 */
export function uniqueTemplates(): (found: AsyncGenerator<Found>) => AsyncGenerator<Found> {
  const byEarlierName = new Map<string, Set<string>>();
  const noteName = ({ name, earlierName = name }: MovedTemplate): boolean => {
    const names = byEarlierName.get(earlierName) ?? new Set();
    byEarlierName.set(earlierName, names.add(name));
    return names.size > 1;
  };
  return async function* (found) {
    const contents = new Map<string, string>();
    for await (const each of found) {
      const { place, template } = each;
      if (!template) {
        yield each;
        continue;
      }
      const content = contentOf(template);
      const other = contents.get(template.name) ?? content;
      contents.set(template.name, other);
      yield other === content
        ? { ...each, template: { ...template, sharesEarlierName: noteName(template) } }
        : left(place, template.name, 'another template in these files has the same name here');
    }
  };
}

const contentOf = ({ subject, html, text }: MovedTemplate): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex');
