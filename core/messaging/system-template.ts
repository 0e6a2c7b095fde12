import type { Deployment } from '#core/kernel/deployment.js';
import type { Translations } from '#core/kernel/language.js';
import type { SystemTemplateFacts } from '#core/kernel/system-template.js';

/** The texts of one locale. All are Liquid templates. */
export interface EmailTexts {
  readonly subject: string;
  readonly heading: string;
  readonly body: string;
  /** The label of the button that leads to the variable `url`. */
  readonly button?: string;
  readonly footer: string;
}

interface SmsTexts {
  readonly body: string;
}

/**
 * Which budget a system message counts towards (core/messaging/system-budget.ts). No budget can use up another.
 *
 * - `signin`: codes and links that somebody waits for. Refused when the budget is used up.
 * - `invitation`: mail to people who did not ask for it. Refused when the budget is used up.
 * - `confirmation`: mail that asks whether its recipient filled in a form. Refused when the budget is used up, and not
 *   sent to people who reported mail as spam: anybody can enter their address.
 * - `notice`: reports of something that happened. It waits for its turn, and is never dropped.
 * - `answer`: replies to a received text, which are limited by number.
 */
export type SystemBudget = 'signin' | 'invitation' | 'confirmation' | 'notice' | 'answer';

interface TemplateFacts<Channel extends 'email' | 'sms', Texts> extends SystemTemplateFacts {
  readonly channel: Channel;
  readonly budget: SystemBudget;
  /** By BCP 47 tag: contains every language of svc. */
  readonly locales: Translations<Texts> & Readonly<Record<string, Texts>>;
}

export type EmailSystemTemplate = TemplateFacts<'email', EmailTexts>;
export type SmsSystemTemplate = TemplateFacts<'sms', SmsTexts>;

/**
 * A message that svc itself sends on a project's behalf: a sign-in code, an invitation, a notice. Its product declares
 * it in the plugin's `systemTemplates`; it is listed with the project's own templates of its channel and can be
 * overridden there.
 */
export type SystemTemplate = EmailSystemTemplate | SmsSystemTemplate;

const isSystemTemplate = (facts: SystemTemplateFacts): facts is SystemTemplate =>
  (facts.channel === 'email' || facts.channel === 'sms') && 'locales' in facts;

/** By the registry's list. */
const checked = new WeakMap<readonly SystemTemplateFacts[], readonly SystemTemplate[]>();

/**
 * The messages that the enabled products send on a project's behalf. The platform calls this at the start.
 * @throws Error naming a template whose channel is neither email nor sms, or that has no texts
 */
export function systemTemplatesOf({ systemTemplates }: Pick<Deployment, 'systemTemplates'>): readonly SystemTemplate[] {
  const known = checked.get(systemTemplates);
  if (known) return known;
  const templates = systemTemplates.map((facts) => {
    if (!isSystemTemplate(facts))
      throw new Error(
        `The system template ${facts.name} needs the channel email or sms, and texts in \`locales\`; its channel is ${facts.channel}.`,
      );
    return facts;
  });
  checked.set(systemTemplates, templates);
  return templates;
}
