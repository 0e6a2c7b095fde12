/**
 * The address of the server that this package was installed from, such as https://svc.example.com. Undefined if the
 * package was made by `npm pack`. The server replaces this file (core/surfaces/clients/packages.ts).
 */
export const serverAddress: string | undefined = undefined;
