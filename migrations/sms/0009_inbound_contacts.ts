/** For erasing a contact's texts. */
export const up: readonly string[] = ['ALTER TABLE sms_inbound ADD KEY contact (contact_id)'];
