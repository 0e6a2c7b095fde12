/** The `source` of consent records that a text made. */
export const stopSource = 'STOP by text';
export const startSource = 'START by text';
