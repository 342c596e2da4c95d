import { parse } from 'tldts'
import { plainText } from './plain-text'

const lure = /https?:|www\.|\b(?:claim|visit|redeem|airdrop|reward)/i
const hostName = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu

const maxNameLength = 1_024

/** A token or collectible, by its own text. */
export type Named = { readonly name: string; readonly symbol: string }

/** A web address, or a call to claim, visit or redeem; also in full-width or invisible characters. */
export function isPhishing(text: string): boolean {
  const shown = plainText(text, maxNameLength).replaceAll('\uFE0F', '').normalize('NFKC')
  // Browsers read the ideographic full stop in a host name as a point.
  return hasLure(text) || hasLure(shown.replaceAll('\u3002', '.'))
}

export function isLure({ name, symbol }: Named): boolean {
  return isPhishing(name) || isPhishing(symbol)
}

function hasLure(text: string): boolean {
  return lure.test(text) || (text.slice(0, maxNameLength).match(hostName) ?? []).some(isHost)
}

/** By the public suffix list. */
function isHost(text: string): boolean {
  const { domain, isIcann } = parse(text)
  return domain !== null && isIcann === true
}
