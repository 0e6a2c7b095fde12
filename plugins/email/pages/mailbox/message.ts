import type { Address } from 'postal-mime';
import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import type { StoredMail } from '../../mailbox/store.js';
import { bytesOf } from './files.js';
import { time, page, subjectOf } from './frame.js';
import { linksIn } from './links.js';

const people = (addresses: readonly Address[]): string =>
  addresses
    .map(({ name, address }) => (address === undefined || name === '' ? (address ?? name) : `${name} <${address}>`))
    .join(', ');

const fact = (name: string, value: Markup): Markup =>
  value !== '' &&
  html`<div>
    <dt>${name}</dt>
    <dd>${typeof value === 'string' ? html`<bdi>${value}</bdi>` : value}</dd>
  </div>`;

const section = (id: string, heading: string, body: Markup): Markup =>
  html`<section aria-labelledby=${id}>
    <h2 id=${id}>${heading}</h2>
    ${body}
  </section>`;

/** One message with its headers, parts and attachments. */
export function messageView({ id, envelopeFrom, recipients, at, email }: StoredMail): PageAnswer {
  const { from, to = [], cc = [], replyTo = [], subject, text, html: markup, attachments, headerLines } = email;
  const links = linksIn(email);
  const files = attachments.map(
    (file, index) => html`
      <li>
        <a href=${`?message=${id}&attachment=${index}`} download>${file.filename ?? `attachment-${index}`}</a>
        <span class="muted">${file.mimeType}, ${sizeOf(bytesOf(file).length)}</span>
      </li>
    `,
  );
  return page({
    title: subject ?? '(no subject)',
    body: html`
      <nav class="turn" aria-label="Mailbox"><a href="/dev/mailbox">← All messages</a></nav>
      <article class="card">
        <h1>${subjectOf(subject)}</h1>
        <dl class="facts">
          ${fact('From', from ? people([from]) : '')} ${fact('To', people(to))} ${fact('Cc', people(cc))}
          ${fact('Reply to', people(replyTo))} ${fact('Received', time(at))}
          ${fact('Envelope', html`from <bdi>${envelopeFrom === '' ? '<>' : envelopeFrom}</bdi> to <bdi>${recipients.join(', ')}</bdi>`)}
        </dl>
        ${
          links.length > 0 &&
          section(
            'links',
            'Links',
            html`<ul class="links">
              ${links.map(link)}
            </ul>`,
          )
        }
        ${markup !== undefined && section('html', 'HTML', frame(id))}
        ${text !== undefined && section('text', 'Text', html`<pre tabindex="0" aria-labelledby="text">${text.trimEnd()}</pre>`)}
        ${
          files.length > 0 &&
          section(
            'files',
            'Attachments',
            html`<ul class="links">
              ${files}
            </ul>`,
          )
        }
        <details>
          <summary>Headers</summary>
          <pre tabindex="0">${headerLines.map(({ line }) => line).join('\n')}</pre>
        </details>
        <p><a class="button quiet" href=${`?message=${id}&raw=1`}>Show the source</a></p>
      </article>
    `,
  });
}

const link = (address: string): Markup =>
  html`<li><a href=${address} target="_blank" rel="noopener noreferrer">${address}</a></li>`;

/** An empty sandbox: no scripts, no forms, no navigation. */
const frame = (id: string): Markup =>
  html`<iframe sandbox="" src=${`?message=${id}&html=1`} title="HTML of the message" loading="lazy"></iframe>`;

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
