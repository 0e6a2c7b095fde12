/**
 * What the registry checks about a message that svc sends on a project's behalf (core/messaging/system-template.ts).
 */
export interface SystemTemplateFacts {
  /** `account.member.invite`: begins with its product's name. */
  readonly name: string;
  readonly channel: string;
  /** When the message is sent, for the list of templates. */
  readonly description: string;
  /** Variables that every text may use. */
  readonly variables: readonly string[];
  /** Variables that an override must use, such as a code or the link: without them the message is useless. */
  readonly requiredVariables: readonly string[];
}
