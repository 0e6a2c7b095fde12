import type { PersonEraser } from '#core/kernel/person.js';
import type { Services } from '#core/kernel/services.js';
import { eraser as contactEraser } from './contacts/erase.js';
import { screenNextPart } from './imports/screen.js';

/** Erases what audience stores about a person beside the contact: events, suppressed addresses, waiting imports. */
export const eraser = (services: Services): PersonEraser => {
  const contact = contactEraser(services);
  return {
    async step(person, context) {
      const erased = await contact.step(person, context);
      return erased.done > 0 ? erased : screenNextPart(person, context);
    },
  };
};
