import type { Postern } from '../types'
import { type DetailName, type Extras, noExtras, type ShownAccount } from './contract'
import { readDetails } from './details'
import { wordsOf } from './words'

/** `locale`: BCP 47. */
export type ExtrasRequest = {
  readonly postern: Postern | undefined
  readonly locale: string
  readonly wanted: readonly DetailName[]
  readonly account: ShownAccount | undefined
}

/**
 * Shows the words at once, and the details once they are known. Loads with the first button in another language than
 * English, or with the attribute `name`, `avatar` or `balance`. English words for a language without words.
 */
export async function readExtras(
  { postern, locale, wanted, account }: ExtrasRequest,
  show: (extras: Partial<Extras>) => void,
): Promise<void> {
  const words = wordsOf(locale) ?? noExtras.words
  const isWanted = wanted.length > 0
  // Details that are asked for again stay until they are known.
  show({ words, ...(!isWanted && { details: {} }) })
  if (postern && account && isWanted) show({ details: await readDetails(postern, account, wanted, locale) })
}
