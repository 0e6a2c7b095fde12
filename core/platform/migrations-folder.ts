import { fileURLToPath } from 'node:url';

/** Where the migrations of core and of every product are. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));
