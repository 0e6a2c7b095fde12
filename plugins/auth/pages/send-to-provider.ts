import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { flowCookie, type Flow } from './flow.js';
import { view } from './parts.js';
import type { Visit } from './visit.js';

/**
 * Sends the browser to a provider. Not by a redirect: browsers check those of a form against the page's form-action, and a provider may
 * send the browser on to any address of its own.
 */
export function sendToProvider(visit: Visit, address: string, flow: Flow): PageAnswer {
  const { common, signin } = visit.texts;
  const answer = view(visit, {
    title: signin.title,
    cookies: [flowCookie(visit, flow)],
    body: html`<div class="card">
      <p><a class="button" href=${address}>${common.continue}</a></p>
    </div>`,
  });
  return { ...answer, headers: { ...answer.headers, Refresh: `0; url=${address}` } };
}
