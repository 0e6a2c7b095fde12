/** An index that finds numbers whose rent is due. */
export const up: readonly string[] = ['ALTER TABLE sms_number ADD KEY rent (status, rent_metered_until, id)'];
