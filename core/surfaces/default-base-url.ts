/** The address of a server with default settings. */
export const defaultBaseUrl = 'http://127.0.0.1:8080';
