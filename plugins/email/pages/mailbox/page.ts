import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { isFromDeveloper } from '#core/surfaces/pages/developer-page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { messageKinds, originsOf } from '#core/messaging/origins.js';
import { messageIdOf } from '../../mailbox/message-id.js';
import { settings } from '../../deployment/settings.js';
import {
  clearMailbox,
  idsIn,
  keptMessages,
  listMailbox,
  mailboxFolder,
  readMailbox,
  removeMail,
  type StoredMail,
} from '../../mailbox/store.js';
import { answer, attachmentFile, source } from './files.js';
import { mailboxOffView, mailboxPath, notFoundView } from './frame.js';
import { htmlPart } from './html-part.js';
import { listView } from './list.js';
import { messageView } from './message.js';
import { viewNames } from './views.js';

const perPage = 50;
const longestQuery = 200;

/** Shows developers the mail that svc would have sent. */
export const mailboxPage: Page = {
  path: mailboxPath,
  methods: ['GET', 'POST'],
  startLink: (page, services) =>
    !isFromDeveloper(page, services) || isOff(services)
      ? undefined
      : {
          path: mailboxPath,
          title: 'Mailbox',
          summary: 'The mail that would have been sent. New mail appears automatically.',
        },
  async answer(page, services) {
    if (!isFromDeveloper(page, services)) return notFoundView();
    if (isOff(services)) return mailboxOffView();
    const folder = mailboxFolder(services.deployment);
    if (page.method === 'POST') return change(folder, page);
    if (page.query.has('newest')) return answer((await idsIn(folder))[0] ?? '', 'text/plain; charset=utf-8', {});
    const id = page.query.get('message');
    if (id === null) return list(folder, page.query, services);
    const mail = await readMailbox(folder, id);
    return mail ? part(folder, mail, page.query, services) : notFoundView();
  },
};

const isOff = ({ deployment }: Services): boolean => deployment.settingsOf(settings).smtpUrl !== undefined;

/** Removes one message or all of them. @throws invalid_input for another form */
async function change(folder: string, { form, query }: PageRequest): Promise<PageAnswer> {
  const id = query.get('message');
  if (form.get('do') === 'clear') await clearMailbox(folder);
  else if (form.get('do') === 'delete' && id !== null) await removeMail(folder, id);
  else throw invalidField('do', 'must be clear or delete');
  return seeOther(mailboxPath);
}

async function list(
  folder: string,
  asked: URLSearchParams,
  { database }: Pick<Services, 'database'>,
): Promise<PageAnswer> {
  const before = asked.get('before') ?? undefined;
  const query = (asked.get('q') ?? '').trim().slice(0, longestQuery);
  const words = query.split(/\s+/).filter((word) => word !== '');
  const kind = messageKinds.find((name) => name === asked.get('kind'));
  const ids = await idsIn(folder);
  // The origin of a message is in the database, so a filter checks all messages.
  const found = await listMailbox(folder, { limit: kind === undefined ? perPage + 1 : keptMessages, before, words });
  const origins = await originsOf(
    database,
    'email_message',
    found.flatMap(({ messageId }) => messageId ?? []),
  );
  const mails = found
    .map((mail) => ({ ...mail, origin: origins.get(mail.messageId ?? '') }))
    .filter(({ origin }) => kind === undefined || origin?.kind === kind);
  return listView({
    mails: mails.slice(0, perPage),
    folder,
    newest: ids[0] ?? '',
    total: ids.length,
    more: mails.length > perPage,
    first: before === undefined,
    query,
    kind,
  });
}

async function part(
  folder: string,
  mail: StoredMail,
  query: URLSearchParams,
  { database }: Pick<Services, 'database'>,
): Promise<PageAnswer> {
  if (query.has('raw')) return source(mail);
  if (query.has('html')) return htmlPart(mail) ?? notFoundView();
  const attachment = query.get('attachment');
  if (attachment !== null) return attachmentFile(mail, attachment) ?? notFoundView();
  const ids = await idsIn(folder);
  const at = ids.indexOf(mail.id);
  const chosen = viewNames.find((name) => name === query.get('view'));
  const messageId = messageIdOf(mail.email);
  const origins = await originsOf(database, 'email_message', messageId === null ? [] : [messageId]);
  const neighbours = { newer: ids[at - 1], older: at < 0 ? undefined : ids[at + 1] };
  return messageView(mail, chosen, { ...neighbours, messageId, origin: origins.get(messageId ?? '') });
}
