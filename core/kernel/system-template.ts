/** The texts of one locale. All are Liquid templates. */
export interface EmailTexts {
  readonly subject: string;
  readonly heading: string;
  readonly body: string;
  /** The label of the button that leads to the variable `url`. */
  readonly button?: string;
  readonly footer: string;
}

export interface SmsTexts {
  readonly body: string;
}

interface TemplateFacts<Channel extends 'email' | 'sms', Texts> {
  /** `account.member.invite`: begins with its product's name. */
  readonly name: string;
  readonly channel: Channel;
  /** When it is sent, for the list of templates. */
  readonly description: string;
  /** Variables that every text may use. */
  readonly variables: readonly string[];
  /** Those that an override must use, such as a code or the link: without them the message is of no use. */
  readonly requiredVariables: readonly string[];
  /** By BCP 47 tag; `en` is always there. */
  readonly locales: Readonly<Record<string, Texts>>;
}

export type EmailSystemTemplate = TemplateFacts<'email', EmailTexts>;
export type SmsSystemTemplate = TemplateFacts<'sms', SmsTexts>;

/**
 * A message that svc itself sends on a project's behalf: a sign-in code, an invitation, a notice. Its product declares it in the plugin's
 * `systemTemplates`; it is listed with the project's own templates of its channel and can be overridden there.
 */
export type SystemTemplate = EmailSystemTemplate | SmsSystemTemplate;

/** A variable of a system template without line breaks: subjects hold names, which come from people and browsers, and must be one line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
