/** The app’s state and PKCE challenge, which bind a sign-in to the browser that started it (docs/sign-in.md). */
export const up: readonly string[] = [
  ...['auth_challenge', 'auth_oauth_state'].map(
    (table) =>
      `ALTER TABLE ${table} ADD COLUMN app_state VARBINARY(256) NULL, ADD COLUMN app_challenge VARBINARY(43) NULL`,
  ),
  'ALTER TABLE auth_handoff ADD COLUMN app_challenge VARBINARY(43) NULL',
];
