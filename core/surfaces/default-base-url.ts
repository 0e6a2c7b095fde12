/** Where a svc listens that nobody told otherwise. */
export const defaultBaseUrl = 'http://127.0.0.1:8080';
