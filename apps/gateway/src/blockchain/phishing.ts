import { plainText } from './plain-text'

const phishing =
  /https?:|www\.|\.(?:com|io|org|net|xyz|app|site|top|gift|claim|finance|live|fun|vip)\b|\b(?:claim|visit|redeem|airdrop|reward)/i

const maxNameLength = 1_024

/** A web address, or a call to claim, visit or redeem. Sees through full-width letters and invisible characters. */
export function isPhishing(text: string): boolean {
  return phishing.test(text) || phishing.test(plainText(text, maxNameLength).replaceAll('\uFE0F', '').normalize('NFKC'))
}
