import type { Context } from 'koa';
import { refusalOf } from '#core/kernel/errors/common.js';

/**
 * Refuses a form that another site made the browser post (CSRF). Browsers send Sec-Fetch-Site to https and loopback
 * addresses, and Origin in the other cases; a client that sends neither is not a browser and has nobody's cookies.
 * @throws forbidden
 */
export function requireOwnForm(context: Context, baseUrl: string): void {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  const isOwn =
    site === ''
      ? origin === '' || origin === new URL(baseUrl).origin || hostOf(origin) === context.host
      : site === 'same-origin' || site === 'none';
  if (!isOwn)
    throw refusalOf.forbidden({
      problem: 'the form was sent from another site',
      nextStep: 'Open this page itself, and send its form from there.',
    });
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
