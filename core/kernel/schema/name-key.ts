/** The form of a name that comparisons use: names that people read as equal have the same key. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().trim();
