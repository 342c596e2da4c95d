import { plainText } from './plain-text'

const lure =
  /https?:|www\.|\.(?:com|io|org|net|xyz|app|site|top|gift|claim|finance|live|fun|vip)\b|\b(?:claim|visit|redeem|airdrop|reward)/i

const longestName = 1_024

/** A web address, or a call to claim, visit or redeem. Sees through full-width letters and invisible characters. */
export function lures(text: string): boolean {
  return lure.test(text) || lure.test(plainText(text, longestName).replaceAll('\uFE0F', '').normalize('NFKC'))
}
