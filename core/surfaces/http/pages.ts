import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Page } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { readBody } from './body.js';
import { formFields } from './form.js';
import { header } from './headers.js';
import { isForwarded } from './request-facts.js';

const formLimit = 64 * 1024;

/** Answers a page's address. */
export async function answerPage(
  context: Context,
  page: Page,
  services: Services,
  request: RequestFacts,
): Promise<void> {
  const method = context.method === 'HEAD' ? 'GET' : context.method;
  if ((method !== 'GET' && method !== 'POST') || !page.methods.includes(method)) {
    context.status = 405;
    context.set('Allow', page.methods.join(', '));
    context.body = `This page answers ${page.methods.join(' and ')} alone.\n`;
    return;
  }
  const form = method === 'POST' ? await readBody(context.req, formLimit) : Buffer.alloc(0);
  const answer = await page.answer(
    {
      method,
      path: page.path,
      query: context.URL.searchParams,
      form: formFields(form, header(context, 'Content-Type')),
      forwarded: isForwarded(context.req),
      host: context.hostname,
      languages: context.acceptsLanguages(),
      request,
    },
    services,
  );
  context.status = answer.status;
  context.set('Content-Type', answer.type ?? 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(answer.headers ?? {})) context.set(name, value);
  context.body = answer.body;
}
