/** A name as it is compared: two people would call them the same. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().trim();
