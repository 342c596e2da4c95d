export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted`: spec §9, rounded down to 3 decimals; `'0.00'` on test and unsupported networks. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }
