/** Each table of the database is in one of the two lists. */

/** Referenced tables first. */
export const savedTables = [
  'projects',
  'users',
  'devices',
  'address_changes',
  'wallets',
  'share_keys',
  'auth_shares',
  'recovery_shares',
  'recoveries',
  'share_proofs',
  'wallet_ends',
  'names',
  'analytics_events',
  'analytics_counts',
  'audit_log',
] as const
export type SavedTable = (typeof savedTables)[number]

/** May go to a separate file, which the operator deletes after days. */
export const dataKeysTable: SavedTable = 'share_keys'

/**
 * An old copy would open these again. Without `siwx_keys` no earlier wallet sign-in is valid, so lists of ended ones
 * are not needed.
 */
export const unsavedTables = [
  'sessions',
  'email_flows',
  'codes',
  'email_changes',
  'rate_limits',
  'social_flows',
  'siwx_keys',
  'siwx_nonces',
  'siwx_revoked',
  'siwx_proofs',
  'operator_sign_ins',
  'operator_sessions',
] as const

/** A waiting recovery must be requested again, and wait again. */
export const savedRows: Partial<Record<SavedTable, string>> = { recoveries: 'opened_at is not null' }
