/** The meters. */
export const meters = [
  'email.message',
  'email.broadcast_message',
  'sms.segment',
  'sms.number_month',
  'auth.monthly_active_user',
  'audience.contact',
] as const;
export type Meter = (typeof meters)[number];
