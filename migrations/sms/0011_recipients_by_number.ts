/**
 * The texts to a number are read in one range, whichever environments they are of: who is meant by an answer
 * (plugins/sms/inbound/route.ts).
 */
export const up: readonly string[] = [
  'ALTER TABLE sms_recipient DROP KEY address, ADD KEY address (address_key, environment_id, message_id)',
];
