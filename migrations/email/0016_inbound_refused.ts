/** For deleting the addresses of refused mail once its event is deleted. */
export const up: readonly string[] = ['ALTER TABLE email_inbound_address ADD KEY role (role, inbound_id)'];
