import { isRecord } from '#core/runtime/json.js';
import { escapeHtml } from '../../pages/theme.js';
import type { PersonalData } from './gather.js';
import { profiles, sections } from './sections.js';

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  dl { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
  dt { color: GrayText; overflow-wrap: anywhere; }
  dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
  dd dl { border-inline-start: 2px solid GrayText; padding-inline-start: 0.75rem; }
  details { border-top: 1px solid GrayText; padding: 0.5rem 0; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }`;

/** The words of a field: `firstName` is “first name”. */
const words = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((each) => `<div>${shown(each)}</div>`).join('');
  if (isRecord(value)) {
    const fields = Object.entries(value);
    return `<dl>${fields.map(([name, field]) => `<dt>${escapeHtml(words(name))}</dt><dd>${shown(field)}</dd>`).join('')}</dl>`;
  }
  if (value === null || value === undefined || value === '') return '–';
  return escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
}

const sectionOf = (title: string, items: readonly unknown[]): string => `
<h2>${title} (${items.length})</h2>
${items.map((item, index) => `<details${index === 0 ? ' open' : ''}><summary>${title} ${index + 1}</summary>${shown(item)}</details>`).join('\n')}`;

/**
 * The export as a page for the person: no scripts, and nothing is loaded. Mail is shown as its source, because HTML of
 * others would load pictures.
 */
export function pageOf({ items, files }: PersonalData, madeAt: Date): string {
  const listed = files.map(
    ({ name }) => `<li><a href="attachments/${encodeURIComponent(name)}">${escapeHtml(name)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Personal data</title>
<style>${style}
</style>
<h1>Personal data</h1>
<p>Everything that is stored about this person, as of ${madeAt.toISOString()}. The file person.json has the same data for programs.</p>
${[...profiles, ...sections].map(({ name, title }) => sectionOf(title, items[name] ?? [])).join('\n')}
${files.length === 0 ? '' : `<h2>Attachments (${files.length})</h2>\n<ul>${listed.join('')}</ul>`}
</html>
`;
}
