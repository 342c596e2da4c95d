import type { Postern } from '../types/index'
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

/** Shows words at once, details later. */
export async function readExtras(
  { postern, locale, wanted, account }: ExtrasRequest,
  show: (extras: Partial<Extras>) => void,
): Promise<void> {
  const words = wordsOf(locale) ?? noExtras.words
  const isWanted = wanted.length > 0
  // Earlier details stay until then.
  show({ words, ...(!isWanted && { details: {} }) })
  if (postern && account && isWanted) show({ details: await readDetails(postern, account, wanted, locale) })
}
