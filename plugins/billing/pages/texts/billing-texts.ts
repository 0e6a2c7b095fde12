/** The texts of the billing pages in one language: plain text with {placeholders}. */
export interface BillingTexts {
  readonly invoice: {
    readonly title: string;
    readonly number: string;
    readonly month: string;
    readonly amount: string;
    readonly due: string;
    readonly paidOn: string;
    readonly pdf: string;
    readonly lead: Readonly<
      Record<
        | 'open'
        | 'past_due'
        | 'paid'
        | 'void'
        | 'carried'
        | 'processing'
        | 'confirm'
        | 'noMethod'
        | 'manual'
        | 'unavailable',
        string
      >
    >;
    readonly failed: string;
    readonly pay: string;
    readonly confirm: string;
    readonly addMethod: string;
    readonly otherMethod: string;
  };
  readonly method: {
    readonly title: string;
    readonly pending: string;
    readonly start: string;
    readonly active: string;
    readonly failed: string;
    /** Below the reason, if the page leads nowhere. */
    readonly again: string;
    readonly unavailable: string;
    readonly back: string;
  };
  readonly leaving: { readonly title: string; readonly text: string; readonly button: string };
}
