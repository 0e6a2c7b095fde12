/** What others wrote, safe to show: a name with escape sequences must not drive the reader's terminal. Line breaks stay. */
export const plain = (text: string): string => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

/** The same on one line. */
export const oneLine = (text: string): string => plain(text.replace(/[\r\n\t]+/g, ' '));
