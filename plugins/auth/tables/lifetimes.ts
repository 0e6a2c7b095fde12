/** How many minutes a started proof remains valid (docs/sign-in.md). */
export const minutes = {
  code: 10,
  link: 15,
  secondFactor: 10,
  passkey: 5,
  oauth: 10,
  device: 10,
} as const;
