/**
 * The texts to a number are read in one range across environments, to find the environment that an answer is for
 * (plugins/sms/inbound/route.ts).
 */
export const up: readonly string[] = [
  'ALTER TABLE sms_recipient DROP KEY address, ADD KEY address (address_key, environment_id, message_id)',
];
