export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted`: rounded down to 3 decimals (spec §9); `'0.00'` on test and unsupported networks. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }
