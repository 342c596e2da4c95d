import type { WalletIdentity } from '../../connector'

/** Shorter names are part of too many others. */
const minNameLength = 3

/**
 * The wallet's own name, if any, with the row's image, unless another wallet responded. A wallet's own image would
 * cause a request.
 */
export function identityOf(row: WalletIdentity, peerName: string): WalletIdentity {
  // Control and bidi characters disguise names.
  const name = peerName
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 64)
  if (name === '') return row
  const [chosen, answered] = [row.name.toLowerCase(), name.toLowerCase()]
  const isSame = answered.length >= minNameLength && (chosen.includes(answered) || answered.includes(chosen))
  return isSame ? { ...row, name } : { name }
}
