/** A reply to an SMTP command other than success: code and text, with the enhanced status code (RFC 3463) first. */
export class SmtpReply extends Error {
  override readonly name = 'SmtpReply';
  constructor(
    /** As smtp-server reads it. */
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

export const tryLater = (): SmtpReply => new SmtpReply(451, '4.3.0 Not accepted, please try again later');
