/** Satoshis per virtual byte, as a wallet is told, of satoshis per 1,000. A rate is no amount: it has three decimals at most. */
export function perByte(rate: bigint): number {
  return Number(rate) / 1000
}
