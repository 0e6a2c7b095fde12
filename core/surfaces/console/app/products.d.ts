/** Made by scripts/build-console.ts: the screens of the products that have some, by product. */
declare module 'svc-console-products' {
  import type { Screen } from '#core/surfaces/console/kit/screen.js';
  export const products: Readonly<Record<string, readonly Screen[]>>;
}
declare module 'svc-console-font' {
  const address: string;
  export default address;
}
declare module '*.css' {}
