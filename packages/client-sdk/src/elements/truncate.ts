/** First 4 and last 6 characters (spec §9). */
export function truncate(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-6)}`
}
