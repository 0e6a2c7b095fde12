/** The numbers whose rent is due are found without reading the others. */
export const up: readonly string[] = ['ALTER TABLE sms_number ADD KEY rent (status, rent_metered_until, id)'];
