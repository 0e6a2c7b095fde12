/** For erasing a contact's texts: without it, each step of an erasure reads every text of the environment. */
export const up: readonly string[] = ['ALTER TABLE sms_message ADD KEY contact (contact_id)'];
