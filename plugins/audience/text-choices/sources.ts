/** The `source` of consent records made by a text. */
export const stopSource = 'STOP by text';
export const startSource = 'START by text';
