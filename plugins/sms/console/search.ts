import { addressOf, has, type Found } from '#core/surfaces/console/kit/index.js';
import { isAnswerable } from './parties.js';

/** The conversation with a number, whoever has it. */
export default function search(query: string): Promise<readonly Found[]> {
  const number = plainNumber(query);
  return Promise.resolve(
    isAnswerable(number) && has('sms.inbound.list')
      ? [
          {
            group: 'Texts',
            icon: 'message' as const,
            title: `Conversation with ${number}`,
            href: addressOf(['sms', 'conversation', number]),
          },
        ]
      : [],
  );
}

/** A number as people write it, in E.164: `0049 171/39200` is +4917139200. */
export const plainNumber = (written: string): string => written.replace(/[\s()./-]/g, '').replace(/^00/, '+');
