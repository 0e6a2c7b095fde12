/** What a security notice reports. Each is a system template, `auth.notice.<kind>`. */
export const noticeKinds = [
  'password_set',
  'password_changed',
  'password_removed',
  'factor_activated',
  'factor_replaced',
  'factor_removed',
  'recovery_regenerated',
  'recovery_used',
  'passkey_added',
  'passkey_removed',
  'primary_changed',
  'identity_added',
  'identity_removed',
  'new_device',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The words of one notice: `{{ what }}` is the passkey's, factor's or device's name, or the address. */
export interface NoticeWords {
  readonly subject: string;
  readonly body: string;
}

/** The texts of sign-in mails in one language. */
export interface MailTexts {
  readonly code: { readonly subject: string; readonly heading: string; readonly body: string; readonly footer: string };
  readonly link: {
    readonly subject: string;
    readonly heading: string;
    readonly body: string;
    readonly button: string;
    readonly footer: string;
  };
  readonly verifyAddress: {
    readonly subject: string;
    readonly heading: string;
    readonly body: string;
    readonly footer: string;
  };
  readonly notices: Readonly<Record<NoticeKind, NoticeWords>>;
  /** Below each notice: when and from where. */
  readonly facts: string;
  /** What to do if it was somebody else. */
  readonly noticeFooter: string;
  /** The sign-in code as a text message. */
  readonly sms: string;
}
