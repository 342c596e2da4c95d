/** Satoshis per 1,000 vbytes as satoshis per vbyte, for wallets; at most three decimals. */
export function satoshisPerVbyte(rate: bigint): number {
  return Number(rate) / 1000
}
