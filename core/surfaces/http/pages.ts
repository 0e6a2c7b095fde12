import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Page, PageAnswer, PageRequest, PageCall, PageCallOptions } from '#core/kernel/page.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { Services } from '#core/kernel/services.js';
import { operationLink, referenceRoot } from '../reference/anchors.js';
import { addressPage } from '../pages/address-page.js';
import { errorPage } from '../pages/error-page.js';
import type { WithBody } from './body.js';
import { readCookies, setCookieHeader } from './cookies.js';
import { formFields, isFromOwnPage, requireOwnForm } from './form.js';
import { header } from './headers.js';
import { asRefusal } from './refusals.js';
import { isForwarded } from './request-facts.js';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import { at } from '#core/runtime/json.js';

const formLimit = 64 * 1024;

/** Request headers that pages may read. Authorization and Cookie are not among them. */
const readableHeaders = [
  'accept-language',
  'content-type',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
];

interface PageVisit {
  request: RequestFacts;
  params: Readonly<Record<string, string>>;
  withBody: WithBody;
}

/** Answers a page's address; an error that the page throws is shown on the shared error page. */
export async function answerPage(context: Context, page: Page, services: Services, visit: PageVisit): Promise<void> {
  const method = context.method === 'HEAD' ? 'GET' : context.method;
  if ((method !== 'GET' && method !== 'POST') || !page.methods.includes(method)) {
    context.status = 405;
    context.set('Allow', page.methods.join(', '));
    context.body = `This page answers ${page.methods.join(' and ')} only.\n`;
    return;
  }
  const https = services.deployment.baseUrl.startsWith('https:');
  const answer = await pageAnswer(context, page, services, { ...visit, method, https });
  write(context, answer);
  // Under no-referrer a browser would send `Origin: null` with the page's own form, just as with the form of a hostile
  // site.
  if (isProtected(page)) context.set('Referrer-Policy', 'same-origin');
  if (answer.cookies)
    context.set(
      'Set-Cookie',
      answer.cookies.map((cookie) => setCookieHeader(cookie, https)),
    );
}

function write(context: Context, { status, type, headers, body }: PageAnswer): void {
  context.status = status;
  context.set('Content-Type', type ?? 'text/html; charset=utf-8');
  context.set({ ...headers });
  context.body = body;
}

/**
 * Shows a refusal to a person who opened an address that is not a page.
 * @param operation the operation at this address, if there is one
 */
export function answerPerson(context: Context, refusal: SvcError, requestId: string, operation?: string): void {
  const languages = context.acceptsLanguages();
  const reference = operation === undefined ? referenceRoot : operationLink(operation);
  write(context, addressPage({ refusal, requestId, languages, reference }));
  if (refusal.status === 405) context.set('Allow', 'POST');
}

const isProtected = (page: Page): boolean => page.methods.includes('POST') && page.acceptsCrossSitePosts !== true;

async function pageAnswer(
  context: Context,
  page: Page,
  services: Services,
  { request, params, withBody, method, https }: PageVisit & { method: 'GET' | 'POST'; https: boolean },
): Promise<PageAnswer> {
  const languages = context.acceptsLanguages();
  try {
    if (method === 'POST' && isProtected(page)) requireOwnForm(context, services.deployment.baseUrl);
    const type = header(context, 'Content-Type');
    const form =
      method === 'POST'
        ? await withBody(context.req, { limit: formLimit, request }, async (bytes) => formFields(bytes, type))
        : new URLSearchParams();
    const pageRequest = { ...pageRequestOf(context, services, { request, params, https }), method, form };
    return await page.answer(pageRequest, services);
  } catch (error) {
    const { requestId } = request;
    const refusal = asRefusal(error, requestId, services.log);
    services.log.info({ requestId, page: page.path, status: refusal.status, code: refusal.code }, 'refused');
    return errorPage({ refusal, requestId, languages });
  }
}

/** A request as pages see it, with an empty form: the body is not read. */
export const pageRequestOf = (
  context: Context,
  services: Services,
  { request, params, https }: Pick<PageVisit, 'request' | 'params'> & { https: boolean },
): PageRequest => ({
  method: context.method === 'POST' ? 'POST' : 'GET',
  path: context.path,
  params,
  query: context.URL.searchParams,
  form: new URLSearchParams(),
  headers: Object.fromEntries(
    readableHeaders.flatMap((name) => {
      const value = header(context, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  cookies: readCookies(context.get('Cookie'), https),
  forwarded: isForwarded(context.req),
  host: context.hostname,
  fromOwnPage: isFromOwnPage(context, services.deployment.baseUrl),
  languages: context.acceptsLanguages(),
  request,
  call: pageCallFor(services, request),
});

/** The implementation of `page.call` for one request. */
function pageCallFor(services: Services, request: RequestFacts): PageCall;
function pageCallFor(services: Services, request: RequestFacts): unknown {
  return async (operation: Operation | string, input: unknown, options: PageCallOptions = {}): Promise<unknown> => {
    const name = typeof operation === 'string' ? operation : operation.name;
    const answer = await services.call({
      // As this deployment has it: fields that need another product are absent without that one.
      operation: services.catalogue.at(pathOf(name)),
      input,
      bearer: undefined,
      idempotencyKey: options.idempotencyKey,
      environmentId: undefined,
      request: options.via === undefined ? request : { ...request, via: options.via },
      inProcess: { environment: options.environment, limits: options.limits, repeatKey: options.repeatKey },
    });
    const envelope: unknown = JSON.parse(answer.body);
    return at(envelope, 'result');
  };
}
