import type { WalletEntry } from '@postern/protocol'

/** Folds case, accents and width: "RAINBÖW " finds "Rainbow". */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** A wallet's text, folded once. */
export type Searchable = {
  readonly name: string
  /** "web3" finds "Bybit Web3" before "Cryptoweb3". */
  readonly words: readonly string[]
  /** Reverse domain name and home page host; matches rank last. */
  readonly handles: readonly string[]
}

export function searchable(wallet: WalletEntry): Searchable {
  const name = fold(wallet.name)
  const handles = [wallet.rdns ?? '', hostOf(wallet.homepage)].filter((handle) => handle !== '').map(fold)
  return { name, words: name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''), handles }
}

/** 0 exact name, 1 its prefix, 2 prefix of a later word, 3 within the name, 4 in a handle. */
export type Rank = 0 | 1 | 2 | 3 | 4

/** @param term already folded, not empty */
export function rank(entry: Searchable, term: string): Rank | undefined {
  const at = entry.name.indexOf(term)
  if (at === 0) return entry.name.length === term.length ? 0 : 1
  if (at > 0) return entry.words.some((word) => word.startsWith(term)) ? 2 : 3
  return entry.handles.some((handle) => handle.includes(term)) ? 4 : undefined
}

function hostOf(url: string | null | undefined): string {
  if (url === undefined || url === null || !URL.canParse(url)) return ''
  return new URL(url).hostname.replace(/^www\./, '')
}
