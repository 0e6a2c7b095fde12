import { html, type Markup } from '#core/surfaces/pages/html.js';
import type { StoredMail } from '../../mailbox/store.js';
import { sandbox } from './html-part.js';
import { link, withLinks } from '#core/surfaces/pages/links.js';
import { linksIn, unsubscribeLinksIn } from './links.js';

/** The parts of a message that its page shows, one at a time. */
export const viewNames = ['html', 'text', 'links', 'headers', 'source'] as const;
export type ViewName = (typeof viewNames)[number];

/** How much of the source a page shows; the rest is in the file. */
const shownSource = 512 * 1024;

/** The views that a message has, starting with the one to open first. */
export function viewsOf({ email }: StoredMail): { name: ViewName; label: string }[] {
  const links = linksIn(email).length + unsubscribeLinksIn(email).length;
  const labels: Readonly<Record<ViewName, string | undefined>> = {
    html: email.html === undefined ? undefined : 'HTML',
    text: email.text === undefined ? undefined : 'Text',
    links: links === 0 ? undefined : `Links (${links})`,
    headers: 'Headers',
    source: 'Source',
  };
  return viewNames.flatMap((name) => (labels[name] === undefined ? [] : [{ name, label: labels[name] }]));
}

/** The content of a view. */
export function viewOf(mail: StoredMail, name: ViewName): Markup {
  const { id, email, raw } = mail;
  switch (name) {
    case 'html':
      return html`<iframe sandbox=${sandbox} src=${`?message=${id}&html=1`} title="The message as HTML"></iframe>`;
    case 'text':
      return block('The message as text', withLinks((email.text ?? '').trimEnd()));
    case 'links':
      return html`<ul class="links">
        ${linksIn(email).map((address) => html`<li>${link(address)}</li>`)}
        ${unsubscribeLinksIn(email).map(
          (address) =>
            html`<li>${link(address)} <span class="muted">List-Unsubscribe, a button of the mail program</span></li>`,
        )}
      </ul>`;
    case 'headers':
      return block('Headers', [envelopeOf(mail), ...email.headerLines.map(({ line }) => line)].join('\n'));
    case 'source':
      return [
        html`<p class="muted">
          <a class="button quiet" href=${`?message=${id}&raw=1`}>Open the source (${sizeOf(raw.length)})</a>
          ${raw.length > shownSource && ` The first ${sizeOf(shownSource)} are shown here.`}
        </p>`,
        block('Source', raw.subarray(0, shownSource).toString('utf8')),
      ];
  }
}

/** The sender and recipients of the SMTP envelope, which the message's headers do not contain. */
const envelopeOf = ({ envelopeFrom, recipients }: StoredMail): string =>
  `(envelope) from <${envelopeFrom}> to ${recipients.map((each) => `<${each}>`).join(', ')}`;

const block = (label: string, content: Markup): Markup =>
  html`<pre tabindex="0" role="region" aria-label=${label}>${content}</pre>`;

/** A number of bytes for people. */
export const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
