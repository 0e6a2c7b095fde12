import type { Address } from 'postal-mime';
import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import type { Origin } from '#core/messaging/origins.js';
import { bccOf, type StoredMail } from '../../mailbox/store.js';
import { bytesOf } from './files.js';
import { mailboxPath, page, subjectOf } from './frame.js';
import { ago, exactTime } from '#core/surfaces/pages/time.js';
import { sizeOf, viewOf, viewsOf, type ViewName } from './views.js';

/** What a message's page shows next to the message. */
export interface Surroundings {
  /** The ids of the messages before and after it. */
  newer: string | undefined;
  older: string | undefined;
  messageId: string | null;
  origin: Origin | undefined;
}

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

/** One message: its sender and recipients, then its content, one part at a time. */
export function messageView(mail: StoredMail, chosen: ViewName | undefined, around: Surroundings): PageAnswer {
  const { id, at, email } = mail;
  const { messageId, origin } = around;
  const { from, to = [], cc = [], replyTo = [], subject, attachments } = email;
  const views = viewsOf(mail);
  const current = views.find(({ name }) => name === chosen) ?? views[0];
  return page({
    title: subject ?? '(no subject)',
    body: html`
      <div class="bar">
        <nav class="turn" aria-label="Mailbox">
          <a href=${mailboxPath}>← Mailbox</a>
          ${around.newer !== undefined && html`<a href=${`?message=${around.newer}`}>Newer</a>`}
          ${around.older !== undefined && html`<a href=${`?message=${around.older}`}>Older</a>`}
        </nav>
        <form method="post"><button class="quiet" name="do" value="delete">Delete</button></form>
      </div>
      <article class="card mail">
        <h1>${subjectOf(subject)}</h1>
        <dl class="about">
          ${fact('From', from ? people([from]) : '')} ${fact('To', people(to))} ${fact('Cc', people(cc))}
          ${fact('Bcc', bccOf(mail).join(', '))} ${fact('Reply to', people(replyTo))}
          ${fact('Received', [ago(at), `, ${exactTime(at)}`])}
          ${
            origin && [
              fact('Sent by', sentBy(origin)),
              fact('Template', origin.template ?? ''),
              fact('Topic', origin.topic ?? ''),
              fact('For', `the ${origin.environment} environment`),
            ]
          }
          ${fact('Message', messageId === null ? '' : html`<code>${messageId}</code>`)}
        </dl>
        ${
          attachments.length > 0 &&
          html`<ul class="files" aria-label="Attachments">
            ${attachments.map(
              (file, index) =>
                html`<li>
                  <a href=${`?message=${id}&attachment=${index}`} download
                    ><bdi>${file.filename ?? `attachment-${index}`}</bdi></a
                  >
                  <span class="muted">${file.mimeType}, ${sizeOf(bytesOf(file).length)}</span>
                </li>`,
            )}
          </ul>`
        }
        <nav class="tabs" aria-label="Parts of the message">
          ${views.map(
            ({ name, label }) =>
              html`<a href=${`?message=${id}&view=${name}`} aria-current=${name === current?.name ? 'page' : undefined}
                >${label}</a
              >`,
          )}
        </nav>
        ${current && viewOf(mail, current.name)}
      </article>
    `,
  });
}

/** The message's sender: for a broadcast or an automation, the operation that shows it, and its id. */
function sentBy({ kind, id }: Origin): Markup {
  if (kind === 'single') return 'A single message';
  if (kind === 'system') return 'svc itself, for the project';
  return html`${kind === 'broadcast' ? 'A broadcast ' : 'An automation '} (<code>email.${kind}.get</code>${' '}
    <code>${id ?? ''}</code>)`;
}
