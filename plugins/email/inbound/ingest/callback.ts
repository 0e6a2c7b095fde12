import type { Callback, CallbackAnswer } from '#core/kernel/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { shardParameter } from '#core/runtime/shard.js';
import type { ReportOutcome } from '../../bounces/report.js';
import { settings } from '../../deployment/settings.js';
import { recordBounceReport } from '../mail-report.js';
import { askedToRepeat } from '../busy.js';
import { receiveMail, type Received } from '../receive.js';
import { fixOf, refuse } from '../refuse.js';
import { routeOf } from '../route.js';
import { makeRefusal } from './refusals.js';
import { mostRequestBytes, readIngest, type IngestRequest } from './request.js';

/**
 * Takes received mail from a mail provider: one message for one envelope recipient. 200 means that the message was
 * processed and must not be delivered again: `stored` contains its id, `refused` states why it was not accepted,
 * `recorded` means that it was a bounce or complaint about one of our messages, `repeated` that this was recorded
 * before, `ignored` that it was sent to a return path and reports nothing about its recipient.
 */
export const ingestCallback: Callback = {
  path: '/v1/inbound/ingest',
  bodyLimit: mostRequestBytes,
  admit: ({ headers }, services) => authorize(headers['authorization'], services),
  async answer({ headers, rawBody, query }, services) {
    const request = readIngest({ headers, rawBody });
    const received = await ingest(services, request);
    if (received.kind === 'no_sender') throw makeRefusal.inbound_no_sender();
    if (received.kind === 'refused') requireOwnRecipient(services, received, query);
    if (received.kind === 'refused')
      return answer({ status: 'refused', reason: received.reason, fix: fixOf(received.reason) });
    if (received.kind === 'report') return answer({ status: received.outcome });
    return answer({ status: 'stored', inboundId: received.stored[0]?.inboundId });
  },
};

/**
 * With several shards, mail for an unknown domain or return path may be for another shard, if the address that the
 * provider calls does not name one. The provider keeps it then, until the operator has corrected the address.
 * @throws unavailable
 */
function requireOwnRecipient(
  { deployment }: Services,
  { reason }: Extract<Received, { kind: 'refused' }>,
  query: URLSearchParams,
): void {
  const { shard, shards } = deployment.settings;
  if (reason !== 'unknown_recipient' || shards.length < 2 || query.has(shardParameter)) return;
  throw refusalOf.unavailable({
    problem: `shard ${shard} has no domain for this recipient, and the address that was called does not name a shard; the operator must register ${deployment.baseUrl}/v1/inbound/ingest?${shardParameter}=N for the mail of shard N`,
  });
}

const answer = (body: object): CallbackAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  type: 'application/json',
});

/** @throws callback_rejected unless the request contains SVC_INBOUND_SECRET */
function authorize(authorization: string | undefined, { deployment }: Services): void {
  const { inboundSecret } = deployment.settingsOf(settings);
  if (inboundSecret === undefined)
    throw refusalOf.callback_rejected({
      problem: 'this deployment does not accept mail here',
      nextStep: 'Set SVC_INBOUND_SECRET and restart the server.',
    });
  const given = /^Bearer +([^ ].*)/i.exec(authorization ?? '')?.[1]?.trim() ?? '';
  if (!equalBytes(sha256(given), sha256(inboundSecret)))
    throw refusalOf.callback_rejected({
      problem: 'the bearer token is missing or wrong',
      nextStep: 'Send the header "Authorization: Bearer <SVC_INBOUND_SECRET>".',
    });
}

async function ingest(
  services: Services,
  request: IngestRequest,
): Promise<Received | { kind: 'report'; outcome: ReportOutcome }> {
  const { envelopeTo, raw, client } = request;
  const envelopeFrom = request.envelopeFrom ?? '';
  const route = await services.read('Inbound mail', (context) => routeOf(context, envelopeTo));
  if (route.kind === 'refused') {
    if (route.environment)
      await refuse(services, route.environment, { envelopeFrom, envelopeTo, reason: route.reason });
    return { kind: 'refused', reason: route.reason, problem: '' };
  }
  if (route.kind === 'return_path') {
    const outcome = await recordBounceReport(services, { envelopeTo, raw }).catch(askedToRepeat);
    if (outcome === 'early') throw refusalOf.unavailable({ problem: 'the message that it reports is being sent' });
    return { kind: 'report', outcome };
  }
  const { environment } = route;
  return receiveMail(services, {
    environment,
    recipients: [envelopeTo],
    envelopeFrom: request.envelopeFrom,
    raw,
    client,
  }).catch(askedToRepeat);
}
