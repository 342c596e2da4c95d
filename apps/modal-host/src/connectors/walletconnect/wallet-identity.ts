import type { WalletIdentity } from '../connector'

/** A shorter name is a part of too many others to be the same wallet's. */
const leastName = 3

/**
 * Who answered: the wallet's own name where it gives one. The picture is that of the row, unless another wallet than the row's answered, as when
 * its code was scanned with a different one; a wallet's own picture is an address, and would be a request.
 */
export function identityOf(row: WalletIdentity, told: string): WalletIdentity {
  // Controls and the marks that turn the direction of text could make a name read as another.
  const name = told
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 64)
  if (name === '') return row
  const [chosen, answered] = [row.name.toLowerCase(), name.toLowerCase()]
  const isSame = answered.length >= leastName && (chosen.includes(answered) || answered.includes(chosen))
  return isSame ? { ...row, name } : { name }
}
