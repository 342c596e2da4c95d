import { plainText } from './plain-text'

const lure =
  /https?:|www\.|\.(?:com|io|org|net|xyz|app|site|top|gift|claim|finance|live|fun|vip)\b|\b(?:claim|visit|redeem|airdrop|reward)/i

/** Of a name as far as it is looked at. */
const longestName = 1_024

/**
 * Whether a stranger's name holds an address of the web, or calls to claim, visit or redeem. Letters of another width, and what cannot be seen between them, hide
 * nothing.
 */
export function lures(text: string): boolean {
  return lure.test(text) || lure.test(plainText(text, longestName).replaceAll('\uFE0F', '').normalize('NFKC'))
}
