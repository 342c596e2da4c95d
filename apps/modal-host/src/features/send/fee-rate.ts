/** Satoshis per 1,000 vbytes to satoshis per vbyte, for wallets. Not an amount: at most three decimals. */
export function satoshisPerVbyte(rate: bigint): number {
  return Number(rate) / 1000
}
