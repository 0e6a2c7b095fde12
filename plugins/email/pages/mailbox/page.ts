import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../settings.js';
import { listMailbox, mailboxFolder, readMailbox, type StoredMail } from '../../mailbox/store.js';
import { attachmentFile, htmlPart, source } from './files.js';
import { mailboxOffView, notFoundView } from './frame.js';
import { listView } from './list.js';
import { messageView } from './message.js';

const perPage = 50;

/** Shows developers the mail that svc would have sent. */
export const mailboxPage: Page = {
  path: '/dev/mailbox',
  methods: ['GET'],
  async answer(page, services) {
    if (isForbidden(page, services)) return notFoundView();
    if (services.deployment.settingsOf(settings).smtpUrl !== undefined) return mailboxOffView();
    const folder = mailboxFolder(services.deployment);
    const id = page.query.get('message');
    if (id === null) return list(folder, page.query.get('before') ?? undefined);
    const mail = await readMailbox(folder, id);
    return mail ? part(mail, page.query) : notFoundView();
  },
};

/** The host must be loopback too: a site whose name resolves to 127.0.0.1 must not read sign-in codes here. */
const loopbackName = /^(localhost|.+\.localhost|127\.0\.0\.1|\[?::1\]?)$/i;
const loopbackAddress = /^(127(\.\d{1,3}){3}|::1)$/;

/** Mail holds sign-in codes, so only requests from this machine see it. */
const isForbidden = ({ forwarded, host, request }: PageRequest, { deployment }: Services): boolean =>
  deployment.production || forwarded || !loopbackAddress.test(request.ip) || !loopbackName.test(host);

async function list(folder: string, before: string | undefined): Promise<PageAnswer> {
  const mails = await listMailbox(folder, { limit: perPage + 1, ...(before === undefined ? {} : { before }) });
  return listView(mails.slice(0, perPage), { folder, more: mails.length > perPage, first: before === undefined });
}

function part(mail: StoredMail, query: URLSearchParams): PageAnswer {
  if (query.has('raw')) return source(mail);
  if (query.has('html')) return htmlPart(mail) ?? notFoundView();
  const attachment = query.get('attachment');
  return attachment === null ? messageView(mail) : (attachmentFile(mail, attachment) ?? notFoundView());
}
