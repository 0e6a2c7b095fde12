import type { Callback, CallbackAnswer, CallbackRequest } from '#core/kernel/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { parseJson } from '#core/runtime/json.js';
import type { ReportOutcome } from '../bounces/report.js';
import { findReturnPath } from '../bounces/return-path.js';
import { askedToRepeat } from '../inbound/busy.js';
import { recordBounceReport } from '../inbound/mail-report.js';
import type { ProviderAdapter } from './adapter.js';
import { admit, isMail } from './admit.js';
import { brevo } from './brevo.js';
import { mailgun } from './mailgun.js';
import { postmark } from './postmark.js';
import { recordEvents } from './record-events.js';
import { sendgrid } from './sendgrid.js';
import { ses } from './ses.js';
import { requireSharedSecret } from './shared-secret.js';

/** Adapters that recognize their callbacks by a header come first. */
const adapters: readonly ProviderAdapter[] = [ses, sendgrid, mailgun, postmark, brevo];

type Counts = Record<ReportOutcome, number>;

/**
 * Takes the reports of mail providers about sent mail, and bounces that a mail server forwards. 200 means that the
 * callback was processed and need not be sent again, even if it is about nothing that this deployment sent.
 */
export const emailCallback: Callback = {
  path: '/v1/callbacks/email',
  bodyLimit: 4 * 1024 * 1024,
  admit,
  async answer(request, services) {
    return answerFor(await (isMail(request) ? takeMail(request, services) : takeEvents(request, services)));
  },
};

async function takeMail(request: CallbackRequest, services: Services): Promise<Counts> {
  requireSharedSecret(request, services);
  const { headers, rawBody: raw } = request;
  // The return path authenticates itself, so the mail's own headers may name it too.
  const envelopeTo = headers['x-svc-envelope-to'] ?? findReturnPath(raw) ?? '';
  const outcome = await recordBounceReport(services, { envelopeTo, raw }).catch(askedToRepeat);
  return { recorded: 0, repeated: 0, early: 0, ignored: 0, [outcome]: 1 };
}

async function takeEvents(request: CallbackRequest, services: Services): Promise<Counts> {
  const call = { ...request, json: parseJson(request.rawBody.toString('utf8')) };
  const adapter = adapters.find((each) => each.recognizes(call));
  if (!adapter && call.json === undefined) throw refusalOf.invalid_json({ problem: 'it is truncated, or not JSON' });
  if (!adapter)
    throw refusalOf.callback_rejected({
      problem: 'its format does not match any supported provider',
      nextStep: `Send callbacks of ${adapters.map(({ name }) => name).join(', ')}, or bounces as message/rfc822.`,
    });
  return recordEvents(services, await adapter.read(call, services));
}

/** @throws unavailable if a report arrived before its message was recorded as sent: providers send it again */
function answerFor({ early, ...counts }: Counts): CallbackAnswer {
  if (early > 0) throw refusalOf.unavailable({ problem: 'it reports a message that is still being sent' });
  return { status: 200, body: JSON.stringify(counts), type: 'application/json' };
}
