/**
 * The project that members sign in to. Its slug is unique in the deployment; a one-time deletion may read a table of
 * the product account.
 */
const dashboard = "(SELECT id FROM account_project WHERE slug = 'dashboard')";

/**
 * The project that members sign in to is no longer metered. Its usage in months that are not closed is deleted: first
 * the rows that a roll-up would still add to the totals, then the totals. Issued invoices do not change. The spending
 * of these months is computed again, because without a digest their amounts do not match the present prices.
 */
export const up: readonly string[] = [
  `DELETE FROM billing_usage WHERE is_rolled_up = 0 AND project_id IN ${dashboard}`,
  `DELETE FROM billing_usage_total WHERE project_id IN ${dashboard} AND NOT EXISTS (
     SELECT 1 FROM billing_month m
     WHERE m.account_id = billing_usage_total.account_id AND m.period = billing_usage_total.period AND m.closed_at IS NOT NULL)`,
  `UPDATE billing_month SET prices_digest = NULL
   WHERE closed_at IS NULL AND account_id IN (SELECT account_id FROM account_project WHERE slug = 'dashboard')`,
];
