/** Old months are deleted without reading the others. */
export const up: readonly string[] = ['ALTER TABLE billing_contact_peak ADD KEY period (period)'];
