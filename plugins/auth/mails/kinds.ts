/** What a security notice reports. Each kind is a system template, `auth.notice.<kind>`. */
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

/** The texts of one notice: `{{ what }}` is the name of the passkey, factor or device, or the address. */
interface NoticeWords {
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
  /** Shown below each notice: the time and place. */
  readonly facts: string;
  /** What to do if another person made the change. */
  readonly noticeFooter: string;
  /** The sign-in code as a text message. */
  readonly sms: string;
}
