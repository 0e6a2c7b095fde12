import type { Services } from '#core/kernel/services.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import type { ReceivedText } from '../providers/provider.js';
import { destinationsOf, environmentsWithTextsTo } from './route.js';
import { storeText } from './store.js';

/** Ten times the length of the longest text. A text that is too long for its column is cut. */
const longestBody = 16_000;

/** Maximum bytes of a number, as its columns hold it. */
const longestNumber = 20;

/** Cut if it is too long. Invalid characters are replaced by U+FFFD, as it is stored. */
const storable = (body: string): string => Buffer.from(body.slice(0, longestBody)).toString();

/** A number as it is stored and compared: in E.164 if possible; short codes and names unchanged. */
const numberOf = (text: string): string => {
  const parsed = parsePhone(text.trim());
  return parsed.ok ? parsed.number : cutTo(text.trim(), longestNumber);
};

/** The beginning of a text, up to a number of bytes. */
function cutTo(text: string, bytes: number): string {
  const characters = Array.from(storable(text.slice(0, bytes)));
  while (Buffer.byteLength(characters.join('')) > bytes) characters.pop();
  return characters.join('');
}

/**
 * Takes a received text: stores it, applies its keyword and answers it. Once it returns, all of this is committed. A
 * text that the provider delivers again changes nothing. Each environment has a separate transaction. If one fails, the
 * provider gets an error and may deliver the text again; environments that have stored it change nothing.
 *
 * Who gets it: route.ts. How it is stored, once: store.ts. Its keyword: keywords/match.ts, apply-keyword.ts, and the
 * port textChoices of audience. The reply: reply.ts.
 * @returns the ids under which it is stored, first the id in the environment that it is for; empty if it is for no
 * environment
 */
export async function receiveText(
  services: Pick<Services, 'read' | 'transaction' | 'log' | 'deployment'>,
  provider: string,
  received: ReceivedText,
): Promise<string[]> {
  const text = {
    provider,
    providerId: received.providerId,
    from: numberOf(received.from),
    to: numberOf(received.to),
    body: storable(received.body),
  };
  const known = await services.read('Received texts', (context) => destinationsOf(context, text));
  if (known.length === 0)
    services.log.warn(
      { to: text.to },
      'a text arrived for no environment: the number belongs to none, and none has texted the sender from it',
    );
  const destinations =
    known.length > 0
      ? known
      : await services.read('Received texts', (context) => environmentsWithTextsTo(context, text.from));
  const stored: string[] = [];
  for (const [index, destination] of destinations.entries()) {
    const inboundId = await services.transaction('Received texts', (context) => {
      context.actIn(destination.environment);
      return storeText(context, destination, text, { isFirst: index === 0 });
    });
    if (inboundId !== null) stored.push(inboundId);
  }
  return stored;
}
