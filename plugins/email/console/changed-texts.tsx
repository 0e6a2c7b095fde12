import { Empty } from '#core/surfaces/console/kit/index.js';
import { changedLines } from './changed-lines.js';
import type { Locales, Texts } from './template-texts.js';
import { templateTexts } from './texts.js';

const parts: readonly (readonly [keyof Texts, string])[] = [
  ['subject', 'Subject'],
  ['preheader', 'Preheader'],
  ['html', 'HTML'],
  ['text', 'Plain text'],
];

/**
 * What changes between two states of a template, language by language. Unchanged lines far from changes are left out.
 */
export function ChangedTexts({ before, after }: { before: Locales; after: Locales }) {
  const locales = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = locales.flatMap((locale) =>
    parts.flatMap(([part, title]) => {
      const [old, now] = [before[locale]?.[part] ?? '', after[locale]?.[part] ?? ''];
      return old === now ? [] : [{ locale, part, title, old, now }];
    }),
  );
  if (changes.length === 0) return <Empty title={templateTexts.same} />;
  return (
    <div class="stack">
      {changes.map(({ locale, part, title, old, now }) => (
        <section key={`${locale} ${part}`}>
          <h3>
            {title} in {locale}
          </h3>
          <Diff old={old} now={now} />
        </section>
      ))}
    </div>
  );
}

const near = 2;
const marks = { same: ' ', removed: '−', added: '+' } as const;

function Diff({ old, now }: { old: string; now: string }) {
  const changes = changedLines(old, now);
  return (
    <pre class="diff" tabIndex={0} aria-label="What changes">
      {changes.map(({ kind, lines }, at) => {
        const shown =
          kind !== 'same' || lines.length <= near * 2 + 1
            ? lines
            : [
                ...(at === 0 ? [] : lines.slice(0, near)),
                '…',
                ...(at === changes.length - 1 ? [] : lines.slice(-near)),
              ];
        return shown.map((line) => (
          <span class={kind}>
            <i aria-hidden="true">{marks[kind]}</i>
            {kind === 'same' ? null : <span class="unseen">{kind}: </span>}
            {line}
            {'\n'}
          </span>
        ));
      })}
    </pre>
  );
}
