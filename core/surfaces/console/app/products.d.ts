/** Made by scripts/build-console.ts: what the products add to the console, by product. */
declare module 'svc-console-products' {
  import type { ProductConsole } from '#core/surfaces/console/kit/screen.js';
  export const products: Readonly<Record<string, ProductConsole>>;
}
declare module 'svc-console-font' {
  const address: string;
  export default address;
}
declare module '*.css' {}
